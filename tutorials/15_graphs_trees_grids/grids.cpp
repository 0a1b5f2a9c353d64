#include "tutorials/15_graphs_trees_grids/grids.hpp"

#include <cmath>

#include "nn/loss.hpp"

namespace attend::chapter15 {
namespace {

using Kind = Partition::Kind;
using Order = AxialAttention::Order;
using Symbols = std::vector<std::int64_t>;

constexpr Size part = 4;            // the sides of a window, and of a grid
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

bool in_line(Size i, Size j) { return i != j && (i / side == j / side || i % side == j % side); }

// Windows as they are not: runs of pixels, that is two rows each.
struct Reshaped {
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask&) const {
    const auto cut = [](const Var& x) {
      const Shape& shape = x.shape();
      return reshape(x, {shape[0], shape[1] * pixels / (part * part), part * part, shape[3]});
    };
    return {reshape(scaled_dot_attention(cut(q), cut(k), cut(v)).context, v.shape()), Var()};
  }
  void parameters(const Visit&) {}
};

// Whether for pixel i there is another one in its row or column that `wanted(its symbol, the other's)`.
template <class Wanted>
Symbols found_in_line(const Symbols& image, Wanted wanted) {
  Symbols answers(image.size(), 0);
  for (Size i = 0; i < pixels; ++i) {
    for (Size j = 0; j < pixels; ++j) {
      const std::size_t own = static_cast<std::size_t>(i), other = static_cast<std::size_t>(j);
      if (in_line(i, j) && wanted(image[own], image[other])) answers[own] = 1;
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

std::vector<PixelCore> pixel_cores(GridBreak broken) {
  std::vector<PixelCore> cores = {
      {"softmax", [](Size) { return AttentionCore(SoftmaxAttention()); }},
      {"axial",
       [](Size layer) {
         return AttentionCore(AxialAttention(side, side, layer % 2 == 0 ? Order::rows : Order::columns));
       }},
      {"axial, sum", [](Size) { return AttentionCore(AxialAttention(side, side, Order::sum)); }},
      {"MaxViT", [](Size layer) { return partitioned(layer % 2 == 0 ? Kind::window : Kind::grid); }},
      {"windows", [](Size) { return partitioned(Kind::window); }}};
  if (broken == GridBreak::one_axis) {
    cores[1].of_layer = [](Size) { return AttentionCore(AxialAttention(side, side, Order::rows)); };
  }
  if (broken == GridBreak::reshaped) {
    cores[3].of_layer = [](Size layer) { return layer % 2 == 0 ? AttentionCore(Reshaped{}) : partitioned(Kind::grid); };
    cores[4].of_layer = [](Size) { return AttentionCore(Reshaped{}); };
  }
  return cores;
}

const PixelCore& pixel_core(const std::vector<PixelCore>& cores, const std::string& name) {
  for (const PixelCore& one : cores) {
    if (one.name == name) return one;
  }
  throw std::invalid_argument("chapter 15: no attention between pixels is called '" + name + "'");
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
  const auto lamp = [](std::int64_t, std::int64_t other) { return other == 1; };
  return image_task(
      "row or column", 2, [](Rng& rng) { return std::int64_t{rng.uniform() < lamps}; },
      [lamp](const Symbols& image) { return found_in_line(image, lamp); });
}

lesson::SequenceTask twin_task() {
  const auto twin = [](std::int64_t own, std::int64_t other) { return own == other; };
  return image_task(
      "twin", 20, [](Rng& rng) { return rng.below(20); },
      [twin](const Symbols& image) { return found_in_line(image, twin); });
}

double best_of_windows() {
  const double none_near = std::pow(1 - lamps, 2 * (part - 1)), none_far = std::pow(1 - lamps, 2 * (side - part));
  return 1 - none_near + none_near * none_far;
}

lesson::SequenceTask mirror_task() {
  return image_task(
      "mirror", 10, [](Rng& rng) { return rng.below(10); }, mirrored);
}

std::vector<GridTask> grid_tasks() {
  return {{lamps_task(), {600, 16, 3e-3, 512}, {"softmax", "axial", "MaxViT", "windows"}},
          {twin_task(), {400, 16, 3e-3, 256}, {"softmax", "axial", "axial, sum", "MaxViT"}},
          {mirror_task(), {400, 16, 3e-3, 256}, {"softmax", "axial", "MaxViT"}}};
}

PixelReader::PixelReader(const lesson::SequenceTask& task, const PixelCore& core, Rng& rng)
    : transformer(task, [&core, layer = Size{0}](Rng&) mutable { return core.of_layer(layer++); }, rng, {64, 4, 2}),
      rows(side, 64, rng),
      columns(side, 64, rng) {}

Var PixelReader::operator()(const Tensor& ids) const {
  // Of row and column together about half the length of a symbol: it must not drown.
  const double scale = 0.35 * std::sqrt(static_cast<double>(rows.table.shape()[1]));
  const Tensor numbers = Tensor::arange(side);
  const Var positions = unsqueeze(rows(numbers), 1) + unsqueeze(columns(numbers), 0);  // [side, side, size]
  return transformer.through_layers(transformer.embedded(ids) + scale * reshape(positions, {1, pixels, -1}), {});
}

void PixelReader::parameters(const Visit& visit) {
  visit("transformer", transformer);
  visit("rows", rows);
  visit("columns", columns);
}

double learn(const PixelCore& core, const GridTask& of, std::uint64_t seed) {
  Rng rng(seed);
  Rng weights = rng.split(), test_draws = rng.split();
  PixelReader reader(of.task, core, weights);
  lesson::train(reader, of.plan, rng, [&](const PixelReader& model, Rng& draws) {
    const lesson::SequenceBatch batch = of.task.draw(of.plan.batch, draws);
    return cross_entropy(model(batch.input), batch.answer);
  });
  const lesson::SequenceBatch test = of.task.draw(of.plan.test_sequences, test_draws);
  const Recording off(false);
  return lesson::accuracy(reader(test.input).value(), test.answer);
}

}  // namespace attend::chapter15
