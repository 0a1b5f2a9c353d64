#pragma once
#include "tutorials/16_conditional_and_learned/part.hpp"

namespace attend::chapter16 {

/// A head that learns how far it looks, for copies over several distances; beside fixed windows; and where it fails.
/// With a `picture` it draws the spans over the training there.
lesson::NamedFigures span_section(const lesson::Options& options, std::uint64_t seed, const std::string& picture,
                                  lesson::Claims& claims);

}  // namespace attend::chapter16
