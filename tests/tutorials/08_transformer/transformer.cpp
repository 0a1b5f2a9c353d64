#include "tutorials/08_transformer/transformer.hpp"

#include <doctest/doctest.h>

#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tutorials/08_transformer/writing.hpp"
#include "tutorials/lesson/difference.hpp"

using namespace attend;
using namespace attend::chapter08;
using namespace attend::test;
using attend::translation::Vocabulary;

namespace {

// Two layers in each stack, and sizes that differ.
Transformer exact_model(NormPlace norm, Flaw flaw = Flaw::none) {
  Rng rng(1);
  return cast(Transformer({9, 8, 2, 2, {6, 3, 7, 0, norm}}, rng, flaw), DType::float64);
}

const std::vector<NormPlace> places = {NormPlace::before, NormPlace::after};
const Tensor source = Tensor::from_ints({4, 5, 6, 7, 8, 8, 4, 0, 0, 0}, {2, 5});
const std::vector<Size> lengths = {5, 2};
const Tensor given = Tensor::from_ints({1, 4, 5, 6, 1, 7, 4, 4}, {2, 4});

Var scores_of(const Transformer& model, const Tensor& text) {
  return model.follow(text, model.read(source, lengths)).scores;
}

}  // namespace

TEST_CASE("a later word changes no earlier score, to the last bit, and its own") {
  const Tensor other = Tensor::from_ints({1, 4, 5, 7, 1, 7, 4, 5}, {2, 4});
  for (NormPlace norm : places) {
    const Transformer model = exact_model(norm);
    const Var scores = scores_of(model, given), changed = scores_of(model, other);
    CHECK(scores.shape() == Shape{2, 4, 8});
    CHECK(same_bits(slice(scores, 1, 0, 3), slice(changed, 1, 0, 3)));
    CHECK(!same_bits(slice(scores, 1, 3, 1), slice(changed, 1, 3, 1)));
  }
}

TEST_CASE("without the causal mask a later word does change earlier scores") {
  const Tensor other = Tensor::from_ints({1, 4, 5, 7, 1, 7, 4, 5}, {2, 4});
  const Transformer model = exact_model(NormPlace::before, Flaw::no_causal_mask);
  CHECK(!same_bits(slice(scores_of(model, given), 1, 0, 3), slice(scores_of(model, other), 1, 0, 3)));
}

TEST_CASE("a short text has the same scores alone and beside a longer one, but not where the padding is visible") {
  const Tensor alone = Tensor::from_ints({8, 4}, {1, 2});
  const Tensor text = slice(given, 0, 1, 1);
  for (NormPlace norm : places) {
    const Transformer model = exact_model(norm);
    check_agree(slice(scores_of(model, given), 0, 1, 1), model(alone, {2}, text), 1e-13);
  }
  const Transformer broken = exact_model(NormPlace::before, Flaw::visible_padding);
  CHECK(lesson::largest_difference(slice(scores_of(broken, given), 0, 1, 1).value(), broken(alone, {2}, text).value()) >
        1e-3);
}

TEST_CASE("step by step with the cache gives the scores and weights of all steps at once") {
  for (NormPlace norm : places) {
    const Transformer model = exact_model(norm);
    const Memory memory = model.read(source, lengths);
    const Seen all = model.follow(given, memory);
    Cache cache;
    for (Size t = 0; t < 4; ++t) {
      const Seen now = model.step(reshape(slice(given, 1, t, 1), {2}), memory, cache);
      CHECK(cache.length == t + 1);
      check_agree(now.scores, slice(all.scores, 1, t, 1), 1e-12);
      check_agree(now.weights, slice(all.weights, 2, t, 1), 1e-12);
    }
  }
}

TEST_CASE("a cache that puts every word at place 0 gives other scores from the second word on") {
  const Transformer model = exact_model(NormPlace::before, Flaw::cache_from_zero);
  const Memory memory = model.read(source, lengths);
  const Var all = model.follow(given, memory).scores;
  Cache cache;
  const Tensor first = reshape(slice(given, 1, 0, 1), {2}), second = reshape(slice(given, 1, 1, 1), {2});
  check_agree(model.step(first, memory, cache).scores, slice(all, 1, 0, 1), 1e-12);
  CHECK(lesson::largest_difference(model.step(second, memory, cache).scores.value(), slice(all, 1, 1, 1).value()) >
        1e-3);
}

TEST_CASE("without positions the order of the source has no part in the scores; with them it has") {
  const Tensor turned = Tensor::from_ints({8, 7, 6, 5, 4}, {1, 5}),
               straight = Tensor::from_ints({4, 5, 6, 7, 8}, {1, 5});
  const Tensor text = slice(given, 0, 0, 1);
  const Transformer model = exact_model(NormPlace::before), bag = exact_model(NormPlace::before, Flaw::no_positions);
  check_agree(bag(turned, {5}, text), bag(straight, {5}, text), 1e-12);
  CHECK(lesson::largest_difference(model(turned, {5}, text).value(), model(straight, {5}, text).value()) > 1e-3);
}

TEST_CASE("dropout changes the scores of training, and none without an Rng") {
  Rng rng(1);
  const Transformer model({9, 8, 1, 1, {6, 3, 7, 0.5, NormPlace::before}}, rng);
  const translation::Pairs pairs{source, lengths, given, given};
  Rng one(3), same(3);
  const Var dropped = training_scores(model, pairs, one);
  CHECK(same_bits(dropped, training_scores(model, pairs, same)));
  CHECK(!same_bits(dropped, model(source, lengths, given)));
  CHECK(same_bits(model(source, lengths, given), model(source, lengths, given)));
}
