#include <algorithm>
#include <cmath>

#include "nn/attention/lsh.hpp"
#include "nn/attention/shared_query_key.hpp"
#include "nn/variants/heads.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

constexpr Size rounds = 4;  // in the usual settings

// Chunks of √T positions, and as many buckets as fill half a chunk each (the paper's section 2, chunk = 2 T / buckets),
// so that pairs and hashes cost O(T √T).
Size usual_chunk(Size T) { return static_cast<Size>(std::ceil(std::sqrt(static_cast<double>(T)))); }
Size usual_buckets(Size T) { return 2 * std::max<Size>(1, T / usual_chunk(T)); }

// Hashes of 8 buckets for heads of width 5.
LshAttention hashed(Size chunk, Size times, bool around = true) {
  Rng rng(11);
  return cast(LshAttention(5, 8, chunk, times, rng, around), DType::float64);
}

Identity like_full(const std::string& text, Size chunk, Size times, const Mask& mask = {}) {
  return {text, 1e-12, [=] {
            const Heads in(10);
            return apart(in(hashed(chunk, times), mask), in(SharedQueryKeyAttention(), mask));
          }};
}

// The same numbers sorted and put back.
double moved_by_sorting() {
  const Heads in(23);
  Rng rng(11);
  const Tensor bucket = lsh_buckets(in.q.value(), rng.normal({1, 5, 4}, 0, 1));  // [B, H, 1, T]
  const Tensor order = kernel::argsort(squeeze(bucket, {2}), -1, false);         // [B, H, T]
  return apart(rows_at(rows_at(in.v, order), kernel::argsort(order, -1, false)), in.v);
}

}  // namespace

Family hashing_family() {
  using namespace trait;
  Family family;
  family.name = "hashing";
  family.variants = {
      {"shared query-key", "Kitaev, Kaiser, Levskaya 2020 (arXiv:2001.04451)",
       causal | padding | equivariant | averages | shared,
       [](Size, Size, Rng&) { return AttentionCore(SharedQueryKeyAttention()); }, shared_query_key_multiplications},
      {"LSH", "Kitaev, Kaiser, Levskaya 2020 (arXiv:2001.04451)", causal | padding | averages | shared,
       [](Size T, Size d, Rng& rng) {
         return AttentionCore(LshAttention(d, usual_buckets(T), usual_chunk(T), rounds, rng));
       },
       [](Size T, Size d) { return lsh_multiplications(T, d, usual_buckets(T), usual_chunk(T), rounds); }},
  };
  family.identities = {
      like_full("LSH with one chunk, one round = shared query-key attention", 10, 1),
      like_full("LSH with one chunk, three rounds = shared query-key attention", 16, 3),
      like_full("LSH with two chunks, one round = shared query-key attention", 5, 1),
      like_full("LSH with two chunks of unequal length, three rounds = shared query-key attention", 6, 3),
      like_full("LSH with one chunk, three rounds = shared query-key attention, causal", 10, 3, causal_mask(10, 10)),
      like_full("LSH with two chunks, three rounds = shared query-key attention, causal", 5, 3, causal_mask(10, 10)),
      like_full("LSH with two chunks, three rounds = shared query-key attention, padded", 5, 3,
                padding_mask({10, 7}, 10)),
      {"LSH with one chunk that does not look around = shared query-key attention", 1e-12,
       [] {
         const Heads in(10);
         return apart(in(hashed(10, 2, false)), in(SharedQueryKeyAttention()));
       }},
      {"sorting by buckets and its inverse give the same numbers", 0, moved_by_sorting},
      {"LSH, causal: the first position has no other to attend to = its own value", 1e-12,
       [] {
         const Heads in(23);
         const auto first = [](const Var& x) { return slice(x, 2, 0, 1); };
         return apart(first(in(hashed(4, 3), causal_mask(23, 23))), first(in.v));
       }},
  };
  return family;
}

}  // namespace attend
