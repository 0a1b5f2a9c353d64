#pragma once
#include <string>
#include <vector>

#include "tutorials/11_memory/halves_lesson.hpp"
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter11 {

/// The running softmax: the example on paper, and what must hold of it and of blockwise attention.
void running_section(const lesson::Options& options, lesson::Claims& claims);

/// All forms of sequences.hpp over longer and longer texts. Gives what it measured; the chart is written to `picture`
/// unless that is empty.
std::vector<Named> lengths_section(const lesson::Options& options, std::uint64_t seed, const std::string& picture,
                                   lesson::Claims& claims);

/// The gradient checks of this chapter's parts.
void gradients_section(std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter11
