#pragma once
#include <string>

#include "tutorials/lesson/options.hpp"
#include "tutorials/lesson/translation/recurrent_translator.hpp"

namespace attend::chapter03 {

/// The size of the model with attention, and the rate at which it learns.
translation::TranslatorSize size_with(const translation::Task& task);
constexpr double date_rate = 5e-3;

/// Dates of twelve locales to ISO form, with and without attention. The first heat map also goes to the file `picture`,
/// unless that is empty. Returns the program's exit code.
int dates_lesson(const lesson::Options& options, const std::string& picture);

/// Identities, gradient checks and a falling loss, in a few seconds.
int quick_lesson(const lesson::Options& options);

}  // namespace attend::chapter03
