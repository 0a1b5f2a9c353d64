#pragma once
#include "tutorials/16_conditional_and_learned/part.hpp"

namespace attend::chapter16 {

/// A gate behind attention: a query that wants nothing, and one that wants more than any value.
lesson::NamedFigures gate_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter16
