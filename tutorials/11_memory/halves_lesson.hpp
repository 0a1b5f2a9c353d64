#pragma once
#include <string>
#include <utility>
#include <vector>

#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter11 {

/// A figure of results.tsv and its name.
using Named = std::pair<std::string, double>;

/// Half precision: the numbers, small steps, small gradients, a training. Gives what it measured; `seed` is the one of
/// this run.
std::vector<Named> halves_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter11
