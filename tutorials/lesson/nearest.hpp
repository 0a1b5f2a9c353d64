#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tutorials/lesson/size.hpp"

/// What to say about a name that does not exist.

namespace attend::lesson {

/// The fewest single-character changes that turn `a` into `b`: insert, delete, replace, or swap two neighbours.
Size edit_distance(std::string_view a, std::string_view b);

/// The name closest to `wanted` (the first of equals), or "" where none is close: more than half of its characters,
/// or of those of `wanted`, would have to change.
std::string nearest_name(std::string_view wanted, const std::vector<std::string>& names);

/// One line for an unknown name: "no break 'no-sofmax'; did you mean 'no-softmax'? There are: no-softmax, no-mask".
std::string unknown_name(std::string_view kind, std::string_view wanted, const std::vector<std::string>& names);

}  // namespace attend::lesson
