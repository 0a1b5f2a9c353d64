#pragma once
#include <string>

#include "tutorials/lesson/options.hpp"

namespace attend::chapter03 {

/// Dates of twelve locales to ISO form, with and without attention. The first heat map also goes to the file `picture`,
/// unless that is empty. Returns the program's exit code.
int dates_lesson(const lesson::Options& options, const std::string& picture);

/// Identities, gradient checks and a falling loss, in a few seconds.
int quick_lesson(const lesson::Options& options);

}  // namespace attend::chapter03
