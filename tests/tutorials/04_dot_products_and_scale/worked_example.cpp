// The numbers that the page of chapter 04 works out on paper, and the parts of its program.
#include <doctest/doctest.h>

#include <cmath>

#include "autograd/grad.hpp"
#include "nn/attention/dot_product.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/04_dot_products_and_scale/figures.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter04;
using namespace attend::test;

namespace {

const OnPage on_page("04_dot_products_and_scale");

const Tensor query = numbers({1, 1, 1, 1}, {1, 1, 4}),
             key = numbers({1, 1, 1, 1, 1, 1, 1, -1, 1, 1, -1, -1}, {1, 3, 4}),
             value = numbers({10, 20, 30}, {1, 3, 1});

// "| name | 0.8668 | 0.1173 | 0.0159 |"
std::string row(const std::string& name, const std::vector<double>& values) {
  std::string text = "| " + name + " |";
  for (double x : values) text += " " + lesson::fixed(x, 4) + " |";
  return text;
}

// Entropy and trace of a row of weights, in plain loops.
std::vector<double> entropy_and_trace(const std::vector<double>& p) {
  double entropy = 0, trace = 0;
  for (double x : p) {
    entropy -= x * std::log(x);
    trace += x * (1 - x);
  }
  return {entropy, trace};
}

}  // namespace

TEST_CASE("the example on paper: products 4, 2, 0, and weights without and with the scale") {
  check_close(matmul(Var(query), transpose(Var(key))), {1, 1, 3}, {4, 2, 0}, 0);
  check_close(dot_attention(query, key, value).weights, {1, 1, 3}, {0.86681333, 0.11731043, 0.01587624}, 5e-9);
  check_close(scaled_dot_attention(query, key, value).weights, {1, 1, 3}, {0.66524096, 0.24472847, 0.09003057}, 5e-9);
}

TEST_CASE("the page shows the weights, contexts, entropies and traces of the example") {
  for (const bool scaled : {false, true}) {
    const Attended seen = scaled ? scaled_dot_attention(query, key, value) : dot_attention(query, key, value);
    const std::string name = scaled ? "with the scale" : "without";
    const std::vector<double> p = seen.weights.value().to_vector();
    CAPTURE(row(name, p));
    CHECK(on_page(row(name, p)));
    std::vector<double> rest = entropy_and_trace(p);
    rest.insert(rest.begin(), seen.context.item());
    CAPTURE(row(name, rest));
    CHECK(on_page(row(name, rest)));
  }
}

TEST_CASE("the page shows the Jacobian of the example, and its rows sum to 0") {
  const Var scores = Var::parameter(numbers({2, 1, 0}, {3}));
  const Var p = softmax(scores);
  for (Size i = 0; i < 3; ++i) {
    const std::vector<double> slopes = grad(select(p, 0, i), {scores})[0].value().to_vector();
    const std::string name = "p" + std::vector<std::string>{"₀", "₁", "₂"}[static_cast<std::size_t>(i)];
    CAPTURE(row(name, slopes));
    CHECK(on_page(row(name, slopes)));
    CHECK(std::fabs(slopes[0] + slopes[1] + slopes[2]) < 1e-15);
  }
}

TEST_CASE("the factors are 1, 1/√d and 1/d") {
  CHECK(factor(Factor::one, 16) == 1);
  CHECK(factor(Factor::root, 16) == 0.25);
  CHECK(factor(Factor::width, 16) == 0.0625);
}

TEST_CASE("products of queries and keys drawn around 0 have the variance d, of those drawn around 1 three times that") {
  const auto variance_in_d = [](Centre centre) {
    Rng rng(1);
    return product_variance(draw(16, 200, centre, rng)) / 16;
  };
  CHECK(std::abs(variance_in_d(Centre::zero) - 1) < 0.05);
  CHECK(std::abs(variance_in_d(Centre::one) - 3) < 0.15);
}

TEST_CASE("entropy, trace and largest weight of equal products are those of equal weights") {
  Rng rng(1);
  const Softness soft = softness(draw(16, 2, Centre::zero, rng), 0);
  CHECK(std::fabs(soft.entropy - std::log(64.0)) < 1e-12);
  CHECK(std::fabs(soft.trace - 63.0 / 64) < 1e-12);
  CHECK(std::fabs(soft.largest - 1.0 / 64) < 1e-12);
}

TEST_CASE("softness is the mean over the queries of what loops find") {
  Rng rng(2);
  const Drawn drawn = draw(16, 1, Centre::zero, rng);
  const Tensor weights = scaled_dot_attention(drawn.query, drawn.key, drawn.value).weights.value();
  std::vector<double> means(2);
  for (Size i = 0; i < 16; ++i) {
    std::vector<double> p;
    for (Size j = 0; j < keys; ++j) p.push_back(weights.at({0, i, j}));
    for (std::size_t k = 0; k < 2; ++k) means[k] += entropy_and_trace(p)[k] / 16;
  }
  const Softness soft = softness(drawn, 0.25);
  CHECK(std::fabs(soft.entropy - means[0]) < 1e-12);
  CHECK(std::fabs(soft.trace - means[1]) < 1e-12);
}

TEST_CASE("a query's gradient is what moving the query changes") {
  Rng rng(3);
  const Drawn drawn = draw(16, 1, Centre::zero, rng);
  const Gradients found = gradients(drawn, 0.25);
  CHECK(found.queries.size() == 16);
  CHECK(found.scores.size() == 16);
  // The length of the gradient of query 0, from differences of Σ direction · context.
  const auto loss = [&](const Tensor& q) {
    return sum(scaled_dot_attention(q, drawn.key, drawn.value).context * Var(drawn.direction)).item();
  };
  double squares = 0;
  std::vector<double> q = drawn.query.to_vector();
  for (std::size_t c = 0; c < 16; ++c) {
    const double h = 1e-5, before = q[c];
    q[c] = before + h;
    const double above = loss(numbers(q, {1, 16, 16}));
    q[c] = before - h;
    const double below = loss(numbers(q, {1, 16, 16}));
    q[c] = before;
    squares += (above - below) / (2 * h) * ((above - below) / (2 * h));
  }
  CHECK(std::fabs(std::sqrt(squares) - found.queries[0]) < 1e-8);
}

TEST_CASE("mean and share") {
  CHECK(mean(std::vector<double>{1, 2, 6}) == 3);
  CHECK(share_below({1, 2, 3, 4}, 3) == 0.5);
}

TEST_CASE("the chart of one run and that of results.tsv have the same series and places") {
  std::vector<AtWidth> measured;
  for (Size d : widths()) measured.push_back(measure(d, 2, Centre::zero, Factor::root, 1));
  const lesson::Chart run = softness_chart(measured);
  const lesson::Chart stated = softness_chart(
      lesson::Results::read(std::string(ATTEND_SOURCE_DIR) + "/tutorials/04_dot_products_and_scale/results.tsv"));
  CHECK(run.places == stated.places);
  CHECK(run.series.size() == 4);
  for (std::size_t s = 0; s < 4; ++s) {
    CHECK(run.series[s].name == stated.series[s].name);
    for (const lesson::Spread& point : stated.series[s].points) {
      CHECK(point.low <= point.mean);
      CHECK(point.mean <= point.high);
      CHECK(point.high < 1);
    }
  }
}
