#pragma once
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter11 {

/// The running softmax: the example on paper, and what must hold of it and of blockwise attention.
void running_section(const lesson::Options& options, lesson::Claims& claims);

/// The gradient checks of this chapter's parts.
void gradients_section(std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter11
