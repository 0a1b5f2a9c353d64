#pragma once
#include "tutorials/lesson/options.hpp"

namespace attend::chapter03 {

/// Dates of twelve locales to ISO form, with and without attention. Returns the program's exit code.
int dates_lesson(const lesson::Options& options);

/// Identities, gradient checks and a falling loss, in a few seconds.
int quick_lesson(const lesson::Options& options);

}  // namespace attend::chapter03
