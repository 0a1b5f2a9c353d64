#pragma once
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter09 {

/// The section about what squeeze-and-excitation costs, and what a larger reduction saves.
void cost_section(const lesson::Options& options, lesson::Claims& claims);

}  // namespace attend::chapter09
