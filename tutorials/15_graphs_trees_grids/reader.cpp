#include "tutorials/15_graphs_trees_grids/reader.hpp"

#include "nn/position/sinusoidal.hpp"

namespace attend::chapter15 {
namespace {

// Self-attention of x [B, T, size] whose weights the prior multiplies.
Var with_prior(const MultiHeadAttention& heads, const Var& x, const Var& prior, const Mask& mask) {
  return heads.finish(attention_with_prior(heads.query_heads(x), heads.key_heads(x), heads.value_heads(x), prior, mask))
      .context;
}

}  // namespace

Reader::Reader(Size symbols, Size layers, bool with_prior, Rng& rng)
    : transformer({"", 0, symbols, false, {}}, [](Rng&) { return SoftmaxAttention(); }, rng, {64, 4, layers}) {
  for (Size l = 0; with_prior && l < layers; ++l) constituents.emplace_back(64, rng);
}

Var Reader::last_layer(const Tensor& ids, const Mask& mask, std::vector<Constituents>& found) const {
  Var x = add_sinusoidal_positions(transformer.embedded(ids)), links;
  for (std::size_t l = 0; l < constituents.size(); ++l) {
    const auto& layer = transformer.layers[l];
    const Var normed = layer.attention_norm(x);
    found.push_back(constituents[l](normed, links, mask));
    if (!forget_links) links = found.back().links;
    x = x + with_prior(layer.attention.projections, normed, found.back().prior, mask);
    x = x + layer.feed_forward(layer.feed_forward_norm(x));
  }
  return x;
}

Var Reader::operator()(const Tensor& ids, const Mask& mask) const {
  if (constituents.empty()) return transformer(ids, mask);
  std::vector<Constituents> unused;
  return transformer.scores(last_layer(ids, mask, unused));
}

std::vector<Constituents> Reader::found(const Tensor& ids, const Mask& mask) const {
  std::vector<Constituents> of_layers;
  last_layer(ids, mask, of_layers);
  return of_layers;
}

void Reader::parameters(const Visit& visit) {
  visit("transformer", transformer);
  visit("constituents", constituents);
}

}  // namespace attend::chapter15
