#include "nn/mask.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "nn/attention/attended.hpp"
#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// A mask [Tq, Tk] as rows of 1 and 0, for instance "100 110".
std::string picture(const Mask& mask) {
  const Tensor& allowed = mask.allowed();
  std::string rows;
  for (Size i = 0; i < allowed.shape()[2]; ++i) {
    if (i > 0) rows += " ";
    for (Size j = 0; j < allowed.shape()[3]; ++j) rows += allowed.at({0, 0, i, j}) != 0 ? "1" : "0";
  }
  return rows;
}

// What Tq queries get from the values 1, 2, ..., Tk when all scores are 0: the mean of those that they may attend to.
std::vector<double> means(const Mask& mask, Size Tq, Size Tk) {
  std::vector<double> values;
  for (Size j = 1; j <= Tk; ++j) values.push_back(static_cast<double>(j));
  const Var weights = attention_weights(Var(Tensor::zeros({1, Tq, Tk}, DType::float64)), mask);
  return weighted_sum(weights, Var(numbers(values, {1, Tk, 1})), mask).value().to_vector();
}

}  // namespace

TEST_CASE("true means that the query may attend to the key") {
  CHECK(means(Mask(Tensor::from_bools({true, false, false}, {1, 3})), 1, 3) == std::vector<double>{1});
  CHECK(means(Mask(Tensor::from_bools({false, true, true}, {1, 3})), 1, 3) == std::vector<double>{2.5});
}

TEST_CASE("in a causal mask the last query is aligned with the last key") {
  CHECK(picture(causal_mask(3, 3)) == "100 110 111");
  CHECK(picture(causal_mask(2, 4)) == "1110 1111");
  CHECK(picture(causal_mask(4, 2)) == "00 00 10 11");
  CHECK(picture(causal_mask(1, 4)) == "1111");
  CHECK(means(causal_mask(1, 4), 1, 4) == std::vector<double>{2.5});
}

TEST_CASE("the last query of a whole causal pass sees what a single query sees after it") {
  CHECK(means(causal_mask(4, 4), 4, 4).back() == means(causal_mask(1, 4), 1, 4).back());
}

TEST_CASE("a band reaches back and ahead as far as it says, and does not wrap round") {
  CHECK(picture(band_mask(4, 4, 1, 0)) == "1000 1100 0110 0011");
  CHECK(picture(band_mask(4, 4, 1, 2)) == "1110 1111 0111 0011");
  CHECK(picture(band_mask(4, 4, 0, 0)) == "1000 0100 0010 0001");
  CHECK(picture(band_mask(2, 4, 1, 0)) == "0110 0011");
  CHECK(means(band_mask(4, 4, 1, 0), 4, 4) == std::vector<double>{1, 1.5, 2.5, 3.5});
}

TEST_CASE("a padding mask hides the keys past each length, from every query") {
  const Mask mask = padding_mask({2, 0, 3}, 3);
  CHECK(mask.allowed().shape() == Shape{3, 1, 1, 3});
  CHECK(mask.allowed().to_vector() == std::vector<double>{1, 1, 0, 0, 0, 0, 1, 1, 1});
}

TEST_CASE("masks combine with &: a key must be allowed by both") {
  CHECK(picture(causal_mask(4, 4) & band_mask(4, 4, 1, 1)) == "1000 1100 0110 0011");
  CHECK(means(causal_mask(4, 4) & band_mask(4, 4, 1, 3), 4, 4) == std::vector<double>{1, 1.5, 2.5, 3.5});
  const Mask both = causal_mask(2, 3) & padding_mask({3, 1}, 3);
  CHECK(both.allowed().shape() == Shape{2, 1, 2, 3});
  CHECK(both.allowed().to_vector() == std::vector<double>{1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 0, 0});
}

TEST_CASE("a key that two masks hide is hidden as if one did") {
  const Mask padding = padding_mask({2}, 3);
  CHECK(means(padding & padding, 2, 3) == means(padding, 2, 3));
  CHECK(means(causal_mask(3, 3) & padding & causal_mask(3, 3), 3, 3) == std::vector<double>{1, 1.5, 1.5});
}

