#include "nn/attention/lsh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "nn/attention/shared_query_key.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// T sorted positions cut into chunks, the last of which is filled up.
struct Chunks {
  Size length, count, reach;  // reach: the keys beside a chunk

  Chunks(Size T, Size chunk) {
    length = std::max<Size>(1, std::min(T, chunk));
    count = std::max<Size>(1, (T + length - 1) / length);  // of no position one chunk, with nobody in it
    reach = count > 1 ? 2 * length : length;               // one chunk alone has none to look back at
  }
  Size padded() const { return count * length; }

  // [B, H, rounds · T', ...] -> [B, H, rounds, chunks, length, ...]
  Var cut(const Var& x) const {
    Shape shape = {x.shape()[0], x.shape()[1], x.shape()[2] / padded(), count, length};
    for (Size axis = 3; axis < x.rank(); ++axis) shape.push_back(x.shape()[axis]);
    return reshape(x, shape);
  }
  // The same, each chunk behind the one before: [B, H, rounds, chunks, reach, ...]
  Var beside(const Var& x) const {
    const Var own = cut(x);
    return count > 1 ? concat({roll(own, 1, 3), own}, 4) : own;
  }
  // [B, H, rounds, chunks, length, ...] -> [B, H, rounds, T', ...]
  Var join(const Var& x) const {
    Shape shape = {x.shape()[0], x.shape()[1], x.shape()[2], padded()};
    for (Size axis = 5; axis < x.rank(); ++axis) shape.push_back(x.shape()[axis]);
    return reshape(x, shape);
  }
};

// How the positions were sorted in each round, and which of them form pairs: query [B, H, rounds, chunks, length, 1],
// key [B, H, rounds, chunks, 1, reach], each the number of a position.
struct Sorted {
  Chunks chunks;
  Tensor order, undo;  // [B, H, rounds, T']
  Tensor query, key;

  Sorted(const Chunks& cut, const Tensor& bucket) : chunks(cut) {
    order = kernel::argsort(bucket, -1, false);  // equal buckets keep the order of their positions
    undo = kernel::argsort(order, -1, false);
    query = unsqueeze(chunks.cut(flat()).value(), 5);
    key = unsqueeze(chunks.beside(flat()).value(), 4);
  }
  // The positions of one round after the other: [B, H, rounds · T']
  Tensor flat() const {
    const Shape& shape = order.shape();
    return reshape(order, {shape[0], shape[1], shape[2] * shape[3]});
  }
};

// What a table [B, H, T'] says of some positions [B, H, ...].
Tensor look_up(const Tensor& table, const Tensor& positions) {
  const Size B = table.shape()[0], H = table.shape()[1], count = positions.size() / std::max<Size>(1, B * H);
  return reshape(kernel::gather(table, 2, reshape(positions, {B, H, count})), positions.shape());
}

// N of every pair that is formed: in how many rounds the key stands in the query's chunk or the one before.
Tensor rounds_that_meet(const Sorted& sorted, bool around, DType dtype) {
  const Chunks& chunks = sorted.chunks;
  std::vector<std::int64_t> own = sorted.undo.to_ints(), next = own;
  for (std::int64_t& place : own) place /= chunks.length;
  for (std::int64_t& place : next) {
    place = place / chunks.length + 1;
    if (around) place %= chunks.count;
  }
  const Shape& shape = sorted.undo.shape();
  const Tensor chunk = Tensor::from_ints(own, shape), seen_from = Tensor::from_ints(next, shape);
  Tensor met = Tensor::zeros({}, dtype);
  for (Size r = 0; r < shape[2]; ++r) {
    const auto round = [r](const Tensor& x) { return squeeze(slice(x, 2, r, 1), {2}); };
    const Tensor of_query = look_up(round(chunk), sorted.query);
    const Tensor same = kernel::equal(of_query, look_up(round(chunk), sorted.key));
    const Tensor before = kernel::equal(of_query, look_up(round(seen_from), sorted.key));
    met = kernel::add(met, kernel::cast(kernel::logical_or(same, before), dtype));
  }
  return met;
}

