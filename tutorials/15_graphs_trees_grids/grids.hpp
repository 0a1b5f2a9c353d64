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
/// Softmax over all; axial, rows and then columns; the sum of both in every layer; MaxViT, windows of 4 × 4 and then
/// grids of 4 × 4; windows alone. Broken, windows are cut by a reshape alone, which gives the right shapes, or axial
/// attention goes along rows in every layer.
enum class GridBreak { none, reshaped, one_axis };
std::vector<PixelCore> pixel_cores(GridBreak broken = GridBreak::none);
/// The one of that name. Throws std::invalid_argument when there is none.
const PixelCore& pixel_core(const std::vector<PixelCore>& cores, const std::string& name);

/// The weights that pixel (row, column) gives to all after the first `layers` layers, each [side, side], when all
/// scores are equal.
Tensor seen_from(const PixelCore& core, Size layers, Size row, Size column);

/// "Row or column": some pixels are lamps, one in twenty-one; each pixel answers whether another one stands in its row
/// or its column. The answer is yes for half of them.
lesson::SequenceTask lamps_task();
/// What windows of 4 × 4 can know of it at best: a lamp within the window is seen, and that there is none outside is
/// guessed.
double best_of_windows();
/// "Twin": 20 symbols; each pixel answers whether another one with its own symbol stands in its row or its column. The
/// answer is yes for half of them.
lesson::SequenceTask twin_task();
/// "Mirror": 10 symbols; pixel (r, c) answers with the symbol of pixel (c, r).
lesson::SequenceTask mirror_task();

/// A task, how it is learned, and the names of those compared on it.
struct GridTask {
  lesson::SequenceTask task;
  lesson::TrainingPlan plan;
  std::vector<std::string> names;
};
std::vector<GridTask> grid_tasks();

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
double learn(const PixelCore& core, const GridTask& task, std::uint64_t seed);

}  // namespace attend::chapter15
