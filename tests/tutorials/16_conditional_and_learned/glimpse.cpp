// The hidden digits of chapter 16, and those who look for them.
#include "tutorials/16_conditional_and_learned/glimpse.hpp"

#include <doctest/doctest.h>

#include "tensor/difference.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::chapter16;
using namespace attend::test;

namespace {

HiddenDigits some(Size count = 20, Size grid = 2) {
  Rng rng(3);
  return draw_hidden(lesson::digits8x8(), count, grid, rng);
}

}  // namespace

TEST_CASE("the glimpses are the places of the picture, and the glance its means over 4 x 4 pixels") {
  for (const Size grid : {1, 2, 3}) {
    const HiddenDigits pictures = some(4, grid);
    CHECK(pictures.canvas.shape() == Shape{4, 8 * grid, 8 * grid});
    for (Size place = 0; place < grid * grid; ++place) {
      const Tensor there = slice(slice(pictures.canvas, 1, 8 * (place / grid), 8), 2, 8 * (place % grid), 8);
      CHECK(largest_difference(reshape(there, {4, 64}), reshape(slice(pictures.glimpses, 2, place, 1), {4, 64})) == 0);
    }
    double sum_of_block = 0;
    for (Size y = 0; y < 4; ++y) {
      for (Size x = 4; x < 8; ++x) sum_of_block += pictures.canvas.at({1, y, x});
    }
    check_close(pictures.glance.at({1, 1}), sum_of_block / 16, 1e-6);
  }
}

TEST_CASE("the digit stands whole at its place, and scraps have at most two times 16 pixels of ink") {
  const lesson::Images digits = lesson::digits8x8();
  const HiddenDigits pictures = some(20);
  for (Size b = 0; b < 20; ++b) {
    for (Size place = 0; place < 4; ++place) {
      const Tensor cell = reshape(slice(slice(pictures.glimpses, 0, b, 1), 2, place, 1), {1, 1, 8, 8});
      const Tensor apart = kernel::max(kernel::abs(kernel::sub(digits.pixels, cell)), {1, 2, 3}, false);
      const Size found = kernel::argmax(kernel::affine(apart, -1, 0), 0, false).to_ints()[0];
      if (place == pictures.place.at({b})) {
        CHECK(apart.at({found}) == 0);
        CHECK(digits.labels.at({found}) == pictures.labels.at({b}));
      } else {
        const Tensor inked = kernel::cast(kernel::greater(cell, Tensor::zeros({})), DType::float64);
        CHECK(kernel::sum(inked, {0, 1, 2, 3}, false).item() <= 32);
      }
    }
  }
}

TEST_CASE("no pictures and no places are refused") {
  Rng rng(1);
  const auto text = "draw_hidden: 0 pictures of 2 x 2 places";
  CHECK_THROWS_WITH_AS(draw_hidden(lesson::digits8x8(), 0, 2, rng), text, std::invalid_argument);
  CHECK_THROWS_AS(draw_hidden(lesson::digits8x8(), 1, 0, rng), std::invalid_argument);
}

TEST_CASE("the divisions of the digits have no image in common") {
  Rng rng(1);
  const DigitSplit split = split_for_glimpses(lesson::digits8x8(), rng);
  CHECK(split.training.size() == 1000);
  CHECK(split.validation.size() == 297);
  CHECK(split.test.size() == 500);
}

TEST_CASE("a sharp soft look and a hard one name the same; a blank glance knows no place") {
  Rng rng(5);
  Looker hard(Look::hard, 2, rng);
  rebind(hard.policy.keys, [](const Var& k, std::size_t) { return kernel::affine(k.value(), 1e5, 0); });
  Looker soft = hard;
  soft.look = Look::soft;
  const HiddenDigits pictures = some(50);
  Rng a(1), b(1);
  const Looked by_hard = look_at(hard, pictures, a), by_soft = look_at(soft, pictures, b);
  check_close(by_hard.on_digit, by_soft.on_digit, 0.03);
  check_close(by_hard.right, by_soft.right, 0.05);

  const Tensor blank = hard.policy.scores(without_glance(pictures).glance).value();
  CHECK(largest_difference(blank, kernel::sub(blank, blank)) < 1e3);
  check_agree(slice(blank, 0, 0, 1), slice(blank, 0, 1, 1), 0);
}

TEST_CASE("a reward of 1 is that of a place where the digit is named rightly") {
  Rng rng(5);
  const Looker looker(Look::random, 2, rng);
  const HiddenDigits pictures = some(30);
  const Tensor rewards = all_rewards(looker, pictures);
  for (Size b = 0; b < 30; ++b) {
    for (Size place = 0; place < 4; ++place) {
      const Tensor glimpse = reshape(slice(slice(pictures.glimpses, 0, b, 1), 2, place, 1), {1, 64});
      const bool right = argmax(looker.classify(glimpse), 1).to_ints()[0] == pictures.labels.at({b});
      CHECK(rewards.at({b, place}) == (right ? 1 : 0));
    }
  }
}

TEST_CASE("a few hundred steps find the digit, the wrong sign flees it, and the same seed gives the same weights") {
  const lesson::Images digits = lesson::digits8x8();
  const auto learned = [&](double sign) {
    LookPlan plan;
    plan.steps = 200;
    plan.sign = sign;
    return learn_to_look(Look::hard, plan, digits, 3, [](Size, double, const Looker&) {});
  };
  const Looker looker = learned(1);
  Rng rng(1);
  CHECK(look_at(looker, some(200), rng).on_digit > 0.5);
  CHECK(look_at(learned(-1), some(200), rng).on_digit < 0.25);
  CHECK(same_bits(parameters(looker), parameters(learned(1))));
}

TEST_CASE("who looks at random does not learn where") {
  LookPlan plan;
  plan.steps = 3;
  const Looker before = untrained_looker(Look::random, plan, 3);
  const Looker after = learn_to_look(Look::random, plan, lesson::digits8x8(), 3, [](Size, double, const Looker&) {});
  CHECK(same_bits(before.policy.keys.table, after.policy.keys.table));
}
