#pragma once
#include "tutorials/16_conditional_and_learned/part.hpp"

namespace attend::chapter16 {

/// Linear regression within a context: a step of gradient descent that was built, and one that was learned.
lesson::NamedFigures in_context_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter16
