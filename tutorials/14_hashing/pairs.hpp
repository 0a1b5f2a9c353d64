#pragma once
#include <vector>

#include "nn/attention/lsh.hpp"

/// Which positions meet: hashes, sorting and chunks in plain loops, for maps and counts. (LshAttention does the same
/// with tensors, and without a matrix of all pairs.)

namespace attend::chapter14 {

using Buckets = std::vector<std::int64_t>;  // one for each position

/// The positions sorted by (bucket, position).
std::vector<Size> sorted_by_bucket(const Buckets& buckets);

/// Who meets whom when the sorted positions are cut into chunks: float64 [T, T], 1 where the key (column) stands in the
/// chunk of the query (row) or in the one before it. Before the first there is the last if `around`, else nothing.
Tensor met(const Buckets& buckets, Size chunk, bool around);

/// The same for every round of an LSH attention over queries [T, d]: float64 [rounds, T, T].
Tensor met_in_rounds(const Tensor& queries, const LshAttention& lsh);
/// The buckets of one of its rounds.
Buckets buckets_in_round(const Tensor& queries, const LshAttention& lsh, Size round);

/// 1 where at least one of the rounds has a 1: [rounds, T, T] -> [T, T].
Tensor in_any(const Tensor& rounds);

/// The rows and columns of a map [T, T] in another order.
Tensor in_order(const Tensor& map, const std::vector<Size>& order);

/// How the directions of queries lie.
enum class Directions {
  twins,      // positions i and T − 1 − i nearly agree, and no others: what the reversal needs
  scattered,  // each has its own
  crowded,    // half of the positions nearly agree: one bucket that no chunk can hold
};
/// T queries of this length, float64 [T, d].
Tensor directed(Directions how, Size T, Size d, double length, Rng& rng);

}  // namespace attend::chapter14
