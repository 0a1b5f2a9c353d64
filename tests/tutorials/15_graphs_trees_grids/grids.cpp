// Attention between pixels in chapter 15, its tasks, and the gate.
#include "tutorials/15_graphs_trees_grids/grids.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tensor/difference.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tutorials/15_graphs_trees_grids/asked_region.hpp"

using namespace attend;
using namespace attend::chapter15;
using namespace attend::test;

namespace {

// Whether pixel (r, c) is seen from (2, 5), for all of them.
template <class Sees>
bool sees_just(const Tensor& weights, Sees sees) {
  for (Size r = 0; r < side; ++r) {
    for (Size c = 0; c < side; ++c) {
      if ((weights.at({r, c}) > 0) != sees(r, c)) return false;
    }
  }
  return true;
}

Tensor seen(const char* name, Size layers, GridBreak broken = GridBreak::none) {
  const std::vector<PixelCore> cores = pixel_cores(broken);
  return seen_from(pixel_core(cores, name), layers, 2, 5);
}

}  // namespace

TEST_CASE("a pixel sees its row, its cross, its window; two layers of axial attention or of MaxViT see all") {
  const auto all = [](Size, Size) { return true; };
  const auto window = [](Size r, Size c) { return r < 4 && c >= 4; };
  CHECK(sees_just(seen("softmax", 1), all));
  CHECK(sees_just(seen("axial", 1), [](Size r, Size) { return r == 2; }));
  CHECK(sees_just(seen("axial", 2), all));
  CHECK(sees_just(seen("axial, sum", 1), [](Size r, Size c) { return r == 2 || c == 5; }));
  CHECK(sees_just(seen("MaxViT", 1), window));
  CHECK(sees_just(seen("MaxViT", 2), all));
  CHECK(sees_just(seen("windows", 2), window));
  check_throws_with([] { pixel_core(pixel_cores(), "none"); },
                    {"chapter 15: ", "no attention between pixels", "'none'"});
}

TEST_CASE("broken, a window is two rows, and axial attention never leaves its row") {
  CHECK(sees_just(seen("windows", 1, GridBreak::reshaped), [](Size r, Size) { return r == 2 || r == 3; }));
  CHECK(sees_just(seen("axial", 2, GridBreak::one_axis), [](Size r, Size) { return r == 2; }));
}

TEST_CASE("the answers of the tasks are those of their definitions") {
  Rng rng(1);
  const lesson::SequenceBatch lamps = lamps_task().draw(20, rng), twins = twin_task().draw(20, rng),
                              mirror = mirror_task().draw(20, rng);
  for (Size b = 0; b < 20; ++b) {
    for (Size i = 0; i < pixels; ++i) {
      bool lamp = false, twin = false;
      for (Size other = 0; other < side; ++other) {
        for (const Size j : {i / side * side + other, other * side + i % side}) {
          lamp = lamp || (j != i && lamps.input.at({b, j}) == 1);
          twin = twin || (j != i && twins.input.at({b, j}) == twins.input.at({b, i}));
        }
      }
      CHECK(lamps.answer.at({b, i}) == lamp);
      CHECK(twins.answer.at({b, i}) == twin);
      CHECK(mirror.answer.at({b, i}) == mirror.input.at({b, i % side * side + i / side}));
    }
  }
  double lit = 0;
  for (const std::int64_t answer : lamps_task().draw(300, rng).answer.to_ints()) lit += static_cast<double>(answer);
  CHECK(std::abs(lit / (300 * pixels) - 0.5) < 0.05);
}

TEST_CASE("what windows can know at best: six of the fourteen others") {
  const double free = 20.0 / 21;
  check_close(best_of_windows(), 1 - std::pow(free, 6) * (1 - std::pow(free, 8)), 0, 1e-12);
}

TEST_CASE("a reader of pixels tells rows and columns apart, and the same seed learns the same") {
  Rng rng(2);
  const std::vector<PixelCore> cores = pixel_cores();
  const PixelReader reader(mirror_task(), pixel_core(cores, "axial"), rng);
  std::vector<std::int64_t> image(static_cast<std::size_t>(pixels), 0);
  const Tensor scores = reader(Tensor::from_ints(image, {1, pixels})).value();
  CHECK(scores.shape() == Shape{1, pixels, 10});
  const auto at = [&](Size i) { return select(Var(scores), 1, i).value(); };
  CHECK(largest_difference(at(1), at(8)) > 1e-3);
  GridTask task = grid_tasks()[0];
  task.plan = {3, 4, 1e-3, 8};
  CHECK(learn(pixel_core(cores, "MaxViT"), task, 3) == learn(pixel_core(cores, "MaxViT"), task, 3));
}

TEST_CASE("of four digits the one in the asked quadrant is the answer; inner pixels lie one away from each edge") {
  Rng rng(3);
  for (const bool anywhere : {false, true}) {
    const RegionBatch batch = draw_regions(50, anywhere, rng);
    for (Size b = 0; b < 50; ++b) {
      Size digits = 0;
      for (Size r = 0; r < 8; ++r) {
        for (Size c = 0; c < 8; ++c) {
          const double digit = batch.image.at({b, r, c});
          if (digit == 10) continue;
          ++digits;
          if (batch.where.at({b, 0, r / 4, c / 4}) == 1) CHECK(batch.answer.at({b}) == digit);
          if (!anywhere) CHECK((r % 4 == 1 || r % 4 == 2));
        }
      }
      CHECK(digits == 4);
    }
  }
}

TEST_CASE("with a gate the asked region is learned, without one it is not") {
  CHECK(learn_regions(true, 150, 4).inner > 0.8);
  CHECK(learn_regions(false, 150, 4).inner < 0.6);
}
