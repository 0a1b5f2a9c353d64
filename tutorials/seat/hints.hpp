#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/size.hpp"

/// The hints to the exercises of a chapter, hints.md:
///
///     # Hints
///
///     ## Exercise 1
///
///     ### 1
///     The idea, in a sentence or two.
///
///     ### 2
///     The formula, with its shapes.
///
///     ### 3
///     The code, with one hole.

namespace attend::seat {

/// The three hints to exercise `k` in the text of a hints.md; `path` is its name in errors. Throws lesson::DataError
/// when the exercise has not three, with texts.
std::vector<std::string> hints_for(const std::string& text, const std::string& k, const std::string& path);

}  // namespace attend::seat
