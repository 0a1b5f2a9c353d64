#pragma once
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter14 {

/// Multiplications, time and memory over longer and longer sequences.
void cost_section(const lesson::Options& options, lesson::Claims& claims);

}  // namespace attend::chapter14
