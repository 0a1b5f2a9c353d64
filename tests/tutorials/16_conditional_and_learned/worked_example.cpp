// The numbers that the page of chapter 16 works out on paper.
#include <doctest/doctest.h>

#include "autograd/grad.hpp"
#include "nn/attention/adaptive_span.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/16_conditional_and_learned/support.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter16;
using namespace attend::test;
using lesson::fixed;

namespace {

const OnPage on_page("16_conditional_and_learned");

std::string row(const std::string& name, const std::vector<double>& numbers, Size digits) {
  std::string text = "| " + name + " |";
  for (const double number : numbers) text += " " + fixed(number, digits) + " |";
  return text;
}

}  // namespace

TEST_CASE("the page shows the weights of the scores 1, 0.8 and 0.1") {
  for (const Normaliser& one : normalisers(2)) {
    const std::string shown = row(one.name, weights_of(one.core, {1, 0.8, 0.1}), 3);
    CAPTURE(shown);
    CHECK(on_page(shown));
  }
}

TEST_CASE("sparsemax moves a weight by a half when its score moves by one, and the third score moves nothing") {
  const Var x = Var::parameter(Tensor::from({1, 0.8, 0.1}, {3}, DType::float64));
  const Var weights = sparsemax(x);
  check_close(grad(select(weights, 0, 0), {x})[0], {3}, {0.5, -0.5, 0}, 1e-15);
  check_close(grad(select(weights, 0, 2), {x})[0], {3}, {0, 0, 0}, 0);
}

TEST_CASE("the page shows the weights of a span of 1.5 with a ramp of 1 over equal scores") {
  const Var none = Tensor::zeros({1, 1, 5, 1}, DType::float64);
  const AdaptiveSpan span = cast(AdaptiveSpan(1, 4, 1, 1.5), DType::float64);
  const Tensor map = attention_map(span, none, none, causal_mask(5, 5)).value();
  std::vector<double> last;  // of the last query, the nearest key first
  for (Size distance = 0; distance < 4; ++distance) last.push_back(map.at({0, 0, 4, 4 - distance}));
  const std::string shown = row("weight", last, 1);
  CAPTURE(shown);
  CHECK(on_page(shown));
}
