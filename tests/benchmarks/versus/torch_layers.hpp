// The encoder layer that chapters 08 and 10 share, in libtorch: its own one knows no norm before the block.
#pragma once
#include <torch/torch.h>

#include <memory>

namespace versus::torch_side {

/// relu(x W_1 + b_1) W_2 + b_2.
struct FeedForward : torch::nn::Module {
  torch::nn::Linear widen, narrow;

  FeedForward(long size, long hidden) : widen(size, hidden), narrow(hidden, size) {
    register_module("widen", widen);
    register_module("narrow", narrow);
  }
  torch::Tensor forward(const torch::Tensor& x) { return narrow(torch::relu(widen(x))); }
};

/// A pre-norm encoder layer: x [T, B, size], as nn::MultiheadAttention wants it, -> the same. `padding` [B, T] is true
/// where nothing is to be seen; undefined, all is.
struct EncoderLayer : torch::nn::Module {
  torch::nn::MultiheadAttention attention;
  std::shared_ptr<FeedForward> feed_forward;
  torch::nn::LayerNorm attention_norm, feed_forward_norm;

  EncoderLayer(long size, long heads, long hidden)
      : attention(size, heads),
        feed_forward(register_module("feed_forward", std::make_shared<FeedForward>(size, hidden))),
        attention_norm(torch::nn::LayerNormOptions({size})),
        feed_forward_norm(torch::nn::LayerNormOptions({size})) {
    register_module("attention", attention);
    register_module("attention_norm", attention_norm);
    register_module("feed_forward_norm", feed_forward_norm);
  }

  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& padding = {}) {
    const torch::Tensor in = attention_norm(x);
    const torch::Tensor seen = x + std::get<0>(attention(in, in, in, padding, /*need_weights=*/false));
    return seen + feed_forward->forward(feed_forward_norm(seen));
  }
};

}  // namespace versus::torch_side
