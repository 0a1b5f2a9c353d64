// The model of chapter 08 in libtorch: one encoder layer, one decoder layer, the norm before each block.
#include <cmath>
#include <limits>

#include "tests/benchmarks/versus/torch_layers.hpp"
#include "tests/benchmarks/versus/torch_training.hpp"

namespace versus::torch_side {
namespace {

using torch::Tensor;
namespace nn = torch::nn;

constexpr long size = 64, heads = 4, hidden = 128;
constexpr double rate = 3e-3;

/// Sinusoidal positions [T, 1, size].
Tensor positions(long T) {
  const Tensor rates = torch::exp(torch::arange(0, size, 2) * (-std::log(10000.0) / size));
  const Tensor angles = torch::arange(T).unsqueeze(1) * rates;  // [T, size / 2]
  return torch::stack({angles.sin(), angles.cos()}, -1).reshape({T, 1, size});
}

/// −∞ above the diagonal.
Tensor causal_mask(long T) { return torch::full({T, T}, -std::numeric_limits<float>::infinity()).triu(/*diagonal=*/1); }

/// x [Ty, B, size], memory [Tx, B, size] -> [Ty, B, size].
struct DecoderLayer : nn::Module {
  nn::MultiheadAttention self_attention, memory_attention;
  std::shared_ptr<FeedForward> feed_forward;
  nn::LayerNorm self_norm, memory_norm, feed_forward_norm;

  DecoderLayer()
      : self_attention(size, heads),
        memory_attention(size, heads),
        feed_forward(register_module("feed_forward", std::make_shared<FeedForward>(size, hidden))),
        self_norm(nn::LayerNormOptions({size})),
        memory_norm(nn::LayerNormOptions({size})),
        feed_forward_norm(nn::LayerNormOptions({size})) {
    register_module("self_attention", self_attention);
    register_module("memory_attention", memory_attention);
    register_module("self_norm", self_norm);
    register_module("memory_norm", memory_norm);
    register_module("feed_forward_norm", feed_forward_norm);
  }

  Tensor forward(const Tensor& x, const Tensor& causal, const Tensor& memory, const Tensor& padding) {
    const Tensor in = self_norm(x);
    const Tensor own =
        x + std::get<0>(self_attention(in, in, in, /*key_padding_mask=*/Tensor(), /*need_weights=*/false, causal));
    const Tensor seen = std::get<0>(memory_attention(memory_norm(own), memory, memory, padding,
                                                     /*need_weights=*/false));
    const Tensor both = own + seen;
    return both + feed_forward->forward(feed_forward_norm(both));
  }
};

struct TransformerModule : nn::Module {
  nn::Embedding source_embedding, target_embedding;
  std::shared_ptr<EncoderLayer> encoder;
  std::shared_ptr<DecoderLayer> decoder;
  nn::LayerNorm encoder_norm, decoder_norm;
  nn::Linear output;
  Tensor source_positions, target_positions, causal;  // the same in every step

  explicit TransformerModule(const TextBatch& batch)
      : source_embedding(batch.source_tokens, size),
        target_embedding(batch.target_tokens, size),
        encoder(register_module("encoder", std::make_shared<EncoderLayer>(size, heads, hidden))),
        decoder(register_module("decoder", std::make_shared<DecoderLayer>())),
        encoder_norm(nn::LayerNormOptions({size})),
        decoder_norm(nn::LayerNormOptions({size})),
        output(size, batch.target_tokens),
        source_positions(positions(batch.source_steps)),
        target_positions(positions(batch.target_steps)),
        causal(causal_mask(batch.target_steps)) {
    register_module("source_embedding", source_embedding);
    register_module("target_embedding", target_embedding);
    register_module("encoder_norm", encoder_norm);
    register_module("decoder_norm", decoder_norm);
    register_module("output", output);
    nn::init::normal_(source_embedding->weight, 0, 1 / std::sqrt(size));
    nn::init::normal_(target_embedding->weight, 0, 1 / std::sqrt(size));
  }

  /// Scores of the next token, [Ty, B, tokens].
  Tensor forward(const Texts& texts) {
    const Tensor padding = texts.source == padding_token;  // [B, Tx]
    const Tensor x = source_embedding(texts.source.t()) * std::sqrt(size) + source_positions;
    const Tensor memory = encoder_norm(encoder->forward(x, padding));  // [Tx, B, size]
    const Tensor y = target_embedding(texts.given.t()) * std::sqrt(size) + target_positions;
    return output(decoder_norm(decoder->forward(y, causal, memory, padding)));
  }
};

}  // namespace

Training transformer(const TextBatch& batch) {
  const auto model = std::make_shared<TransformerModule>(batch);
  const auto adam = std::make_shared<torch::optim::Adam>(model->parameters(), torch::optim::AdamOptions(rate));
  return training(model, adam,
                  [=, texts = Texts(batch)] { return loss_of_texts(model->forward(texts), texts.wanted.t()); });
}

}  // namespace versus::torch_side
