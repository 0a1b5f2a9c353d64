#pragma once
#include "tutorials/lesson/five_seeds.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter13 {

/// Two tasks: one that asks for a place, and one that asks for a content.
lesson::NamedFigures learning_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter13
