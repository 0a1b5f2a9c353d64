// The numbers that the page of chapter 09 works out on paper.
#include <doctest/doctest.h>

#include <cmath>

#include "nn/attention/channel.hpp"
#include "nn/attention/squeeze_excitation.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/09_channel_attention/on_paper.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter09;
using namespace attend::test;

namespace {

double sigma(double score) { return 1 / (1 + std::exp(-score)); }

const OnPage on_page("09_channel_attention");

std::string row(const std::string& name, const Var& values) {
  std::string text = "| " + name + " |";
  for (double x : values.value().to_vector()) text += " " + lesson::fixed(x, 4) + " |";
  return text;
}

SqueezeExcitation paper_layer() {
  Rng rng(1);
  SqueezeExcitation layer(3, 3, rng);
  layer.squeeze.weight = Var(paper_example().W_1);
  layer.excite.weight = Var(paper_example().W_2);
  return layer;
}

}  // namespace

TEST_CASE("the example on paper: the bottleneck gets 2 − 0.5, and the gates are those of 3, −3 and 1.5") {
  const Var gates = paper_layer().gates(Var(paper_example().x));
  check_close(gates, {1, 3}, {sigma(3), sigma(-3), sigma(1.5)}, 1e-15);
  CAPTURE(row("gate", gates));
  CHECK(on_page(row("gate", gates)));
  CAPTURE(row("their sum", sum(gates)));
  CHECK(on_page(row("their sum", sum(gates))));
}

TEST_CASE("with its first two channels exchanged the bottleneck is closed, and every gate is 1/2") {
  const Var exchanged = take(Var(paper_example().x), 1, Tensor::from_ints({1, 0, 2}, {3}));
  const Var gates = paper_layer().gates(exchanged);
  check_close(gates, {1, 3}, {0.5, 0.5, 0.5}, 0);
  CHECK(on_page(row("gate, channels 0 and 1 exchanged", gates)));
}

TEST_CASE("the article's layer adds the scores of the maxima, 4, −4 and 2") {
  Rng rng(1);
  ChannelAttention layer(3, rng, 3);
  layer.squeeze.weight = reshape(Var(transpose(paper_example().W_1)), {1, 3, 1, 1});
  layer.excite.weight = reshape(Var(transpose(paper_example().W_2)), {3, 1, 1, 1});
  const Var gates = layer.gates(Var(paper_example().x));
  check_close(gates, {1, 3, 1, 1}, {sigma(7), sigma(-7), sigma(3.5)}, 1e-15);
  CAPTURE(row("gate, with the maxima", gates));
  CHECK(on_page(row("gate, with the maxima", gates)));
}
