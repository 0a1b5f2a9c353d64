// The numbers that the page of chapter 06 works out on paper, and the forms.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/06_many_heads/forms.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter06;
using namespace attend::test;

namespace {

const OnPage on_page("06_many_heads");

std::string row(const std::string& name, const std::vector<double>& values) {
  std::string text = "| " + name + " |";
  for (double x : values) text += " " + lesson::fixed(x, 4) + " |";
  return text;
}

// Two words of four numbers, two heads, and matrices that change nothing.
const Tensor two_words = numbers({.1, .2, .3, .4, .5, .6, .7, .8}, {1, 2, 4});

MultiHeadAttention identity_layer() {
  Rng rng(1);
  MultiHeadAttention layer = cast(MultiHeadAttention(4, 2, rng), DType::float64);
  const Var identity = Var::parameter(numbers({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, {4, 4}));
  for (Linear* projection : {&layer.query_projection, &layer.key_projection, &layer.value_projection, &layer.output}) {
    projection->weight = identity;
  }
  return layer;
}

Tensor result_of(Cut cut) { return attend_cut(identity_layer(), Var(two_words), cut).context.value(); }

std::vector<double> word(const Tensor& x, Size i) { return slice(x, 1, i, 1).to_vector(); }

}  // namespace

TEST_CASE("the example on paper: the first word's scores and weights in both heads") {
  const double root = std::sqrt(2.0);
  for (const Size h : {0, 1}) {
    const double a = h == 0 ? .1 : .3, b = h == 0 ? .2 : .4;  // the head's numbers of the first word
    const double own = (a * a + b * b) / root, other = (a * (a + .4) + b * (b + .4)) / root;
    const double weight = std::exp(own) / (std::exp(own) + std::exp(other));
    const Tensor weights = attend_cut(identity_layer(), Var(two_words), Cut::by_position).weights.value();
    check_close(weights.at({0, h, 0, 0}), weight, 1e-14);
    const std::string name = "head " + std::to_string(h + 1);
    CAPTURE(row(name, {own, other, weight, 1 - weight}));
    CHECK(on_page(row(name, {own, other, weight, 1 - weight})));
  }
}

TEST_CASE("the page shows both results, cut rightly and by reshape alone") {
  for (const Size i : {0, 1}) {
    const std::string name = i == 0 ? "first word" : "second word";
    CAPTURE(row(name, word(result_of(Cut::by_position), i)));
    CHECK(on_page(row(name, word(result_of(Cut::by_position), i))));
    CAPTURE(row(name + ", reshape alone", word(result_of(Cut::reshape_alone), i)));
    CHECK(on_page(row(name + ", reshape alone", word(result_of(Cut::reshape_alone), i))));
  }
}

TEST_CASE("cut by position it is the layer, cut by reshape alone it is not") {
  Rng rng(2);
  const MultiHeadAttention layer = cast(MultiHeadAttention(12, 3, rng), DType::float64);
  const Var x(random({2, 5, 12}));
  check_agree(attend_cut(layer, x, Cut::by_position).context, layer(x).context, 1e-13);
  CHECK(sum(abs(attend_cut(layer, x, Cut::reshape_alone).context - layer(x).context)).item() > 1e-2);
}

TEST_CASE("small projections on the diagonal make article 1's form of article 2's") {
  Rng rng(3);
  const SharedHeadAttention small = cast(SharedHeadAttention(12, 4, rng), DType::float64);
  const MultiHeadAttention full = with_blocks(small);
  const Var x(random({2, 5, 12}));
  check_agree(small(x).context, full(x).context, 1e-12);
  check_close(full.key_projection.weight.value().at({4, 5}), small.keys.weight.value().at({1, 2}), 0);
  check_close(full.key_projection.weight.value().at({4, 8}), 0, 0);
}

TEST_CASE("multiplications are those of the formulas: 3 n E², 2 n² E, n E², and n E + h n² for scale and softmax") {
  Rng rng(4);
  const Size n = 6, E = 8;
  const Var x(rng.normal({1, n, E}, 0, 1));
  for (const Size h : {1, 2, 4}) {
    const Multiplications full = multiplications(MultiHeadAttention(E, h, rng), x);
    CHECK(full.projections == 3 * n * E * E);
    CHECK(full.pairs == 2 * n * n * E);
    CHECK(full.output == n * E * E);
    CHECK(full.rest == n * E + h * n * n);
    const Multiplications shared = multiplications(SharedHeadAttention(E, h, rng), x);
    CHECK(shared.projections == 3 * n * E * E / h);
    CHECK(shared.pairs == full.pairs);
    CHECK(shared.output == full.output);
    CHECK(shared.rest == 2 * h * n * n);
  }
}
