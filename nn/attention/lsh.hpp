#pragma once
#include "nn/attention/core.hpp"

namespace attend {

/// Attention among positions whose hashes are alike: the Reformer. Kitaev, Kaiser, Levskaya 2020 (arXiv:2001.04451).
///   k = q / ‖q‖        h(x) = argmax [x R ; −x R] with normal R [d, buckets / 2]
/// Vectors of similar direction fall into one bucket more often than others. Positions are sorted by (bucket, position)
/// and cut into chunks; a query sees the keys of its own chunk and of the one before, whatever their buckets, so that
/// buckets may be of any size. To itself it attends only where there is nothing else. In rounds r, each with an R of
/// its own, it sees the keys P_i^r, and a key that it sees in N_ij of them counts once in all:
///   z_r = log Σ_{j ∈ P_i^r} exp(q_i · k_j / √d) / N_ij                z = log Σ_r exp z_r
///   o_r = Σ_{j ∈ P_i^r} exp(q_i · k_j / √d − z_r) / N_ij · v_j        context_i = Σ_r exp(z_r − z) o_r
/// This is one softmax over the keys of all rounds together. Work is O(T · chunk · rounds) for the pairs and
/// O(T · buckets · d · rounds) for the hashes.
///
/// q [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], no weights. The k that it is given must fit, as for every
/// attention between heads, but is not looked at: no derivative flows to it. Nor does any flow through the hashes,
/// which are constant almost everywhere. Throws std::invalid_argument for queries of another width than that of the
/// rotations and a mask other than causal_mask & padding_mask.
struct LshAttention {
  Size chunk;
  bool around;       // the first chunk looks back at the last, as in the authors' code; else at none
  Tensor rotations;  // R of each round: [rounds, d, buckets / 2], a buffer

  /// Draws the rotations. Throws std::invalid_argument for an odd number of buckets, and for fewer than 2 buckets or
  /// less than 1 of anything else.
  LshAttention(Size width, Size buckets, Size chunk, Size rounds, Rng& rng, bool around = true);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit& visit) { visit.buffer("rotations", rotations); }
};

/// The multiplications of one head for T positions of width d.
Size lsh_multiplications(Size T, Size d, Size buckets, Size chunk, Size rounds);

/// h(x) for every round: x [..., T, d], rotations [rounds, d, buckets / 2] -> int64 [..., rounds, T].
Tensor lsh_buckets(const Tensor& x, const Tensor& rotations);

/// Rows x[.., places[.., i], :] for each of the leading axes by itself: x [..., n, d], places [..., m] -> [..., m, d].
/// rows_at(rows_at(x, order), argsort(order)) is x.
Var rows_at(const Var& x, const Tensor& places);

}  // namespace attend
