// The numbers that the page of chapter 02 works out on paper, and the parts of its program.
#include <doctest/doctest.h>

#include <cmath>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/02_soft_weights/choice.hpp"
#include "tutorials/02_soft_weights/paths.hpp"
#include "tutorials/02_soft_weights/regression.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter02;
using namespace attend::test;

namespace {

const OnPage on_page("02_soft_weights");

std::string row(const std::string& name, const std::vector<double>& values) {
  std::string text = "| " + name + " |";
  for (double x : values) text += " " + lesson::fixed(x, 4) + " |";
  return text;
}

const Tensor scores = numbers({2, 1, 0}, {3});

}  // namespace

TEST_CASE("the example on paper: softmax of 2, 1, 0 at four temperatures") {
  for (double temperature : {10.0, 1.0, 0.5, 0.1}) {
    double total = 0;
    for (double s : {2.0, 1.0, 0.0}) total += std::exp(s / temperature);
    const Var weights = soft_choice(scores, temperature);
    check_close(weights, {3}, {std::exp(2 / temperature) / total, std::exp(1 / temperature) / total, 1 / total}, 1e-15);
    CAPTURE(row(lesson::significant(temperature, 4), weights.value().to_vector()));
    CHECK(on_page(row(lesson::significant(temperature, 4), weights.value().to_vector())));
  }
}

TEST_CASE("the example on paper: kernel regression at 0.5 with two widths") {
  const Tensor query = numbers({0.5}, {1, 1}), key = numbers({0, 1, 2}, {3, 1}), value = numbers({10, 20, 30}, {3, 1});
  for (double width : {1.0, 0.5}) {
    const Attended seen = distance_attention(query, key, value, width);
    std::vector<double> cells = seen.weights.value().to_vector();
    cells.push_back(seen.context.item());
    const std::string line = row("h = " + lesson::significant(width, 2), cells);
    CAPTURE(line);
    CHECK(on_page(line));
  }
  // exp(−1/8) for both neighbours and exp(−9/8) for the third.
  const double near = std::exp(-0.125), far = std::exp(-1.125), total = 2 * near + far;
  check_close(distance_attention(query, key, value, 1).weights, {1, 3}, {near / total, near / total, far / total},
              1e-15);
}

TEST_CASE("a hard choice is 1 at the first of the largest scores") {
  check_close(Var(hard_choice(scores)), {3}, {1, 0, 0}, 0);
  check_close(Var(hard_choice(numbers({1, 5, 5, 0, 2, 1}, {2, 3}))), {2, 3}, {0, 1, 0, 0, 1, 0}, 0);
}

TEST_CASE("kernel regression, attention by distance and, for keys of one length, by products agree") {
  Rng rng(1);
  const Tensor q = rng.normal({5, 3}, 0, 1, DType::float64), k = rng.normal({4, 3}, 0, 1, DType::float64),
               v = rng.normal({4, 2}, 0, 1, DType::float64);
  check_agree(distance_attention(q, k, v, 0.6).context, Var(kernel_regression(q, k, v, 0.6)), 1e-13);
  const Var round = Var(k) / norm(Var(k), {-1}, true);
  check_agree(distance_attention(q, round, v, 0.6).context, product_attention(q, round, v, 0.6).context, 1e-13);
  // Keys of several lengths: no longer the same.
  const Var by_distance = distance_attention(q, k, v, 0.6).context,
            by_product = product_attention(q, k, v, 0.6).context;
  CHECK(lesson::largest_difference(by_distance.value(), by_product.value()) > 0.01);
}

TEST_CASE("points are seen from 0 to 5, and the curve is told from 0 to 5") {
  Rng rng(2);
  const Seen seen = draw_points(rng);
  CHECK(seen.key.shape() == Shape{60, 1});
  CHECK(seen.query.at({100, 0}) == 5);
  check_close(seen.curve.at({20, 0}), std::sin(2.0) + 0.5, 1e-15);
  check_close(root_mean_square(numbers({1, 2}, {2}), numbers({4, 6}, {2})), std::sqrt(12.5), 1e-15);
}

TEST_CASE("through ρ times an orthogonal matrix a gradient has the length |g| ρ to the distance") {
  Rng rng(3);
  const Vars words = draw_words(20, 6, rng);
  const Tensor g = rng.normal({1, 6}, 0, 1, DType::float64);
  for (double rho : {0.8, 1.0, 1.3}) {
    const std::vector<double> lengths = gradient_lengths(recurrent(words, orthogonal_matrix(6, rho, rng), false), g);
    for (Size t = 0; t < 20; ++t) {
      const double expected = norm(Var(g), {0, 1}).item() * std::pow(rho, static_cast<double>(19 - t));
      check_close(lengths[static_cast<std::size_t>(t)], expected, 0, 1e-13);
    }
  }
}

TEST_CASE("a convolution's gradient is exactly 0 outside of its receptive field, on both sides, and not inside") {
  Rng rng(4);
  const Vars words = draw_words(15, 5, rng);
  const Tensor g = rng.normal({1, 5}, 0, 1, DType::float64);
  for (Size layers : {1, 2, 4}) {
    const std::vector<double> lengths = gradient_lengths(convolutional(words, layers, 7, rng), g);
    for (Size t = 0; t < 15; ++t) CHECK((lengths[static_cast<std::size_t>(t)] > 0) == (std::abs(t - 7) <= layers));
  }
}

TEST_CASE("attention gives every word a gradient, whatever stands between") {
  Rng rng(5);
  const Vars words = draw_words(12, 5, rng);
  const Tensor g = rng.normal({1, 5}, 0, 1, DType::float64);
  const std::vector<double> lengths = gradient_lengths(attentive(words, 11), g);
  for (double length : lengths) CHECK(length > 0);
  // The first eleven words in another order receive the same, in that order.
  Vars turned(words.rbegin() + 1, words.rend());
  turned.push_back(words.back());
  const std::vector<double> of_turned = gradient_lengths(attentive(turned, 11), g);
  for (std::size_t t = 0; t < 11; ++t) check_close(of_turned[t], lengths[10 - t], 1e-14);
}

TEST_CASE("steps in a row: n in a recurrent network, as many as layers in a convolution, one in attention") {
  Rng rng(6);
  for (Size n : {3, 9}) {
    const Vars words = draw_words(n, 4, rng);
    const std::vector<std::string> steps = {"tanh", "softmax"};
    CHECK(longest_path(recurrent(words, orthogonal_matrix(4, 1, rng), true).result, steps) == n);
    CHECK(longest_path(convolutional(words, 2, 1, rng).result, steps) == 2);
    CHECK(longest_path(attentive(words, 1).result, steps) == 1);
  }
}

TEST_CASE("the longest path of a diamond counts its longer side") {
  const Var a = Var::parameter(numbers({2}, {1}));
  const Var longer = tanh(tanh(a)), y = longer + exp(a);
  CHECK(longest_path(y) == 3);
  CHECK(longest_path(y, {"tanh"}) == 2);
  CHECK(longest_path(y, {"exp"}) == 1);
  CHECK(longest_path(a) == 0);
}

TEST_CASE("the Jacobian of softmax takes ones to 0") {
  const Var s = Var::parameter(scores);
  const Tensor ones = Tensor::ones({3}, DType::float64);
  check_close(grad(softmax(s), {s}, ones)[0], {3}, {0, 0, 0}, 1e-15);
}
