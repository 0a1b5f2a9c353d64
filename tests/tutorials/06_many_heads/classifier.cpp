#include "tutorials/06_many_heads/classifier.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tutorials/06_many_heads/bag_of_words.hpp"
#include "tutorials/06_many_heads/heads.hpp"

using namespace attend;
using namespace attend::chapter06;
using namespace attend::test;

namespace {

const Sentences& some() {
  static const Sentences all = {{words_of("good good phone and case"), 1},
                                {words_of("bad phone"), 0},
                                {words_of("bad case and bad phone !"), 0},
                                {words_of("good case !"), 1}};
  return all;
}

Classifier model_with(Size heads, Padding padding = Padding::hidden) {
  ClassifierOptions options;
  options.words = Lexicon(some()).size();
  options.width = 8;
  options.heads = heads;
  options.padding = padding;
  Rng rng(3);
  return cast(Classifier(options, rng), DType::float64);
}

}  // namespace

TEST_CASE("the mean of words leaves out the padding, NaN included") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Var x = Var::parameter(numbers({1, 2, 3, 4, 5, 9, 7, 8, nan, nan, nan, nan}, {2, 3, 2}));
  const Var pooled = mean_of_words(x, {3, 1});
  check_close(pooled, {2, 2}, {3, 5, 7, 8}, 1e-15);
  check_close(grad(sum(pooled), {x})[0], {2, 3, 2}, {1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3, 1, 1, 0, 0, 0, 0},
              1e-15);
  CHECK_THROWS_AS(mean_of_words(x, {3}), std::invalid_argument);
  CHECK_THROWS_AS(mean_of_words(x, {4, 1}), std::invalid_argument);
}

TEST_CASE("a verdict does not depend on the batch, unless the padding is seen") {
  const Lexicon lexicon(some());
  for (const Size heads : {0, 1, 4}) {
    CAPTURE(heads);
    const Classifier model = model_with(heads);
    const Var together = model(batch_of(some(), lexicon)).logits;
    CHECK(together.shape() == Shape{4, 2});
    const Var alone = model(batch_of({some()[1]}, lexicon)).logits;
    check_agree(slice(together, 0, 1, 1), alone, 1e-14);

    const Classifier careless = model_with(heads, Padding::seen);
    const Var in_company = slice(careless(batch_of(some(), lexicon)).logits, 0, 1, 1);
    const Var in_private = careless(batch_of({some()[1]}, lexicon)).logits;
    CHECK(sum(abs(in_company - in_private)).item() > 1e-3);
  }
}

TEST_CASE("without positions the order of the words has no part in the verdict") {
  const Lexicon lexicon(some());
  const Classifier model = model_with(4);
  check_agree(model(batch_of({{words_of("phone bad and case"), 0}}, lexicon)).logits,
              model(batch_of({{words_of("case and phone bad"), 0}}, lexicon)).logits, 1e-14);
}

TEST_CASE("any number of heads learns as many numbers; without attention there are fewer") {
  CHECK(parameter_count(model_with(1)) == parameter_count(model_with(8)));
  CHECK(parameter_count(model_with(1)) - parameter_count(model_with(0)) == 4 * 8 * 8 + 4 * 8 + 2 * 8);
  CHECK(!model_with(0)(batch_of(some(), Lexicon(some()))).weights.defined());
}

TEST_CASE("the layer norm stands before the attention: longer vectors change nothing but what is added to them") {
  const Lexicon lexicon(some());
  Classifier model = model_with(2);
  const Batch batch = batch_of(some(), lexicon);
  const Var weights = model(batch).weights;
  model.words.table = Var::parameter((100.0 * model.words.table).value());
  check_agree(model(batch).weights, weights, 1e-3);  // the norm's epsilon is felt
  model.norm.reset();
  CHECK(sum(abs(model(batch).weights - weights)).item() > 1);
}

TEST_CASE("judged counts the right verdicts") {
  const Lexicon lexicon(some());
  Classifier model = model_with(0);
  model.verdict.weight = Var::parameter(Tensor::zeros({8, 2}, DType::float64));
  model.verdict.bias = Var::parameter(numbers({0, 1}, {2}));  // praise, whatever it reads
  const Quality quality = judged(model, {some()[0], some()[1], some()[3]}, lexicon);
  check_close(quality.right, 2.0 / 3, 1e-15);
  check_close(quality.loss, std::log(1 + std::exp(1)) - 2.0 / 3, 1e-12);
}

TEST_CASE("a head's map has the sentence on both sides and rows that sum to 1") {
  const Lexicon lexicon(some());
  const auto maps = head_maps(model_with(4), lexicon, some()[2]);
  REQUIRE(maps.size() == 4);
  CHECK(maps[1].title == "head 2");
  CHECK(maps[1].row_labels == some()[2].words);
  CHECK(maps[1].column_labels == some()[2].words);
  for (Size i = 0; i < 6; ++i) {
    double total = 0;
    for (Size j = 0; j < 6; ++j) total += maps[1].values(i, j);
    check_close(total, 1, 1e-14);
  }
}

TEST_CASE("heads with the same queries and keys are at distance 0, and heads look at between one and all words") {
  const Lexicon lexicon(some());
  Classifier model = model_with(2);
  CHECK(distance_between_heads(model, lexicon, some()) > 1e-3);
  const std::vector<double> reach = words_looked_at(model, lexicon, some());
  for (const double words : reach) {
    CHECK(words > 1);
    CHECK(words < 6);
  }
  for (Linear* projection : {&model.attention->query_projection, &model.attention->key_projection}) {
    const Var half = slice(projection->weight, 1, 0, 4);
    projection->weight = Var::parameter(concat({half, half}, 1).value());
  }
  check_close(distance_between_heads(model, lexicon, some()), 0, 1e-15);

  model.attention->query_projection.weight = Var::parameter(Tensor::zeros({8, 8}, DType::float64));
  const double evenly = std::exp((5 * std::log(5) + 2 * std::log(2) + 6 * std::log(6) + 3 * std::log(3)) / 16);
  check_close(words_looked_at_evenly(some()), evenly, 1e-12);
  for (const double words : words_looked_at(model, lexicon, some())) check_close(words, evenly, 1e-12);
  CHECK_THROWS_AS(distance_between_heads(model_with(1), lexicon, some()), std::invalid_argument);
}

TEST_CASE("a silenced head has no part in the verdict, and all silenced leave no attention but its bias") {
  const Lexicon lexicon(some());
  const Batch batch = batch_of(some(), lexicon);
  const Classifier model = model_with(2);
  Classifier other = without_head(model, 1);
  const Var silenced = other(batch).logits;
  CHECK(sum(abs(silenced - model(batch).logits)).item() > 1e-3);
  // What the second head's values are no longer matters.
  const Var values = other.attention->value_projection.weight;
  other.attention->value_projection.weight =
      Var::parameter(concat({slice(values, 1, 0, 4), 5.0 * slice(values, 1, 4, 4)}, 1).value());
  check_agree(other(batch).logits, silenced, 1e-15);

  Classifier none = model_with(0);
  none.words = model.words;
  none.verdict = model.verdict;
  check_agree(without_head(without_head(model, 0), 1)(batch).logits, none(batch).logits, 1e-14);
}

TEST_CASE("logistic regression learns a word that decides") {
  CHECK(bag_of_words_right(some(), {{words_of("good phone !"), 1}, {words_of("bad case and phone"), 0}}) == 1);
  CHECK(bag_of_words_right(some(), {{words_of("good phone !"), 0}, {words_of("bad case and phone"), 0}}) == 0.5);
}
