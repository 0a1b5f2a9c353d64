#pragma once
#include "tutorials/lesson/claims.hpp"

/// What must hold whatever is drawn, and the gradient checks.

namespace attend::chapter04 {

void claim_identities(lesson::Claims& claims);
void claim_gradients(std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter04
