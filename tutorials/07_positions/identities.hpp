#pragma once
#include "tutorials/07_positions/scheme.hpp"
#include "tutorials/lesson/claims.hpp"

/// What must hold whatever is learned.

namespace attend::chapter07 {

/// Sinusoids: their length, what a shift does to them, and what their products depend on.
void claim_sinusoids(lesson::Claims& claims);

/// Products of turned queries and keys, in one dimension and in three.
void claim_rotary(lesson::Claims& claims);

/// Layers that know distances only: text that is put in front and hidden changes nothing. `fault` is in one of them.
void claim_shift_invariance(Fault fault, lesson::Claims& claims);

/// Gradients of the schemes' layers.
void claim_position_gradients(std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter07
