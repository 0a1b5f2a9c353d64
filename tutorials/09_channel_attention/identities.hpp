#pragma once
#include "tutorials/lesson/claims.hpp"

/// What must hold for channel attention whatever its weights are, and the gradient checks.

namespace attend::chapter09 {

void claim_identities(lesson::Claims& claims);
void claim_gradients(std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter09
