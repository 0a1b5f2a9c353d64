#include <torch/torch.h>

#include "tests/benchmarks/versus/sides.hpp"

namespace versus::torch_side {
namespace {

using torch::Tensor;
using Tensors = std::vector<Tensor>;

Tensor leaf(torch::IntArrayRef shape) { return torch::randn(shape).requires_grad_(); }

// Σ f(inputs), and its gradients with respect to parameters and inputs.
template <class F>
Step step(Tensors parameters, const Tensors& inputs, F f) {
  parameters.insert(parameters.end(), inputs.begin(), inputs.end());
  return [=]() mutable { torch::autograd::grad({f(inputs).sum()}, parameters); };
}

}  // namespace

void use_threads(int n) { torch::set_num_threads(n); }

Step multi_head(HeadSizes s) {
  torch::nn::MultiheadAttention layer(torch::nn::MultiheadAttentionOptions(s.D, s.H));
  return step(layer->parameters(), {leaf({s.T, s.B, s.D})}, [=](const Tensors& in) mutable {
    return std::get<0>(layer->forward(in[0], in[0], in[0], {}, /*need_weights=*/false));
  });
}

Step additive() {
  const Tensor wq = leaf({additive_size, additive_size}), wk = leaf({additive_size, additive_size});
  const Tensor v = leaf({1, additive_size});
  return step(
      {wq, wk, v},
      {leaf({additive_batch, additive_queries, additive_size}), leaf({additive_batch, additive_keys, additive_size})},
      [=](const Tensors& in) {
        const Tensor q = torch::linear(in[0], wq).unsqueeze(2), k = torch::linear(in[1], wk).unsqueeze(1);
        const Tensor scores = torch::linear(torch::tanh(q + k), v).squeeze(-1);
        return torch::matmul(torch::softmax(scores, -1), in[1]);
      });
}

Step gru() {
  torch::nn::GRU layer(torch::nn::GRUOptions(gru_size, gru_size).batch_first(true));
  return step(layer->parameters(), {leaf({gru_batch, gru_time, gru_size})},
              [=](const Tensors& in) mutable { return std::get<0>(layer->forward(in[0])); });
}

Step squeeze_excitation() {
  torch::nn::Linear squeeze(image_channels, image_channels / reduction);
  torch::nn::Linear excite(image_channels / reduction, image_channels);
  Tensors parameters = squeeze->parameters();
  for (const Tensor& each : excite->parameters()) parameters.push_back(each);
  return step(parameters, {leaf({image_batch, image_channels, image_side, image_side})},
              [=](const Tensors& in) mutable {
                const Tensor gate = torch::sigmoid(excite(torch::relu(squeeze(in[0].mean({2, 3})))));
                return in[0] * gate.view({image_batch, image_channels, 1, 1});
              });
}

Step conv() {
  torch::nn::Conv2d layer(torch::nn::Conv2dOptions(conv_in, conv_out, conv_kernel).padding(conv_kernel / 2));
  return step(layer->parameters(), {leaf({image_batch, conv_in, image_side, image_side})},
              [=](const Tensors& in) mutable { return layer(in[0]); });
}

Step feed_forward() {
  torch::nn::LayerNorm norm(torch::nn::LayerNormOptions({width}));
  torch::nn::Linear widen(width, hidden), narrow(hidden, width);
  Tensors parameters = norm->parameters();
  for (const Tensors& each : {widen->parameters(), narrow->parameters()}) {
    parameters.insert(parameters.end(), each.begin(), each.end());
  }
  return step(parameters, {leaf({rows, width})},
              [=](const Tensors& in) mutable { return narrow(torch::gelu(widen(norm(in[0])))); });
}

}  // namespace versus::torch_side
