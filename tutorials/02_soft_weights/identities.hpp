#pragma once
#include <cstdint>

#include "tutorials/lesson/claims.hpp"

/// The gradient checks of the chapter's functions.

namespace attend::chapter02 {

void claim_gradients(std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter02
