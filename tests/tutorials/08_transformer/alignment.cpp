#include "tutorials/08_transformer/alignment.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/support/compare.hpp"

using namespace attend;
using namespace attend::chapter08;
using namespace attend::test;
using namespace attend::translation;

namespace {

// The weights of one head that looks, before each German word, at the given English one and at no other.
Tensor looking_at(const std::vector<Size>& places, Size words) {
  std::vector<double> weights;
  for (const Size place : places) {
    for (Size j = 0; j < words; ++j) weights.push_back(j == place ? 1 : 0);
  }
  return Tensor::from(weights, {1, static_cast<Size>(places.size()), words}, DType::float64);
}

}  // namespace

TEST_CASE("a head that looks at each word's counterpart agrees with all, wherever it looks for und") {
  // 7342: sieben tausend drei hundert zwei und vierzig
  const std::vector<Agreements> found = agreements({looking_at({0, 1, 2, 3, 5, 0, 4}, 6)}, {7342});
  REQUIRE(found.size() == 2);  // the head, and the mean of all heads
  CHECK(found[0].all().share() == 1);
  CHECK(found[0].all().words == 6);
  CHECK(found[0].small.words == 3);
  CHECK(found[0].tens.words == 1);
  CHECK(found[0].hundred.words == 1);
  CHECK(found[0].thousand.words == 1);
  CHECK(found[0].und == 1);
  CHECK(found[0].und_at_tens + found[0].und_at_digit == 0);
  CHECK(found[0].thousand_behind == 0);
  CHECK(agreements({looking_at({0, 2, 2}, 3)}, {9007})[0].thousand_behind == 1);
  CHECK(agreements({looking_at({0, 0, 2}, 3)}, {9007})[0].thousand_behind == 0);
}

TEST_CASE("a head that looks from left to right is wrong where German turns the order") {
  // 42: zwei und vierzig
  const Agreements found = agreements({looking_at({0, 0, 1}, 2)}, {42})[0];
  CHECK(found.small.agreeing == 0);
  CHECK(found.tens.agreeing == 0);
  CHECK(found.und_at_tens == 1);
  CHECK(agreements({looking_at({1, 1, 0}, 2)}, {42})[0].und_at_digit == 1);
}

TEST_CASE("the best head is the one that agrees most, and the mean is none of them") {
  const Tensor wrong = looking_at({0, 0, 1}, 2), right = looking_at({1, 0, 0}, 2);
  const Tensor both = concat({Var(wrong), Var(right), Var(right)}, 0).value();
  const std::vector<Agreements> found = agreements({both}, {42});
  REQUIRE(found.size() == 4);
  CHECK(best_head(found) == 1);
  CHECK(found[3].all().share() == 1);
  CHECK_THROWS_AS(agreements({both}, {42, 43}), std::invalid_argument);
  CHECK_THROWS_AS(agreements({}, {}), std::invalid_argument);
}

TEST_CASE("looks are the weights of the step that is to write each word, without padding") {
  Rng rng(1);
  const Task task = number_task(split_numbers(50, 10, rng));
  const Transformer model({task.source.size(), task.target.size(), 1, 1, {8, 2, 8, 0, NormPlace::before}}, rng);
  const std::vector<Tensor> found = looks(task, model, {7342, 5});
  REQUIRE(found.size() == 2);
  CHECK(found[0].shape() == Shape{2, 7, 6});
  CHECK(found[1].shape() == Shape{2, 1, 1});
  const Pairs alone = as_pairs(task, examples_of({7342}));
  const Var weights =
      model.follow(alone.given, model.read(alone.source, alone.lengths)).weights;  // 8 steps: the end, too
  check_agree(Var(found[0]), slice(select(weights, 0, 0), 1, 0, 7), 1e-6);
}
