#include "tutorials/15_graphs_trees_grids/asked_region.hpp"

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "tutorials/lesson/core_transformer.hpp"
#include "tutorials/lesson/difference.hpp"

namespace attend::chapter15 {
namespace {

constexpr Size side = 8, half = 4, digits = 10;
constexpr std::int64_t nothing = 10;

}  // namespace

RegionBatch draw_regions(Size batch, bool anywhere, Rng& rng) {
  std::vector<std::int64_t> images, answers;
  std::vector<double> where;
  const Size room = anywhere ? half : 2, margin = (half - room) / 2;
  for (Size b = 0; b < batch; ++b) {
    std::vector<std::int64_t> image(static_cast<std::size_t>(side * side), nothing);
    const Size asked = rng.below(4);
    for (Size quadrant = 0; quadrant < 4; ++quadrant) {
      const Size row = quadrant / 2 * half + margin + rng.below(room);
      const Size column = quadrant % 2 * half + margin + rng.below(room);
      const std::int64_t digit = rng.below(digits);
      image[static_cast<std::size_t>(row * side + column)] = digit;
      where.push_back(quadrant == asked);
      if (quadrant == asked) answers.push_back(digit);
    }
    images.insert(images.end(), image.begin(), image.end());
  }
  return {Tensor::from_ints(images, {batch, side, side}), Tensor::from(where, {batch, 1, 2, 2}),
          Tensor::from_ints(answers, {batch})};
}

RegionReader::RegionReader(bool with_gate, Rng& rng)
    : gate(digits, 1, 16, half, rng), gated(with_gate), hidden(digits + 4, 64, rng), output(64, digits, rng) {}

Var RegionReader::operator()(const RegionBatch& batch) const {
  const Tensor pixels = slice(one_hot(batch.image, digits + 1), 3, 0, digits);  // [B, 8, 8, digits]: 0 where nothing is
  const Var x = permute(Var(pixels), {0, 3, 1, 2});                             // [B, digits, 8, 8]
  const Var sums = sum(gated ? gate(x, batch.where).context : x, {2, 3});
  const Var question(reshape(batch.where, {batch.answer.size(), 4}));
  return output(relu(hidden(concat({sums, question}, 1))));
}

void RegionReader::parameters(const Visit& visit) {
  if (gated) visit("gate", gate);
  visit("hidden", hidden);
  visit("output", output);
}

LearnedRegions learn_regions(bool gated, Size steps, std::uint64_t seed) {
  Rng rng(seed);
  Rng weights = rng.split(), test_draws = rng.split();
  RegionReader reader(gated, weights);
  lesson::train(reader, {steps, 64, 5e-3, 0}, rng, [](const RegionReader& model, Rng& draws) {
    const RegionBatch batch = draw_regions(64, false, draws);
    return cross_entropy(model(batch), batch.answer);
  });
  const auto right = [&](bool anywhere) {
    const RegionBatch test = draw_regions(1000, anywhere, test_draws);
    const Recording off(false);
    return lesson::share_equal(argmax(reader(test), -1), test.answer);
  };
  const double inner = right(false);
  return {inner, right(true)};
}

}  // namespace attend::chapter15
