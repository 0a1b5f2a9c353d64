#pragma once
#include <string>

#include "tutorials/lesson/options.hpp"

namespace attend::chapter03 {

/// Names from English to French, or the pairs of a file, word by word: what is memorised, and how little of it carries
/// over to names that were held out. Returns the program's exit code.
int names_lesson(const lesson::Options& options, const std::string& pairs_file);

}  // namespace attend::chapter03
