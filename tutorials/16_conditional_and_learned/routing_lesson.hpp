#pragma once
#include "tutorials/16_conditional_and_learned/part.hpp"

namespace attend::chapter16 {

/// Two rules and experts to share them: who gets which, beside one expert; balance; and one rule alone.
lesson::NamedFigures routing_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter16
