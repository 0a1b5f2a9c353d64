// The numbers that parts 2 and 3 of chapter 16's page work out on paper.
#include <doctest/doctest.h>

#include <cmath>

#include "nn/attention/hard.hpp"
#include "nn/attention/in_context.hpp"
#include "nn/attention/matching.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/16_conditional_and_learned/in_context.hpp"
#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::test;
using lesson::fixed;
using lesson::significant;

namespace {

const OnPage on_page("16_conditional_and_learned");

}  // namespace

TEST_CASE("the page shows how three examples share a query, with the sharpness 1 and 10") {
  const Tensor query = numbers({1, 0}, {1, 1, 2}), labels = numbers({1, 0, 0, 1, 0, 1}, {1, 3, 2});
  const Tensor support = numbers({0.9, std::sqrt(1 - 0.81), 0.6, 0.8, 0, 1}, {1, 3, 2});  // cosines 0.9, 0.6, 0
  for (const double sharpness : {1.0, 10.0}) {
    const Attended found = matching_read_out(query, support, labels, sharpness);
    std::string shown = "| " + significant(sharpness, 2) + " |";
    for (double weight : found.weights.value().to_vector()) shown += " " + fixed(weight, 4) + " |";
    for (double p : found.context.value().to_vector()) shown += " " + fixed(p, 4) + " |";
    CAPTURE(shown);
    CHECK(on_page(shown));
  }
}

TEST_CASE("the page shows one step of gradient descent on two examples, by hand and by the layer") {
  const Var x = numbers({1, 2}, {1, 2, 1}), y = numbers({2, 4}, {1, 2, 1}), asked = numbers({3}, {1, 1, 1});
  const Tensor zero = numbers({0}, {1, 1});
  const InContextAttention layer = gradient_descent_attention(zero, 2, 0.2);
  check_close(regression_answers(layer(regression_tokens(x, y, asked, zero), 2), 2, 1), {1, 1, 1}, {3}, 1e-15);
  CHECK(on_page("W = 0.2 · (1 · 2 + 2 · 4) / 2 = 1"));
  CHECK(on_page("3 · 1 = 3"));
}

TEST_CASE("the page shows the best rate of one step") {
  const chapter16::BestStep best = chapter16::best_step_on_paper();
  CHECK(on_page("rate " + fixed(best.rate, 3)));
  CHECK(on_page("error " + fixed(best.error, 4)));
}

TEST_CASE("the page shows what three baselines make of one draw of two") {
  const Tensor scores = numbers({std::log(0.8), std::log(0.2)}, {2}), rewards = numbers({1, 0}, {2});
  const std::vector<std::pair<std::string, Baseline>> all = {
      {"none", Baseline::none}, {"mean", Baseline::mean}, {"optimal", Baseline::optimal}};
  for (const auto& [name, kind] : all) {
    const double b = baseline(kind, scores, rewards);
    // The first of the two derivatives; the second is its negative, and so half of the variance is that of the first.
    const double first = (1 - b) * 0.2, second = b * 0.8;  // (R − b)(1 − p) and (R − b)(−p)
    const double variance = estimate_variance(scores, rewards, b) / 2;
    const std::string shown = "| " + name + ", " + fixed(b, 1) + " | " + fixed(first, 2) + " | " + fixed(second, 2) +
                              " | " + fixed(0.8 * first + 0.2 * second, 2) + " | " + fixed(variance, 4) + " |";
    CAPTURE(shown);
    CHECK(on_page(shown));
  }
}
