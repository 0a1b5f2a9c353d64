// One step of training as chapters 03, 08 and 10 make it, with their models, on one batch of their data: the loss, its
// gradients, clipping, and the step of Adam.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace versus {

constexpr double clip_norm = 1;

/// A model in training: `step` returns the loss before it.
struct Training {
  std::function<double()> step;
  long parameters;
};

/// Texts and their translations as rows of equal length, filled up with 0: source [size, source_steps], given and
/// wanted [size, target_steps].
struct TextBatch {
  long size, source_steps, target_steps, source_tokens, target_tokens;
  std::vector<std::int64_t> source, lengths, given, wanted;
};

/// Images [size, 1, side, side].
struct ImageBatch {
  long size, side, classes;
  std::vector<float> pixels;
  std::vector<std::int64_t> labels;
};

namespace attend_side {
TextBatch dates();
TextBatch numbers();
ImageBatch digits();
Training translator(const TextBatch& batch);          // chapter 03
Training transformer(const TextBatch& batch);         // chapter 08
Training attention_network(const ImageBatch& batch);  // chapter 10, a CNN with attention
Training vision_transformer(const ImageBatch& batch);
}  // namespace attend_side

namespace torch_side {
Training translator(const TextBatch& batch);
Training transformer(const TextBatch& batch);
Training attention_network(const ImageBatch& batch);
Training vision_transformer(const ImageBatch& batch);
}  // namespace torch_side

}  // namespace versus
