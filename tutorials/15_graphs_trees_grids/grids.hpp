#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "nn/attention/grid.hpp"
#include "tutorials/lesson/core_transformer.hpp"

/// Attention between the pixels of an image of 8 × 8: who sees whom, what it costs, what is learned.

namespace attend::chapter15 {

constexpr Size side = 8, pixels = side * side;

/// A way for pixels to attend, layer by layer.
struct PixelCore {
  std::string name;
  AttentionCore (*of_layer)(Size layer);
};
/// Softmax over all; axial, rows and then columns; MaxViT, windows of 4 × 4 and then grids of 4 × 4; windows alone.
std::vector<PixelCore> pixel_cores();

/// The weights that pixel (row, column) gives to all after the first `layers` layers, each [side, side], when all
/// scores are equal.
Tensor seen_from(const PixelCore& core, Size layers, Size row, Size column);

/// "Row or column": some pixels are lamps, one in twenty-one; each pixel answers whether another one stands in its row
/// or its column. The answer is yes for half of them.
lesson::SequenceTask lamps_task();
/// What windows of 4 × 4 can know of it at best: a lamp within the window is seen, and that there is none outside is
/// guessed.
double best_of_windows();
/// "Mirror": 10 symbols; pixel (r, c) answers with the symbol of pixel (c, r).
lesson::SequenceTask mirror_task();

/// A transformer of two layers over pixels, which knows rows and columns apart: a learned vector for each row and for
/// each column is added. ids int64 [B, pixels] -> scores [B, pixels, symbols].
struct PixelReader {
  lesson::CoreTransformer transformer;
  Embedding rows, columns;

  PixelReader(const lesson::SequenceTask& task, const PixelCore& core, Rng& rng);
  Var operator()(const Tensor& ids) const;
  void parameters(const Visit& visit);
};

/// The share of right answers on new images.
double learn(const PixelCore& core, const lesson::SequenceTask& task, std::uint64_t seed,
             const lesson::TrainingPlan& plan);

}  // namespace attend::chapter15
