#pragma once
#include "nn/mask.hpp"
#include "tutorials/lesson/claims.hpp"

/// What must hold for self-attention whatever its weights are, and the gradient checks.

namespace attend::chapter05 {

/// The layer against article 2's lines in plain loops, and what it has to learn.
void claim_formula(lesson::Claims& claims);

/// The words in another order give the same results in that order. With a causal mask they do not.
void claim_equivariance(bool causal, lesson::Claims& claims);

void claim_gradients(std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter05
