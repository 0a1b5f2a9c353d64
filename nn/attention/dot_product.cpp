#include "nn/attention/dot_product.hpp"

#include <cmath>
#include <stdexcept>

namespace attend {
namespace {

void check(const Var& query, const Var& key, const Var& value) {
  const Size rank = query.rank();
  bool fits = rank >= 3 && rank <= 4 && key.rank() == rank && value.rank() == rank;
  for (Size i = 0; fits && i < rank - 2; ++i) {
    fits = query.shape()[i] == key.shape()[i] && key.shape()[i] == value.shape()[i];
  }
  fits = fits && query.shape()[rank - 1] == key.shape()[rank - 1] && key.shape()[rank - 2] == value.shape()[rank - 2];
  if (fits) return;
  throw std::invalid_argument("dot-product attention: query " + text(query.shape()) + ", key " + text(key.shape()) +
                              ", value " + text(value.shape()) +
                              "; they are [..., Tq, D], [..., Tk, D] and [..., Tk, Dv]");
}

// A bias is spread over the scores; scores spread over a bias would be those of queries that nobody asked for.
void check_bias(const Var& bias, const Shape& scores) {
  if (broadcasts_to(bias.shape(), scores)) return;
  throw std::invalid_argument("dot-product attention: bias " + text(bias.shape()) + " does not broadcast to scores " +
                              text(scores));
}

// Blockwise attention may take the place of weights that nobody asks for and that nothing else changes.
bool in_tiles(const DotProductOptions& options) {
  const bool drops = options.dropout != 0 && options.rng;
  return !options.want_weights && !options.bias.defined() && !drops;
}

// The mask of scores [..., Tq, Tk], without forming what is causal of it.
Blockwise masked_tiles(const Mask& mask, const Shape& scores) {
  Blockwise how;
  how.causal = mask.causal(scores[scores.size() - 2], scores.back());
  const Mask rest = how.causal ? mask.without_causality() : mask;
  if (!rest.allows_all()) how.mask = rest.for_scores(scores);
  return how;
}

}  // namespace

Attended dot_attention(const Var& query, const Var& key, const Var& value, const Mask& mask) {
  check(query, key, value);
  const Var scores = matmul(query, transpose(hide_invisible(key, mask)));  // [..., Tq, Tk]
  const Var weights = attention_weights(scores, mask);
  return {weighted_sum(weights, value, mask), weights};
}

Attended scaled_dot_attention(const Var& query, const Var& key, const Var& value, const DotProductOptions& options) {
  check(query, key, value);
  const double scale = 1 / std::sqrt(static_cast<double>(query.shape().back()));
  if (in_tiles(options)) {
    Shape of_scores = query.shape();
    of_scores.back() = key.shape()[key.rank() - 2];
    Blockwise how = masked_tiles(options.mask, of_scores);
    how.scale = scale;
    return {blockwise_attention(query, key, value, how), Var()};
  }
  Var scores = matmul(scale * query, transpose(hide_invisible(key, options.mask)));  // [..., Tq, Tk]
  if (options.bias.defined()) {
    check_bias(options.bias, scores.shape());
    scores = scores + options.bias;
  }
  const Var weights = attention_weights(scores, options.mask);
  const Var used = dropout(weights, options.dropout, options.rng);
  return {weighted_sum(used, value, options.mask), options.want_weights ? weights : Var()};
}

}  // namespace attend