TEST_CASE("causality is kept apart from what else a mask hides, and means the same as one stored tensor") {
  const Mask padding = padding_mask({3, 1}, 3), band = band_mask(2, 3, 1, 0);
  for (const Mask& rest : {Mask(), padding, band, padding & band}) {
    for (const Mask& mask : {causal_mask(2, 3) & rest, rest & causal_mask(2, 3), causal_mask(2, 3) & rest & rest}) {
      CHECK(mask.causal(2, 3));
      CHECK_FALSE(mask.causal(3, 3));
      CHECK_FALSE(mask.allows_all());
      CHECK(mask.without_causality().allows_all() == rest.allows_all());
      if (!rest.allows_all()) CHECK(same_bits(mask.without_causality().allowed(), rest.allowed()));
      const Mask stored(mask.allowed());
      CHECK_FALSE(stored.causal(2, 3));
      CHECK(mask.visible_keys().to_vector() == stored.visible_keys().to_vector());
    }
  }
  CHECK_FALSE(padding.causal(2, 3));
  CHECK((causal_mask(3, 1) & Mask(Tensor::ones({3, 4}, DType::boolean))).visible_keys().shape() == Shape{1, 4});
  CHECK((causal_mask(0, 3)).visible_keys().to_vector() == std::vector<double>{0, 0, 0});
}

TEST_CASE("of two causal masks of other sizes each holds for its own axes") {
  const Mask both = causal_mask(1, 3) & causal_mask(2, 3);
  CHECK(picture(both) == "110 111");
  CHECK_FALSE(both.causal(1, 3));
  CHECK(picture(causal_mask(3, 1) & causal_mask(3, 3)) == "000 000 111");
}

TEST_CASE("the mask that allows all is neutral, and fits everything") {
  CHECK(Mask().allows_all());
  CHECK((Mask() & Mask()).allows_all());
  CHECK(picture(Mask() & causal_mask(2, 2)) == "10 11");
  CHECK(picture(causal_mask(2, 2) & Mask()) == "10 11");
  CHECK(Mask().for_scores({2, 3, 4}).to_vector() == std::vector<double>{1});
  CHECK(means(Mask(), 2, 3) == std::vector<double>{2, 2});
}

TEST_CASE("the axes of a mask are [Tq, Tk], [B, Tq, Tk] or [B, H, Tq, Tk]") {
  CHECK(Mask(Tensor::ones({2, 3}, DType::boolean)).allowed().shape() == Shape{1, 1, 2, 3});
  CHECK(Mask(Tensor::ones({5, 2, 3}, DType::boolean)).allowed().shape() == Shape{5, 1, 2, 3});
  CHECK(Mask(Tensor::ones({5, 4, 2, 3}, DType::boolean)).allowed().shape() == Shape{5, 4, 2, 3});
  for (const Shape& shape : {Shape{3}, Shape{}, Shape{1, 5, 4, 2, 3}}) {
    check_throws_with([&] { Mask(Tensor::ones(shape, DType::boolean)); }, {"mask: ", text(shape)});
  }
  check_throws_with([] { Mask(Tensor::ones({2, 3})); }, {"mask: ", "float32", "[2, 3]"});  // 0 and -inf, or 1 and 0?
}

TEST_CASE("a mask takes the axes of the scores, with one head or several") {
  const Mask mask = causal_mask(2, 3) & padding_mask({3, 1, 2, 0}, 3);
  CHECK(mask.for_scores({4, 2, 3}).shape() == Shape{4, 2, 3});
  CHECK(mask.for_scores({4, 5, 2, 3}).shape() == Shape{4, 1, 2, 3});
}

