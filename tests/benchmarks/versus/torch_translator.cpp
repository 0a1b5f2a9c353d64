// The model of chapter 03 in libtorch: a GRU of both directions that reads, additive attention, a GRU that writes.
#include <limits>

#include "tests/benchmarks/versus/torch_training.hpp"

namespace versus::torch_side {
namespace {

using torch::Tensor;
namespace nn = torch::nn;
namespace rnn = torch::nn::utils::rnn;

constexpr long embedding = 32, hidden = 64;
constexpr double rate = 5e-3;

struct TranslatorModule : nn::Module {
  nn::Embedding source_embedding, target_embedding;
  nn::GRU reader;
  nn::Linear begin, query, key, v;
  nn::GRUCell writer;
  nn::Linear output;

  explicit TranslatorModule(const TextBatch& batch)
      : source_embedding(batch.source_tokens, embedding),
        target_embedding(batch.target_tokens, embedding),
        reader(nn::GRUOptions(embedding, hidden).batch_first(true).bidirectional(true)),
        begin(hidden, hidden),
        query(nn::LinearOptions(hidden, hidden).bias(false)),
        key(nn::LinearOptions(2 * hidden, hidden).bias(false)),
        v(nn::LinearOptions(hidden, 1).bias(false)),
        writer(embedding + 2 * hidden, hidden),
        output(3 * hidden, batch.target_tokens) {
    register_module("source_embedding", source_embedding);
    register_module("target_embedding", target_embedding);
    register_module("reader", reader);
    register_module("begin", begin);
    register_module("query", query);
    register_module("key", key);
    register_module("v", v);
    register_module("writer", writer);
    register_module("output", output);
  }

  /// Scores of the next token, [B, Ty, tokens]. Packed, so that each text is read to its own end and no further.
  Tensor forward(const Texts& texts) {
    const auto packed = rnn::pack_padded_sequence(source_embedding(texts.source), texts.lengths, /*batch_first=*/true,
                                                  /*enforce_sorted=*/false);
    const auto [packed_states, last] = reader->forward_with_packed_input(packed);
    const Tensor states = std::get<0>(rnn::pad_packed_sequence(packed_states, /*batch_first=*/true));  // [B, Tx, 2 H]
    const Tensor keys = key(states);                                                                   // [B, Tx, H]
    const Tensor padding = texts.source == padding_token;                                              // [B, Tx]

    Tensor state = torch::tanh(begin(last[1]));  // [B, H]
    std::vector<Tensor> shown;
    for (const Tensor& symbol : target_embedding(texts.given).unbind(1)) {
      const Tensor scores = v(torch::tanh(query(state).unsqueeze(1) + keys)).squeeze(-1);
      const Tensor weights = scores.masked_fill(padding, -std::numeric_limits<float>::infinity()).softmax(-1);
      const Tensor context = torch::bmm(weights.unsqueeze(1), states).squeeze(1);  // [B, 2 H]
      state = writer(torch::cat({symbol, context}, -1), state);
      shown.push_back(torch::cat({state, context}, -1));
    }
    return output(torch::stack(shown, 1));
  }
};

}  // namespace

Training translator(const TextBatch& batch) {
  const auto model = std::make_shared<TranslatorModule>(batch);
  const auto adam = std::make_shared<torch::optim::Adam>(model->parameters(), torch::optim::AdamOptions(rate));
  return training(model, adam,
                  [=, texts = Texts(batch)] { return loss_of_texts(model->forward(texts), texts.wanted); });
}

}  // namespace versus::torch_side
