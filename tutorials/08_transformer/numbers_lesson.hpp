#pragma once
#include <string>

#include "tutorials/lesson/options.hpp"

/// Number words from English to German: the lessons of the first task. Each returns the program's exit code.

namespace attend::chapter08 {

/// One seed, or all of them.
int numbers_lesson(const lesson::Options& options, const std::string& picture);

/// Identities, gradients and a falling loss.
int quick_lesson(const lesson::Options& options);

}  // namespace attend::chapter08