TEST_CASE("a mask that does not fit the scores is refused, with both shapes") {
  const Mask mask(Tensor::ones({4, 5, 2, 3}, DType::boolean));
  for (const Shape& scores : {Shape{4, 5, 2, 4}, Shape{4, 5, 1, 3}, Shape{4, 1, 2, 3}, Shape{1, 5, 2, 3},
                              Shape{4, 2, 3}, Shape{2, 3}, Shape{1, 4, 5, 2, 3}}) {
    check_throws_with([&] { mask.for_scores(scores); }, {"mask: ", "[4, 5, 2, 3]", text(scores)});
  }
  check_throws_with([] { causal_mask(2, 3) & causal_mask(2, 4); }, {"", "2, 3]", "2, 4]"});
  check_throws_with([] { causal_mask(2, 3) & padding_mask({2}, 4); }, {"mask", "2, 3]", "1, 4]"});
}

TEST_CASE("lengths that are none are refused") {
  check_throws_with([] { padding_mask({2, 4}, 3); }, {"padding_mask: ", "4", "3"});
  check_throws_with([] { padding_mask({-1}, 3); }, {"padding_mask: ", "-1", "3"});
  check_throws_with([] { causal_mask(-1, 3); }, {"causal_mask: ", "-1 queries", "3 keys"});
}

TEST_CASE("a key is visible when some query of some head may attend to it") {
  CHECK(causal_mask(2, 3).visible_keys().to_vector() == std::vector<double>{1, 1, 1});
  CHECK(band_mask(1, 3, 1, 0).visible_keys().to_vector() == std::vector<double>{0, 1, 1});
  CHECK(padding_mask({1, 3}, 3).visible_keys().to_vector() == std::vector<double>{1, 0, 0, 1, 1, 1});
  const Mask heads(Tensor::from_bools({true, false, false, false, false, true}, {1, 2, 1, 3}));
  CHECK(heads.visible_keys().to_vector() == std::vector<double>{1, 0, 1});
  CHECK(heads.visible_keys().shape() == Shape{1, 3});
}

TEST_CASE("negative sizes and sides of a mask are refused with the numbers") {
  check_throws_with([] { causal_mask(3, -1); }, {"causal_mask: ", "3 queries", "-1 keys"});
  check_throws_with([] { band_mask(-1, 3, 1, 1); }, {"band_mask: ", "-1 queries", "3 keys"});
  check_throws_with([] { band_mask(3, 3, -1, 1); }, {"band_mask: ", "-1 before", "1 after"});
  check_throws_with([] { band_mask(3, 3, 1, -2); }, {"band_mask: ", "1 before", "-2 after"});
  check_throws_with([] { padding_mask({}, -1); }, {"padding_mask: ", "-1 keys"});
}

TEST_CASE("a band as wide as numbers go has no end") {
  const Size all = std::numeric_limits<Size>::max();
  CHECK(picture(band_mask(3, 3, all, 0)) == picture(causal_mask(3, 3)));
  CHECK(picture(band_mask(3, 3, all, all)) == "111 111 111");
}

TEST_CASE("a key mask says whether a mask is causal and which keys are there, and refuses one of pairs") {
  CHECK_FALSE(key_mask("op", Mask(), 3, 3).causal);
  CHECK_FALSE(key_mask("op", Mask(), 3, 3).keys.defined());
  const KeyMask both = key_mask("op", causal_mask(3, 3) & padding_mask({1, 3}, 3), 3, 3);
  CHECK(both.causal);
  CHECK(both.keys.shape() == Shape{2, 3});
  CHECK(both.keys.to_vector() == std::vector<double>{1, 0, 0, 1, 1, 1});
  CHECK(key_mask("op", Mask(Tensor::ones({2, 1, 1, 1}, DType::boolean)), 3, 3).keys.shape() == Shape{2, 3});

  check_throws_with([] { key_mask("op", band_mask(3, 3, 1, 1), 3, 3); }, {"op: mask [1, 1, 3, 3]", "padding_mask"});
  check_throws_with([] { key_mask("op", causal_mask(2, 3), 3, 3); }, {"op: causal mask [2, 3]", "3 queries"});
  check_throws_with([] { key_mask("op", padding_mask({1}, 2), 3, 3); }, {"op: mask [1, 1, 1, 2]", "3 keys"});
  const Mask heads(Tensor::ones({1, 2, 1, 3}, DType::boolean));
  check_throws_with([&] { key_mask("op", heads, 3, 3); }, {"op: mask [1, 2, 1, 3]", "pairs"});
}
