#pragma once
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter13 {

/// Multiplications, counted and by their formula, and time over longer and longer sequences.
void cost_section(const lesson::Options& options, lesson::Claims& claims);

}  // namespace attend::chapter13