// Without going around, no query of the first chunk sees the keys that stand before it: [chunks, 1, reach].
Tensor looks_at(const Chunks& chunks, bool around) {
  std::vector<bool> seen;
  for (Size i = 0; i < chunks.count; ++i) {
    for (Size j = 0; j < chunks.reach; ++j) seen.push_back(around || i > 0 || j >= chunks.reach - chunks.length);
  }
  return Tensor::from_bools(seen, {chunks.count, 1, chunks.reach});
}

// Which of the pairs count: [B, H, rounds, chunks, length, reach].
Tensor allowed_pairs(const Sorted& sorted, const Tensor& there, bool causal, bool around) {
  const Tensor present = look_up(there, sorted.key), self = kernel::equal(sorted.query, sorted.key);
  Tensor others = kernel::logical_and(kernel::logical_not(self), present);
  others = kernel::logical_and(others, looks_at(sorted.chunks, around));
  if (causal) others = kernel::logical_and(others, kernel::less_equal(sorted.key, sorted.query));
  // A position is alone when it finds no other in any round.
  const Tensor found = kernel::gather(sorted.chunks.join(kernel::any(others, -1, false)).value(), 3, sorted.undo);
  const Tensor alone = look_up(kernel::logical_not(kernel::any(found, 2, false)), sorted.query);
  return kernel::logical_or(others, kernel::logical_and(alone, kernel::logical_and(self, present)));
}

// [B or 1, T], true = is there, or undefined -> [B, H, T'], where what fills up the last chunk is not there either.
Tensor present_positions(const Tensor& keys, const Shape& q, Size padded) {
  const Tensor there = keys.defined() ? keys : Tensor::ones({1, q[2]}, DType::boolean);
  const Tensor filled = kernel::concat({there, Tensor::zeros({there.shape()[0], padded - q[2]}, DType::boolean)}, 1);
  return broadcast_to(unsqueeze(filled, 1), {q[0], q[1], padded});
}

// The bucket of each position: [B, H, rounds, T']. What is not there comes last, where it takes no place in the chunks
// of the others. (Under a causal mask, as in the paper, later positions have their places there. They are never
// attended to, but which of the earlier ones share a chunk depends on them.)
Tensor hashes(const Tensor& query, const Tensor& there, const Tensor& rotations) {
  const auto last = static_cast<double>(2 * rotations.shape()[2]);
  return kernel::where(unsqueeze(there, 2), lsh_buckets(query, rotations), Tensor::full({}, last, DType::int64));
}

// What each round found, in the order of the positions.
struct Rounds {
  Var o;  // [B, H, rounds, T', dv]
  Var z;  // [B, H, rounds, T', 1], −∞ where there is no key
};

Rounds attend_in_chunks(const Var& query, const Var& value, const Sorted& sorted, const Tensor& allowed, bool around) {
  const Chunks& chunks = sorted.chunks;
  // The paper's keys have the length 1, and its scores the factor 1 / √d of every Transformer.
  const double scale = 1 / std::sqrt(static_cast<double>(query.shape()[3]));
  const Var q = chunks.cut(rows_at(scale * query, sorted.flat()));          // [B, H, rounds, chunks, length, d]
  const Var k = chunks.beside(rows_at(unit_length(query), sorted.flat()));  // [B, H, rounds, chunks, reach, d]
  const Var v = chunks.beside(rows_at(value, sorted.flat()));               // [B, H, rounds, chunks, reach, dv]
  const Tensor N = rounds_that_meet(sorted, around, query.dtype());
  const Tensor nothing = Tensor::full({}, -std::numeric_limits<double>::infinity(), query.dtype());
  const Var scores = where(allowed, matmul(q, transpose(k)) - kernel::log(N), nothing);  // [.., length, reach]

  const Var o = matmul(masked_softmax(scores, allowed), v);  // [B, H, rounds, chunks, length, dv]
  const Var z = logsumexp(scores, {-1}, true);               // [B, H, rounds, chunks, length, 1]
  return {rows_at(chunks.join(o), sorted.undo), rows_at(chunks.join(z), sorted.undo)};
}

