#pragma once
#include <string>

#include "tutorials/lesson/options.hpp"

/// Names from English to French, or the pairs of a file: a transformer beside the translator of chapter 03 with as many
/// parameters, and beside two programs that have learned nothing. Returns the program's exit code.

namespace attend::chapter08 {

int names_lesson(const lesson::Options& options, const std::string& pairs_file);

}  // namespace attend::chapter08
