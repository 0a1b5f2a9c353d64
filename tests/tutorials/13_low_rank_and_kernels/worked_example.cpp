// The numbers that the page of chapter 13 works out on paper.
#include <doctest/doctest.h>

#include <cmath>

#include "nn/attention/linear_attention.hpp"
#include "nn/attention/performer.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/13_low_rank_and_kernels/forms.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter13;
using namespace attend::test;
using lesson::fixed;
using lesson::significant;

namespace {

const OnPage on_page("13_low_rank_and_kernels");

std::string listed(const Tensor& numbers) {
  std::string text;
  for (const double number : numbers.to_vector()) text += (text.empty() ? "" : ", ") + significant(number, 4);
  return text;
}

}  // namespace

TEST_CASE("the page shows the sums after each of three positions, and what they make of the values") {
  const OnPaper example = on_paper();
  for (Size i = 0; i < 3; ++i) {
    const OnPaper::Step& step = example.steps[static_cast<std::size_t>(i)];
    const auto row = [&](const Tensor& x) { return listed(slice(x, 0, i, 1)); };
    const std::string shown = "| " + std::to_string(i) + " | " + row(example.features_q) + " | " +
                              row(example.features_k) + " | " + row(example.values) + " | " + listed(step.sums) +
                              " | " + listed(step.normaliser) + " | " + significant(step.context, 4) + " |";
    CAPTURE(shown);
    CHECK(on_page(shown));
  }
}

TEST_CASE("pair by pair it is (5 · 10 + 4 · 20) / 9 and (4 · 10 + 5 · 20 + 2 · 40) / 11") {
  const OnPaper example = on_paper();
  check_close(example.steps[1].context, (5.0 * 10 + 4.0 * 20) / 9, 0, 1e-14);
  check_close(example.steps[2].context, (4.0 * 10 + 5.0 * 20 + 2.0 * 40) / 11, 0, 1e-14);
  CHECK(on_page("(4 · 10 + 5 · 20 + 2 · 40) / 11 = 20"));
}

TEST_CASE("the features of x = y = 1 for the directions 1 and −1, and their mean") {
  const Tensor one = Tensor::ones({1, 1}, DType::float64);
  const auto product = [&](const std::vector<double>& w, SoftmaxFeatures kind) {
    const Var features = softmax_features(one, Tensor::from(w, {static_cast<Size>(w.size()), 1}, DType::float64), kind);
    return sum(features * features).item();
  };
  const SoftmaxFeatures positive = SoftmaxFeatures::positive;
  const std::string text = fixed(product({1}, positive), 3) + " and " + fixed(product({-1}, positive), 3);
  CAPTURE(text);
  CHECK(on_page(text));
  CHECK(on_page(fixed(product({1, -1}, positive), 3)));
  check_close(product({1}, SoftmaxFeatures::hyperbolic), product({1, -1}, positive), 1e-14);
  check_close(product({1}, SoftmaxFeatures::trigonometric), std::exp(1.0), 1e-14);
}
