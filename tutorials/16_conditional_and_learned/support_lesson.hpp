#pragma once
#include "tutorials/16_conditional_and_learned/part.hpp"

namespace attend::chapter16 {

/// Weights that are exactly 0: on one row of scores, and on rows of which the support is known.
void support_section(lesson::Claims& claims);

/// What they are good for: heaps of marked keys, where softmax never quite leaves the others alone.
lesson::NamedFigures heap_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

/// Where they fail: what has the weight 0 learns nothing.
lesson::NamedFigures recall_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter16
