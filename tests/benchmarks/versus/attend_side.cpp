#include "autograd/grad.hpp"
#include "nn/attention/additive.hpp"
#include "nn/attention/multi_head.hpp"
#include "nn/attention/squeeze_excitation.hpp"
#include "nn/conv.hpp"
#include "nn/gru.hpp"
#include "nn/layer_norm.hpp"
#include "tensor/parallel.hpp"
#include "tests/benchmarks/versus/sides.hpp"

namespace versus::attend_side {
namespace {

using namespace attend;

Var random_input(const Shape& shape) {
  Rng rng(2);
  return Var::parameter(rng.normal(shape, 0, 1));
}

// Σ f(layer, inputs), and its gradients with respect to parameters and inputs.
template <class Layer, class F>
Step step(const Layer& layer, const Vars& inputs, F f) {
  Vars leaves = parameters(layer);
  leaves.insert(leaves.end(), inputs.begin(), inputs.end());
  return [=] {
    Var y = f(layer, inputs);
    y = sum(y);
    grad(std::move(y), leaves);
  };
}

// LayerNorm and the position-wise feed-forward part of a transformer, with GELU.
struct NormedFeedForward {
  LayerNorm norm;
  Linear widen, narrow;
  explicit NormedFeedForward(Rng& rng) : norm(width), widen(width, hidden, rng), narrow(hidden, width, rng) {}
  Var operator()(const Var& x) const { return narrow(gelu(widen(norm(x)))); }
  void parameters(const Visit& visit) {
    visit("norm", norm);
    visit("widen", widen);
    visit("narrow", narrow);
  }
};

}  // namespace

void use_threads(int n) { set_threads(n); }

Step multi_head(HeadSizes s) {
  Rng rng(1);
  MultiHeadOptions options;
  options.want_weights = false;  // libtorch is asked for none either
  return step(MultiHeadAttention(s.D, s.H, rng, options), {random_input({s.B, s.T, s.D})},
              [](const MultiHeadAttention& layer, const Vars& in) { return layer(in[0]).context; });
}

Step additive() {
  Rng rng(1);
  return step(AdditiveAttention(additive_size, additive_size, additive_size, rng),
              {random_input({additive_batch, additive_queries, additive_size}),
               random_input({additive_batch, additive_keys, additive_size})},
              [](const AdditiveAttention& layer, const Vars& in) { return layer(in[0], in[1], in[1]).context; });
}

Step gru() {
  Rng rng(1);
  return step(GRU(gru_size, gru_size, rng), {random_input({gru_batch, gru_time, gru_size})},
              [](const GRU& layer, const Vars& in) { return layer(in[0]).states; });
}

Step squeeze_excitation() {
  Rng rng(1);
  return step(SqueezeExcitation(image_channels, reduction, rng),
              {random_input({image_batch, image_channels, image_side, image_side})},
              [](const SqueezeExcitation& layer, const Vars& in) { return layer(in[0]); });
}

Step conv() {
  Rng rng(1);
  ConvOptions same;
  same.padding = conv_kernel / 2;
  return step(Conv2d(conv_in, conv_out, conv_kernel, rng, same),
              {random_input({image_batch, conv_in, image_side, image_side})},
              [](const Conv2d& layer, const Vars& in) { return layer(in[0]); });
}

Step feed_forward() {
  Rng rng(1);
  return step(NormedFeedForward(rng), {random_input({rows, width})},
              [](const NormedFeedForward& layer, const Vars& in) { return layer(in[0]); });
}

}  // namespace versus::attend_side
