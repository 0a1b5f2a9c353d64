#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "nn/attention/head_forms.hpp"
#include "tutorials/lesson/claims.hpp"

/// The ways to write multi-head attention, what must hold between them, and what each costs.

namespace attend::chapter06 {

/// How the width of a projection is cut into heads. `reshape_alone` is the usual bug: [B, T, heads · d] read as
/// [B, heads, T, d], by which a head gets some positions of all heads in the place of all positions of its own.
enum class Cut { by_position, reshape_alone };

/// MultiHeadAttention with heads cut in either way. x [B, T, size].
Attended attend_cut(const MultiHeadAttention& layer, const Var& x, Cut cut);

/// The article's full form with the small projections of the other: W = I ⊗ w, the small matrix once for each head on
/// the diagonal, and biases of Q, K and V that are 0.
MultiHeadAttention with_blocks(const SharedHeadAttention& small);

/// Loop, batched, einsum: the same to 1e-12, under any mask.
void claim_forms(lesson::Claims& claims);
/// The second article's form is the first's with W = I ⊗ w, when Q, K and V have no biases; and its heads see their own
/// slice of the input only.
void claim_blocks(bool with_biases, lesson::Claims& claims);
/// Words in another order give the same results in that order; and heads cut in this way give those of the layer.
void claim_cut(Cut cut, lesson::Claims& claims);
void claim_gradients(std::uint64_t seed, lesson::Claims& claims);

/// Multiplications of one pass, by the counter of the kernels.
struct Multiplications {
  Size projections;  // x to Q, K and V
  Size pairs;        // Q Kᵀ and weights · V
  Size output;       // the last matrix
  Size rest;         // scale and softmax: one for each weight or query, not for each number of a vector
};
Multiplications multiplications(const MultiHeadAttention& layer, const Var& x);
Multiplications multiplications(const SharedHeadAttention& layer, const Var& x);

/// The least of `runs` times of one pass without gradients, in milliseconds.
struct Times {
  double loop, batched, einsum;
};
Times times_of(const MultiHeadAttention& layer, const Var& x, Size runs);

}  // namespace attend::chapter06
