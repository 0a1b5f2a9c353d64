#pragma once
#include "tutorials/lesson/five_seeds.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter12 {

/// Two tasks, one that a window can do and one that it cannot, with all patterns side by side.
lesson::NamedFigures learning_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter12
