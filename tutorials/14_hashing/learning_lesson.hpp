#pragma once
#include "tutorials/lesson/five_seeds.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter14 {

/// Three tasks: one that hashes can do, one that needs more pairs than they form, and one against shared queries and
/// keys.
lesson::NamedFigures learning_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter14
