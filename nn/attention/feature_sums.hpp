// Attention whose weights are products of features, and so need no pairs. What the feature map φ is, the layer says:
// linear_attention.hpp, performer.hpp.
//   context_i = Σ_j (φ(q_i) · φ(k_j)) v_j / Σ_j (φ(q_i) · φ(k_j))        over all j or, causal, over j <= i
// Since φ(q_i) stands before both sums, they are made once for all queries: Katharopoulos et al. 2020
// (arXiv:2006.16236), equations 4 to 12. All forms here take
//   fq = φ(q) [B, H, T, m], fk = φ(k) [B, H, T, m], v [B, H, T, dv] -> context [B, H, T, dv]
// and give the same up to rounding. A key is hidden by fk = 0, not by k = 0: φ(0) is not 0. A query all of whose
// weights are 0 gets 0.
#pragma once
#include "autograd/ops.hpp"

namespace attend {

/// The definition: every weight is formed, O(T²).
Var sums_by_pairs(const Var& fq, const Var& fk, const Var& v, bool causal = false);

/// Not causal: φ(q) (φ(k)ᵀ v), multiplied from the right, O(T).
Var sums_of_all(const Var& fq, const Var& fk, const Var& v);

/// Causal: the running sums S_i = S_i₋₁ + φ(k_i) v_iᵀ of all positions, O(T) but T · m · dv numbers in memory.
Var sums_cumulative(const Var& fq, const Var& fk, const Var& v);

/// Causal: running sums up to every chunk, and pairs within a chunk, O(T · (chunk + m)) with T / chunk · m · dv numbers
/// in memory. Throws std::invalid_argument for a chunk below 1.
Var sums_by_chunks(const Var& fq, const Var& fk, const Var& v, Size chunk);

/// The running sums after the positions so far: all that decoding has to remember, however many they were.
struct RunningSums {
  Var sums;  // [B, H, m, dv + 1]: Σ φ(k) vᵀ, and in the last column the normaliser Σ φ(k)
};

/// Causal: the next positions after those in the state, which then holds them too. One position is the recurrence of
/// the paper; several go as one chunk. Throws std::invalid_argument, in the name of `op`, when the state is of other
/// sizes; a step that throws leaves it as it is.
Var sums_step(const char* op, const Var& fq, const Var& fk, const Var& v, RunningSums& state);

/// The multiplications of sums_of_all for one head of T positions with m features and values of width dv.
Size sums_multiplications(Size T, Size m, Size dv);

}  // namespace attend
