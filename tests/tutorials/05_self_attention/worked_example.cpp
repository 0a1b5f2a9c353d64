// The numbers that the page of chapter 05 works out on paper, and the parts of its program.
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/05_self_attention/dictionary.hpp"
#include "tutorials/05_self_attention/sentence.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter05;
using namespace attend::test;

namespace {

const OnPage on_page("05_self_attention");

std::string row(const std::string& name, const std::vector<double>& values) {
  std::string text = "| " + name + " |";
  for (double x : values) text += " " + lesson::fixed(x, 4) + " |";
  return text;
}

std::vector<double> row_of(const Tensor& x, Size i) { return slice(x, 1, i, 1).to_vector(); }

}  // namespace

TEST_CASE("the example on paper: scores 5/√6 and 4/√6 for the two nouns, 0 for all else") {
  const double own = std::exp(5 / std::sqrt(6.0)), other = std::exp(4 / std::sqrt(6.0)), total = own + other + 4;
  const Tensor weights = noun_layer(4)(word_vectors()).weights.value();
  check_close(Var(slice(weights, 1, cat, 1)), {1, 1, 6},
              {1 / total, own / total, 1 / total, 1 / total, 1 / total, other / total}, 1e-15);
}

TEST_CASE("the page shows the weights of cat and what becomes of it") {
  const Attended seen = noun_layer(4)(word_vectors());
  CAPTURE(row("cat looks at", row_of(seen.weights.value(), cat)));
  CHECK(on_page(row("cat looks at", row_of(seen.weights.value(), cat))));
  CAPTURE(row("cat, after", row_of(seen.context.value(), cat)));
  CHECK(on_page(row("cat, after", row_of(seen.context.value(), cat))));
}

TEST_CASE("cat and mat look most at each other among the other words, and no longer without the noun axis") {
  const Tensor weights = noun_layer(4)(word_vectors()).weights.value();
  CHECK(looks_most_at(weights, cat) == mat);
  CHECK(looks_most_at(weights, mat) == cat);
  CHECK(looks_most_at(noun_layer(0)(word_vectors()).weights.value(), cat) != mat);
}

TEST_CASE("looks_most_at leaves out the word itself") {
  const Tensor weights = numbers({0.5, 0.3, 0.2, 0.1, 0.6, 0.3, 0.2, 0.2, 0.6}, {1, 3, 3});
  CHECK(looks_most_at(weights, 0) == 1);
  CHECK(looks_most_at(weights, 1) == 2);
  CHECK(looks_most_at(weights, 2) == 0);
}

TEST_CASE("the keys of a dictionary are orthonormal") {
  Rng rng(1);
  const Dictionary dictionary = orthonormal_dictionary(4, 7, 3, rng);
  check_close(matmul(Var(dictionary.keys), transpose(Var(dictionary.keys))), {4, 4},
              {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 1e-14);
  CHECK_THROWS_AS(orthonormal_dictionary(8, 7, 3, rng), std::invalid_argument);
}

TEST_CASE("the weight of the entry asked for is that of the formula, and a sharp query gets its value alone") {
  Rng rng(2);
  const Dictionary dictionary = orthonormal_dictionary(6, 6, 3, rng);
  for (double sharpness : {0.0, 0.5, 3.0, 20.0}) {
    const Answer answer = look_up(dictionary, query_for(dictionary, 4, sharpness));
    CHECK(std::fabs(answer.weights.at({4}) - right_weight(6, sharpness)) < 1e-14);
  }
  check_close(Var(look_up(dictionary, query_for(dictionary, 4, 1000)).value), {3},
              row_of(unsqueeze(dictionary.values, 0), 4), 0);
}

TEST_CASE("among overlapping keys a sharp query can get the value of another entry") {
  Rng rng(3);
  const Dictionary dictionary = overlapping_dictionary(orthonormal_dictionary(8, 12, 5, rng));
  const Answer answer = look_up(dictionary, query_for(dictionary, 3, 1000));
  CHECK(answer.weights.at({4}) == 1);
}

TEST_CASE("in random layers cat looks at mat about as often as chance has it") {
  Rng rng(4);
  const double share = share_of_random_layers(400, rng);
  CHECK(share > 0.15);
  CHECK(share < 0.35);
}

TEST_CASE("the heat map has the words on both sides") {
  const lesson::HeatMap map = heat_map(noun_layer(4)(word_vectors()).weights.value());
  CHECK(map.row_labels == sentence());
  CHECK(map.column_labels == sentence());
  CHECK(lesson::in_words(map, mat).find("'mat'") != std::string::npos);
}
