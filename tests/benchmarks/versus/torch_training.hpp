// What the models of libtorch share: a step of training, and batches as tensors.
#pragma once
#include <torch/torch.h>

#include <memory>

#include "tests/benchmarks/versus/chapters.hpp"

namespace versus::torch_side {

constexpr std::int64_t padding_token = 0;

inline torch::Tensor tensor_of(std::vector<std::int64_t> numbers, torch::IntArrayRef shape) {
  return torch::tensor(numbers, torch::kInt64).reshape(shape);
}

/// What a translator learns from: source [B, Tx], lengths [B], given and wanted [B, Ty].
struct Texts {
  torch::Tensor source, lengths, given, wanted;
  explicit Texts(const TextBatch& batch)
      : source(tensor_of(batch.source, {batch.size, batch.source_steps})),
        lengths(tensor_of(batch.lengths, {batch.size})),
        given(tensor_of(batch.given, {batch.size, batch.target_steps})),
        wanted(tensor_of(batch.wanted, {batch.size, batch.target_steps})) {}
};

/// The cross-entropy of scores [..., tokens] in the mean over all targets [...] but the padding.
inline torch::Tensor loss_of_texts(const torch::Tensor& scores, const torch::Tensor& wanted) {
  namespace F = torch::nn::functional;
  return F::cross_entropy(scores.flatten(0, 1), wanted.flatten(),
                          F::CrossEntropyFuncOptions().ignore_index(padding_token));
}

/// The usual loop of libtorch, with the loss that `loss_of` computes.
template <class Model, class Optimizer, class LossOf>
Training training(Model model, std::shared_ptr<Optimizer> optimizer, LossOf loss_of) {
  long count = 0;
  for (const torch::Tensor& parameter : model->parameters()) count += parameter.numel();
  const auto step = [=]() mutable {
    model->zero_grad(/*set_to_none=*/true);
    const torch::Tensor loss = loss_of();
    loss.backward();
    torch::nn::utils::clip_grad_norm_(model->parameters(), clip_norm);
    optimizer->step();
    return loss.template item<double>();
  };
  return {step, count};
}

}  // namespace versus::torch_side
