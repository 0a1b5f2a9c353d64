// Episodes of chapter 16, and what answers them.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tensor/difference.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tutorials/16_conditional_and_learned/few_shot_learning.hpp"

using namespace attend;
using namespace attend::chapter16;
using namespace attend::test;

namespace {

// Ten digits, each in three images that are full of one number: the digit and a little of the image's own.
lesson::Images flat_digits() {
  std::vector<double> pixels;
  std::vector<std::int64_t> labels;
  for (Size image = 0; image < 30; ++image) {
    pixels.insert(pixels.end(), side * side, static_cast<double>(image % 10) + 0.01 * static_cast<double>(image));
    labels.push_back(image % 10);
  }
  return {Tensor::from(pixels, {30, 1, side, side}), Tensor::from_ints(labels, {30})};
}

Size digit_of(double pixel) { return static_cast<Size>(pixel); }

Episodes some(Labels labels = Labels::shuffled) {
  Rng rng(4);
  return draw_episodes(classes_of(flat_digits(), 0, 4, false), 40, 6, labels, rng);
}

}  // namespace

TEST_CASE("classes hold the images of their digit, and each turn is a class of its own") {
  const Classes plain = classes_of(flat_digits(), 5, 9, false), turned = classes_of(flat_digits(), 5, 9, true);
  CHECK(plain.size() == 5);
  CHECK(turned.size() == 20);
  for (Size c = 0; c < turned.size(); ++c) {
    const auto i = static_cast<std::size_t>(c);
    CHECK(turned.members[i].size() == 3);
    CHECK(turned.digit[i] == 5 + c % 5);
    for (const std::int64_t id : turned.members[i]) CHECK(digit_of(turned.pixels.at({id, 0, 0, 0})) == turned.digit[i]);
  }
}

TEST_CASE("four turns of a quarter turn a pixel around the image") {
  std::vector<double> pixels(2 * side * side, 0);
  pixels[1] = 1;  // row 0, column 1 of the first image
  const lesson::Images two = {Tensor::from(pixels, {2, 1, side, side}), Tensor::from_ints({0, 0}, {2})};
  const Classes turned = classes_of(two, 0, 0, true);
  const std::vector<std::vector<Size>> places = {{0, 1}, {1, 7}, {7, 6}, {6, 0}};
  for (std::size_t turn = 0; turn < 4; ++turn) {
    CHECK(turned.pixels.at({2 * static_cast<Size>(turn), 0, places[turn][0], places[turn][1]}) == 1);
  }
}

TEST_CASE("an episode shows five classes under the labels 0 to 4, and asks for other images of them") {
  const Episodes episodes = some();
  bool moved = false;
  for (Size b = 0; b < episodes.size(); ++b) {
    std::vector<double> of_label(5);
    std::set<Size> digits;
    for (Size j = 0; j < ways; ++j) {
      const double pixel = episodes.support.at({b, j, 0, 0, 0});
      of_label[static_cast<std::size_t>(episodes.labels.at({b, j}))] = pixel;
      digits.insert(digit_of(pixel));
      moved = moved || digit_of(pixel) != static_cast<Size>(episodes.labels.at({b, j}));
    }
    CHECK(digits.size() == 5);
    for (Size i = 0; i < 6; ++i) {
      const double asked = episodes.queries.at({b, i, 0, 0, 0});
      const double shown = of_label[static_cast<std::size_t>(episodes.answers.at({b, i}))];
      CHECK(digit_of(asked) == digit_of(shown));
      CHECK(asked != shown);
    }
  }
  CHECK(moved);
}

TEST_CASE("with fixed labels a digit has the same label in all episodes, also when it is turned") {
  Rng rng(4);
  const Episodes fixed = draw_episodes(classes_of(flat_digits(), 0, 4, true), 40, 6, Labels::fixed, rng);
  for (Size b = 0; b < fixed.size(); ++b) {
    for (Size j = 0; j < ways; ++j) CHECK(digit_of(fixed.support.at({b, j, 0, 0, 0})) == fixed.labels.at({b, j}));
  }
}

TEST_CASE("too few classes and too few images are refused") {
  Rng rng(1);
  const Classes four = classes_of(flat_digits(), 0, 3, false);
  CHECK_THROWS_WITH_AS(draw_episodes(four, 1, 1, Labels::shuffled, rng),
                       "draw_episodes: 4 classes; an episode has five", std::invalid_argument);
  CHECK_THROWS_WITH_AS(classes_of(flat_digits().select({0, 1, 2}), 0, 1, false),
                       "classes_of: fewer than two images of the digit 0", std::invalid_argument);
}

TEST_CASE("the nearest by pixels finds what is flat and as dark; the cosine of flat images tells nothing apart") {
  const Episodes episodes = some();
  CHECK(lesson::share_equal(nearest(episodes, Nearness::euclidean), episodes.answers) == 1);
  CHECK(lesson::share_equal(nearest(episodes, Nearness::cosine), episodes.answers) < 0.5);
}

TEST_CASE("the order of the examples does not matter to a matching network, and does to SNAIL") {
  Rng rng(7);
  const MatchingNetwork matching(rng);
  const Snail snail(rng);
  const Episodes episodes = some(), other = reordered(episodes, {4, 3, 2, 1, 0});
  check_agree(matching(episodes), matching(other), 1e-5);
  CHECK(largest_difference(snail(episodes).value(), snail(other).value()) > 1e-3);
}

TEST_CASE("both give probabilities, and the answer to one query does not depend on the others") {
  Rng rng(7);
  const MatchingNetwork matching(rng);
  const Snail snail(rng);
  const Episodes episodes = some();
  Episodes first = episodes;
  first.queries = slice(episodes.queries, 1, 0, 1);
  first.answers = slice(episodes.answers, 1, 0, 1);
  for (const auto& model : std::vector<std::function<Var(const Episodes&)>>{matching, snail}) {
    const Var p = model(episodes);
    check_agree(sum(p, {2}), Tensor::ones({40, 6}), 1e-5);
    check_agree(slice(p, 1, 0, 1), model(first), 1e-5);
  }
}

TEST_CASE("training lowers the loss, and the same seed gives the same weights") {
  const Classes classes = classes_of(flat_digits(), 0, 4, false);
  std::vector<double> losses;
  const auto learn = [&] {
    return learn_to_compare<MatchingNetwork>(classes, {20, Labels::shuffled, 4, 3}, 5,
                                             [&](Size, double loss) { losses.push_back(loss); });
  };
  const Vars a = parameters(learn()), b = parameters(learn());
  CHECK(losses[19] < losses[0]);
  CHECK(same_bits(a, b));
}

TEST_CASE("what is tested was not trained on") {
  Rng rng(1);
  const FewShotData data = few_shot_data(true, rng);
  CHECK(data.training.size() == 20);
  CHECK(*std::max_element(data.training.digit.begin(), data.training.digit.end()) == 4);
  CHECK(data.known.digit == std::vector<Size>{0, 1, 2, 3, 4});
  CHECK(data.unknown.digit == std::vector<Size>{5, 6, 7, 8, 9});
}
