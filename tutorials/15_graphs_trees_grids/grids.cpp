#include "tutorials/15_graphs_trees_grids/grids.hpp"

#include <cmath>

#include "nn/loss.hpp"

namespace attend::chapter15 {
namespace {

using Kind = Partition::Kind;
using Order = AxialAttention::Order;
using Symbols = std::vector<std::int64_t>;

constexpr Size part = 4;           // the sides of a window, and of a grid
constexpr double lamps = 1.0 / 21;  // so that among the 14 others in row and column there is one in half of the cases

AttentionCore partitioned(Kind kind) { return MultiAxisAttention(Partition(kind, side, side, part, part)); }

// A task whose images are drawn pixel by pixel, and whose answers come from the whole image.
template <class DrawPixel, class Answers>
lesson::SequenceTask image_task(const std::string& name, Size symbols, DrawPixel draw_pixel, Answers answers) {
  return {name, pixels, symbols, false, [=](Size batch, Rng& rng) {
            Symbols inputs, all_answers;
            for (Size b = 0; b < batch; ++b) {
              Symbols image(static_cast<std::size_t>(pixels));
              for (std::int64_t& pixel : image) pixel = draw_pixel(rng);
              const Symbols found = answers(image);
              inputs.insert(inputs.end(), image.begin(), image.end());
              all_answers.insert(all_answers.end(), found.begin(), found.end());
            }
            return lesson::SequenceBatch{Tensor::from_ints(inputs, {batch, pixels}),
                                         Tensor::from_ints(all_answers, {batch, pixels})};
          }};
}

Symbols lit(const Symbols& image) {
  Symbols answers(image.size(), 0);
  for (Size i = 0; i < pixels; ++i) {
    for (Size j = 0; j < pixels; ++j) {
      const bool in_line = i / side == j / side || i % side == j % side;
      if (i != j && in_line && image[static_cast<std::size_t>(j)] == 1) answers[static_cast<std::size_t>(i)] = 1;
    }
  }
  return answers;
}

Symbols mirrored(const Symbols& image) {
  Symbols answers;
  for (Size i = 0; i < pixels; ++i) answers.push_back(image[static_cast<std::size_t>(i % side * side + i / side)]);
  return answers;
}

}  // namespace

std::vector<PixelCore> pixel_cores() {
  return {{"softmax", [](Size) { return AttentionCore(SoftmaxAttention()); }},
          {"axial",
           [](Size layer) {
             return AttentionCore(AxialAttention(side, side, layer % 2 == 0 ? Order::rows : Order::columns));
           }},
          {"MaxViT", [](Size layer) { return partitioned(layer % 2 == 0 ? Kind::window : Kind::grid); }},
          {"windows", [](Size) { return partitioned(Kind::window); }}};
}

Tensor seen_from(const PixelCore& core, Size layers, Size row, Size column) {
  const Var equal = Tensor::zeros({1, 1, pixels, 1}, DType::float64);
  Var seen = one_hot(Tensor::arange(pixels), pixels, DType::float64);
  for (Size layer = 0; layer < layers; ++layer) {
    seen = core.of_layer(layer)(equal, equal, reshape(seen, {1, 1, pixels, pixels})).context;
  }
  return reshape(select(reshape(seen, {pixels, pixels}), 0, row * side + column), {side, side}).value();
}

lesson::SequenceTask lamps_task() {
  return image_task(
      "row or column", 2, [](Rng& rng) { return std::int64_t{rng.uniform() < lamps}; }, lit);
}

double best_of_windows() {
  const double none_near = std::pow(1 - lamps, 2 * (part - 1)), none_far = std::pow(1 - lamps, 2 * (side - part));
  return 1 - none_near + none_near * none_far;
}

lesson::SequenceTask mirror_task() {
  return image_task(
      "mirror", 10, [](Rng& rng) { return rng.below(10); }, mirrored);
}

PixelReader::PixelReader(const lesson::SequenceTask& task, const PixelCore& core, Rng& rng)
    : transformer(
          task, [&core, layer = Size{0}](Rng&) mutable { return core.of_layer(layer++); }, rng, {64, 4, 2}),
      rows(side, 64, rng),
      columns(side, 64, rng) {}

Var PixelReader::operator()(const Tensor& ids) const {
  const double scale = std::sqrt(static_cast<double>(rows.table.shape()[1]));
  const Tensor numbers = Tensor::arange(side);
  const Var positions = unsqueeze(rows(numbers), 1) + unsqueeze(columns(numbers), 0);  // [side, side, size]
  return transformer.through_layers(transformer.embedded(ids) + scale * reshape(positions, {1, pixels, -1}), {});
}

void PixelReader::parameters(const Visit& visit) {
  visit("transformer", transformer);
  visit("rows", rows);
  visit("columns", columns);
}

double learn(const PixelCore& core, const lesson::SequenceTask& task, std::uint64_t seed,
             const lesson::TrainingPlan& plan) {
  Rng rng(seed);
  Rng weights = rng.split(), test_draws = rng.split();
  PixelReader reader(task, core, weights);
  lesson::train(reader, plan, rng, [&](const PixelReader& model, Rng& draws) {
    const lesson::SequenceBatch batch = task.draw(plan.batch, draws);
    return cross_entropy(model(batch.input), batch.answer);
  });
  const lesson::SequenceBatch test = task.draw(plan.test_sequences, test_draws);
  const Recording off(false);
  return lesson::accuracy(reader(test.input).value(), test.answer);
}

}  // namespace attend::chapter15
