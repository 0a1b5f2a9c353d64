#pragma once
#include <functional>
#include <string>
#include <vector>

#include "autograd/kept.hpp"

/// What backward must remember: of single ops, beside what their rules say, and of a whole layer, op by op.

namespace attend::chapter11 {

/// An op, what its rule reads, the bytes that should be kept for that, and the op itself. It gets x and y [256, 64] and
/// W [64, 64], float32, which nobody else holds.
struct Rule {
  std::string op, reads;
  Size expected;
  std::function<Var(const Var& x, const Var& y, const Var& w)> apply;
};
std::vector<Rule> rules();

/// The bytes that the history of the op keeps, by `kept_by_op`.
Size measured(const Rule& rule);

/// Self-attention with 4 heads over T words of width 64, batch 1: what it keeps, op by op.
constexpr Size width_of_words = 64, heads = 4;
std::vector<Kept> kept_by_attention(Size T, bool want_weights);

/// An encoder layer of a transformer over T words, with its activations in float32 or a half. As above, and the ops of
/// the feed-forward part and the norms.
std::vector<Kept> kept_by_encoder(Size T, DType activations);

}  // namespace attend::chapter11
