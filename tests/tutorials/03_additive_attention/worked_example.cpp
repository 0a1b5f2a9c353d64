// The numbers that the page of chapter 03 works out on paper, and those it states about the model.
#include <doctest/doctest.h>

#include "nn/attention/additive.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/03_additive_attention/dates.hpp"
#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/translation/recurrent_translator.hpp"

using namespace attend;
using namespace attend::chapter03;
using namespace attend::translation;
using namespace attend::test;

namespace {

const OnPage on_page("03_additive_attention");

// d = 1 and all weights 1; q = (0, 1), k = (0, 1, 2).
AdditiveAttention layer_of_ones() {
  Rng rng(1);
  AdditiveAttention layer(1, 1, 1, rng);
  rebind(layer, [](const Var& parameter, std::size_t) { return Tensor::ones(parameter.shape(), DType::float64); });
  return layer;
}
const Var query = numbers({0, 1}, {1, 2, 1}), key = numbers({0, 1, 2}, {1, 3, 1}),
          value = numbers({10, 20, 30}, {1, 3, 1});

// The row of a table: "| q = 0 | 0.1735 | 0.3716 | 0.4549 |".
std::string row(const std::string& name, const Tensor& x, Size i) {
  std::string text = "| " + name + " |";
  for (Size j = 0; j < x.shape()[2]; ++j) text += " " + lesson::fixed(x.at({0, i, j}), 4) + " |";
  return text;
}

}  // namespace

TEST_CASE("the example on paper: scores, weights and contexts") {
  const Attended seen = layer_of_ones()(query, key, value);
  check_close(seen.weights, {1, 2, 3}, {0.17349291, 0.37156764, 0.45493945, 0.28675137, 0.35109224, 0.36215639}, 5e-9);
  check_close(seen.context, {1, 2, 1}, {22.81446537, 20.75405019}, 5e-9);
}

TEST_CASE("the page shows the numbers of the example") {
  const AdditiveAttention layer = layer_of_ones();
  const Attended seen = layer(query, key, value);
  const Tensor scores = layer.scores(query, layer.projected(key)).value(), contexts = seen.context.value();
  for (Size i = 0; i < 2; ++i) {
    const std::string q = "q = " + std::to_string(i);
    CAPTURE(row(q, scores, i));
    CHECK(on_page(row(q, scores, i)));
    CAPTURE(row(q, seen.weights.value(), i));
    CHECK(on_page(row(q, seen.weights.value(), i)));
    CHECK(on_page(row(q, contexts, i)));
  }
}

TEST_CASE("the example with its second key hidden") {
  const Mask mask(Tensor::from_bools({true, false, true}, {1, 1, 3}));
  const Attended seen = layer_of_ones()(query, key, value, mask);
  for (Size i = 0; i < 2; ++i) {
    CAPTURE(row("q = " + std::to_string(i) + ", hidden", seen.weights.value(), i));
    CHECK(on_page(row("q = " + std::to_string(i) + ", hidden", seen.weights.value(), i)));
  }
}

TEST_CASE("without tanh both queries have the same weights, those on the page") {
  const Var scores = unsqueeze(squeeze(query, {2}), 2) + unsqueeze(squeeze(key, {2}), 1);
  const Tensor weights = softmax(scores).value();
  check_agree(slice(Var(weights), 1, 0, 1), slice(Var(weights), 1, 1, 1), 1e-15);
  CAPTURE(row("either q", weights, 0));
  CHECK(on_page(row("either q", weights, 0)));
}

TEST_CASE("the page states the sizes of both models") {
  const DateTask dates(read_date_locales(lesson::data_path("cldr/cldr_dates.tsv")), 1, 1);
  const Task task = date_task(dates);
  Rng rng(1);
  const RecurrentTranslator with({task.source.size(), task.target.size(), 32, 64}, Bridge::attention, rng);
  const RecurrentTranslator without({task.source.size(), task.target.size(), 32, 69}, Bridge::summary, rng);
  CHECK(on_page(lesson::count(parameter_count(with))));
  CHECK(on_page(lesson::count(parameter_count(without))));
}