// Σ_r exp(z_r − z) o_r: [B, H, T', dv]
Var together(const Rounds& rounds) {
  const Var z = permute(rounds.z, {0, 1, 3, 4, 2});                     // [B, H, T', 1, rounds]
  const Var weights = masked_softmax(z, kernel::is_finite(z.value()));  // exp(z_r − z)
  return sum(permute(weights, {0, 1, 4, 2, 3}) * rounds.o, {2});
}

void check(const std::string& what, Size found, Size least) {
  if (found >= least) return;
  throw std::invalid_argument("LSH attention: " + what + " " + std::to_string(found) + "; at least " +
                              std::to_string(least));
}

}  // namespace

LshAttention::LshAttention(Size width, Size buckets, Size chunk_length, Size rounds, Rng& rng, bool goes_around)
    : chunk(chunk_length), around(goes_around) {
  check("width", width, 1);
  check("buckets", buckets, 2);
  check("chunk", chunk, 1);
  check("rounds", rounds, 1);
  if (buckets % 2 != 0) {
    throw std::invalid_argument("LSH attention: " + std::to_string(buckets) +
                                " buckets; they come in pairs, x R and −x R, so their number is even");
  }
  rotations = rng.normal({rounds, width, buckets / 2}, 0, 1);
}

Attended LshAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("LSH attention", q, k, v);
  const Size T = q.shape()[2];
  if (q.shape()[3] != rotations.shape()[1]) {
    throw std::invalid_argument("LSH attention: query " + text(q.shape()) + " for rotations " +
                                text(rotations.shape()) + ", which are [rounds, d, buckets / 2]");
  }
  const KeyMask seen = key_mask("LSH attention", mask, T, T);
  const Chunks chunks(T, chunk);
  // The queries at padding are its keys, and hidden like keys.
  const auto filled = [&](const Var& x) { return pad(hide_invisible(x, mask), 2, 0, chunks.padded() - T); };
  const Var query = filled(q), value = filled(v);                                 // [B, H, T', d], [B, H, T', dv]
  const Tensor there = present_positions(seen.keys, q.shape(), chunks.padded());  // [B, H, T']
  const Sorted sorted(chunks, hashes(query.value(), there, rotations));
  const Tensor allowed = allowed_pairs(sorted, there, seen.causal, around);
  const Rounds rounds = attend_in_chunks(query, value, sorted, allowed, around);
  return {slice(together(rounds), 2, 0, T), Var()};
}

Size lsh_multiplications(Size T, Size d, Size buckets, Size chunk, Size rounds) {
  const Chunks chunks(T, chunk);
  const Size places = chunks.padded(), pairs = rounds * places * chunks.reach;
  const Size hash = rounds * places * d * buckets / 2;
  const Size keys = 3 * places * d;            // ‖q‖², the division by ‖q‖, and the scale of the queries
  const Size sum = rounds * places * (d + 1);  // the softmax over the rounds, and their sum
  return hash + keys + 2 * pairs * d + pairs + sum;
}

Tensor lsh_buckets(const Tensor& x, const Tensor& rotations) {
  const Tensor rotated = kernel::matmul(unsqueeze(x, x.rank() - 2), kernel::cast(rotations, x.dtype()));
  const Tensor both = kernel::concat({rotated, kernel::affine(rotated, -1, 0)}, -1);  // [..., rounds, T, buckets]
  return kernel::argmax(both, -1, false);
}

Var rows_at(const Var& x, const Tensor& places) {
  const Size n = x.shape()[x.rank() - 2], d = x.shape().back(), m = places.shape().back();
  std::vector<std::int64_t> rows = places.to_ints();
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += static_cast<std::int64_t>(i) / m * n;
  const Size all_rows = m == 0 ? 0 : places.size() / m * n;
  return take(reshape(x, {all_rows, d}), 0, Tensor::from_ints(rows, places.shape()));
}

}  // namespace attend
