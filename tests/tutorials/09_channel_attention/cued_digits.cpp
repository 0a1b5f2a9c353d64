#include "tutorials/09_channel_attention/cued_digits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::chapter09;
using namespace attend::test;

namespace {

// Ten images of 2 × 2 pixels; the one of class k is full of k / 10.
lesson::Images flat_digits() {
  std::vector<double> pixels;
  std::vector<std::int64_t> labels;
  for (int k = 0; k < 10; ++k) {
    pixels.insert(pixels.end(), 4, k / 10.0);
    labels.push_back(k);
  }
  return {Tensor::from(pixels, {10, 1, 2, 2}), Tensor::from_ints(labels, {10})};
}

std::set<std::vector<double>> images_of(const lesson::Images& digits) {
  std::set<std::vector<double>> all;
  for (Size i = 0; i < digits.size(); ++i) all.insert(slice(digits.pixels, 0, i, 1).to_vector());
  return all;
}

}  // namespace

TEST_CASE("a pair has its digits in the first two channels, and the cue in one corner of the third") {
  Rng rng(1);
  const CuedDigits pairs = draw_cued(flat_digits(), 50, rng);
  REQUIRE(pairs.pixels.shape() == Shape{50, 3, 2, 2});
  Size plus = 0;
  for (Size i = 0; i < 50; ++i) {
    const double cue = pairs.pixels.at({i, 2, 0, 0});
    CHECK((cue == 1 || cue == -1));
    CHECK(pairs.plus.at({i}) == (cue > 0 ? 1 : 0));
    for (Size p = 1; p < 4; ++p) CHECK(pairs.pixels.at({i, 2, p / 2, p % 2}) == 0);
    const Size meant = cue > 0 ? 0 : 1;
    CHECK(std::lround(10 * pairs.pixels.at({i, meant, 1, 1})) == pairs.meant.at({i}));
    CHECK(std::lround(10 * pairs.pixels.at({i, 1 - meant, 0, 1})) == pairs.other.at({i}));
    plus += cue > 0;
  }
  CHECK(plus > 10);
  CHECK(plus < 40);
}

TEST_CASE("turned, the digits stay and the other one is meant") {
  Rng rng(2);
  const CuedDigits pairs = draw_cued(flat_digits(), 20, rng), other = turned(pairs);
  check_agree(Var(slice(other.pixels, 1, 0, 2)), Var(slice(pairs.pixels, 1, 0, 2)), 0);
  check_agree(Var(slice(other.pixels, 1, 2, 1)), -1.0 * Var(slice(pairs.pixels, 1, 2, 1)), 0);
  CHECK(other.meant.to_ints() == pairs.other.to_ints());
  CHECK(other.other.to_ints() == pairs.meant.to_ints());
  for (Size i = 0; i < 20; ++i) CHECK(other.plus.at({i}) == 1 - pairs.plus.at({i}));
}

TEST_CASE("no image to report on is among those to learn from or to choose by") {
  Rng rng(3);
  const Split split = split_digits(lesson::digits8x8(), rng);
  CHECK(split.training.size() == 1000);
  CHECK(split.validation.size() == 297);
  CHECK(split.test.size() == 500);
  // The data set itself may hold an image twice; more than that would be a split that overlaps.
  const auto learned = images_of(split.training), chosen = images_of(split.validation);
  Size shared = 0;
  for (const auto& image : images_of(split.test)) shared += learned.count(image) + chosen.count(image) > 0;
  for (const auto& image : chosen) shared += learned.count(image) > 0;
  CHECK(shared <= 2);
}

TEST_CASE("the same numbers give the same task, and other numbers another") {
  Rng one(4), two(4), three(5);
  const Split split = split_digits(lesson::digits8x8(), one);
  const CuedTask a = cued_task(split, one);
  const CuedTask b = cued_task(split_digits(lesson::digits8x8(), two), two);
  const CuedTask c = cued_task(split_digits(lesson::digits8x8(), three), three);
  CHECK(same_bits(Var(a.test.pixels), Var(b.test.pixels)));
  CHECK(!same_bits(Var(a.test.pixels), Var(c.test.pixels)));
  CHECK(a.test.labels.to_ints() == a.cued_test.meant.to_ints());
  CHECK(a.draw(7, one).pixels.shape() == Shape{7, 3, 8, 8});
  CHECK(plain_task(split).draw(7, one).pixels.shape() == Shape{7, 1, 8, 8});
}
