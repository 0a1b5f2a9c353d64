#include "nn/loss.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layers.hpp"
#include "tests/support/special.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// PyTorch's cross-entropy of rows of C scores in plain loops; `weights` has C entries.
double cross_entropy_by_hand(const std::vector<double>& scores, const std::vector<std::int64_t>& targets,
                             std::int64_t ignored, double smoothing, const std::vector<double>& weights) {
  const std::size_t C = weights.size();
  double sharp = 0, even = 0, total = 0;
  for (std::size_t row = 0; row < targets.size(); ++row) {
    if (targets[row] == ignored) continue;
    double sum = 0;
    for (std::size_t c = 0; c < C; ++c) sum += std::exp(scores[row * C + c]);
    const auto surprise = [&](std::size_t c) { return std::log(sum) - scores[row * C + c]; };
    const auto target = static_cast<std::size_t>(targets[row]);
    sharp += weights[target] * surprise(target);
    for (std::size_t c = 0; c < C; ++c) even += weights[c] * surprise(c);
    total += weights[target];
  }
  return ((1 - smoothing) * sharp + smoothing / static_cast<double>(C) * even) / total;
}

Var gradient(const Var& loss, const Var& x) { return grad(loss, {x})[0]; }

}  // namespace

TEST_CASE(
    "cross-entropy agrees with plain loops: ignored targets, smoothing and class weights, one by one and together") {
  const std::vector<std::int64_t> targets = {0, 3, -1, 2, 2, 1};
  const Tensor logits = random({2, 3, 4}), weights = numbers({0.5, 2, 1, 0.25}, {4});
  for (std::int64_t ignored : {-1, -7}) {
    for (double smoothing : {0.0, 0.3, 1.0}) {
      for (bool weighted : {false, true}) {
        std::vector<std::int64_t> own = targets;
        own[2] = ignored;
        CrossEntropyOptions options;
        options.ignored_target = ignored;
        options.label_smoothing = smoothing;
        if (weighted) options.class_weights = weights;
        const std::vector<double> w = weighted ? weights.to_vector() : std::vector<double>(4, 1);
        check_close(cross_entropy(Var(logits), Tensor::from_ints(own, {2, 3}), options).item(),
                    cross_entropy_by_hand(logits.to_vector(), own, ignored, smoothing, w), 1e-14);
      }
    }
  }
}

TEST_CASE("cross-entropy divides once, by the number of targets that count") {
  // Scores of two classes whose losses are 1, 2, 3 and 4; the last two do not count.
  std::vector<double> scores;
  for (double loss : {1, 2, 3, 4}) {
    scores.push_back(0);
    scores.push_back(std::log(std::exp(loss) - 1));
  }
  const Var logits(numbers(scores, {4, 2}));
  check_close(cross_entropy(logits, Tensor::from_ints({0, 0, -1, -1}, {4})).item(), 1.5, 1e-15);
}

TEST_CASE("when every target is ignored, losses and their derivatives are 0") {
  const Var x = Var::parameter(random({2, 3}));
  const Tensor none = Tensor::from_ints({-1, -1}, {2});
  CrossEntropyOptions smooth;
  smooth.label_smoothing = 0.1;
  smooth.class_weights = Tensor::ones({3});
  for (const Var& loss : {cross_entropy(x, none), cross_entropy(x, none, smooth), negative_log_likelihood(x, none),
                          cross_entropy(slice(x, 0, 0, 0), Tensor::from_ints({}, {0}))}) {
    CHECK(loss.item() == 0);
    check_close(gradient(loss, x), {2, 3}, std::vector<double>(6, 0), 0);
  }
}

TEST_CASE("scores at an ignored target, NaN included, reach neither loss nor derivatives") {
  std::vector<double> values = random({3, 4}).to_vector();
  const Tensor targets = Tensor::from_ints({1, -1, 2}, {3});
  CrossEntropyOptions smooth;
  smooth.label_smoothing = 0.2;
  smooth.class_weights = Tensor::from({1, 2, 3, 4}, {4});
  const Var clean = Var::parameter(numbers(values, {3, 4}));
  for (std::size_t i = 4; i < 8; ++i) values[i] = not_a_number;
  const Var dirty = Var::parameter(numbers(values, {3, 4}));
  for (const CrossEntropyOptions& options : {CrossEntropyOptions(), smooth}) {
    const Var expected = cross_entropy(clean, targets, options), found = cross_entropy(dirty, targets, options);
    CHECK(same_bits(found, expected));
    CHECK(same_bits(gradient(found, dirty), gradient(expected, clean)));
    check_close(slice(gradient(found, dirty), 0, 1, 1), {1, 4}, {0, 0, 0, 0}, 0);
  }
}

TEST_CASE("cross-entropy is right for scores of +-1000") {
  const Var x = Var::parameter(numbers({1000, -1000, -1000, 1000}, {2, 2}));
  const Var loss = cross_entropy(x, Tensor::from_ints({0, 0}, {2}));
  check_close(loss.item(), 1000, 0);
  check_close(gradient(loss, x), {2, 2}, {0, 0, -0.5, 0.5}, 0);
}

TEST_CASE("the derivative of cross-entropy is softmax minus target, over the count") {
  const Var x = Var::parameter(numbers({1, 2, 3}, {1, 3}));
  const Var g = gradient(cross_entropy(x, Tensor::from_ints({1}, {1})), x);
  check_close(g, {1, 3}, {0.09003057, 0.24472847 - 1, 0.66524096}, 5e-9);
}

TEST_CASE("negative log-likelihood of a log-softmax is cross-entropy") {
  const Var x(random({2, 3, 4}));
  const Tensor targets = Tensor::from_ints({0, 3, -1, 2, 2, 1}, {2, 3});
  check_agree(negative_log_likelihood(log_softmax(x), targets), cross_entropy(x, targets), 1e-15);
  check_close(negative_log_likelihood(Var(numbers({-1, -2, -3, -4}, {2, 2})), Tensor::from_ints({1, 0}, {2})).item(),
              2.5, 0);
  check_close(negative_log_likelihood(Var(numbers({-1, -2, -3, -4}, {2, 2})), Tensor::from_ints({1, 7}, {2}), 7).item(),
              2, 0);
}

TEST_CASE("mean squared error and its derivatives") {
  const Var p = Var::parameter(numbers({1, 2, 3}, {3})), t = Var::parameter(numbers({1, 0, 7}, {3}));
  const Var loss = mean_squared_error(p, t);
  check_close(loss.item(), 20.0 / 3, 1e-15);
  check_close(gradient(loss, p), {3}, {0, 4.0 / 3, -8.0 / 3}, 1e-15);
  check_close(gradient(loss, t), {3}, {0, -4.0 / 3, 8.0 / 3}, 1e-15);
}

TEST_CASE("binary cross-entropy takes scores of any size") {
  const Var x = Var::parameter(numbers({-800, 30}, {2}));
  const Var loss = binary_cross_entropy(x, Var(numbers({1, 0}, {2})));
  check_close(loss.item(), 830.0 / 2, 1e-12);
  check_close(gradient(loss, x), {2}, {-0.5, 0.5}, 1e-12);
  check_close(binary_cross_entropy(Var(numbers({-1000, 1000}, {2})), Var(numbers({0, 1}, {2}))).item(), 0, 0);
  const double p = 1 / (1 + std::exp(-0.3));
  check_close(binary_cross_entropy(Var(numbers({0.3}, {1})), Var(numbers({0.25}, {1}))).item(),
              -(0.25 * std::log(p) + 0.75 * std::log(1 - p)), 1e-15);
}

TEST_CASE("a prediction [N, 1] beside a target [N] is refused, not broadcast") {
  const Var column(numbers({1, 2, 3}, {3, 1})), row(numbers({1, 2, 3}, {3}));
  check_throws_with([&] { mean_squared_error(column, row); }, {"mean_squared_error: ", "[3, 1]", "[3]"});
  check_throws_with([&] { binary_cross_entropy(column, row); }, {"binary_cross_entropy: ", "[3, 1]", "[3]"});
  check_throws_with([&] { mean_squared_error(row, cast(row, DType::float32)); }, {"mean_squared_error: ", "float32"});
  check_throws_with([&] { mean_squared_error(slice(row, 0, 0, 0), slice(row, 0, 0, 0)); }, {"mean", "[0]"});
}

TEST_CASE("targets that do not fit are refused, with both shapes") {
  const Var x(random({2, 3}));
  const auto both = [&](const Tensor& targets, const std::string& shape) {
    check_throws_with([&] { cross_entropy(x, targets); }, {"cross_entropy: ", "[2, 3]", shape});
    check_throws_with([&] { negative_log_likelihood(x, targets); }, {"negative_log_likelihood: ", "[2, 3]", shape});
  };
  both(Tensor::from_ints({0, 1, 2}, {3}), "[3]");
  both(Tensor::from_ints({0, 1}, {2, 1}), "[2, 1]");
  both(Tensor::from_ints({0}, {}), "[]");
  both(Tensor::from({0, 1}, {2}), "float32 [2]");
  both(Tensor::from_ints({0, 3}, {2}), "target 3");
  both(Tensor::from_ints({0, -2}, {2}), "target -2");
  check_throws_with([] { cross_entropy(Var(random({})), Tensor::from_ints({0}, {})); }, {"cross_entropy: ", "[]"});
}

TEST_CASE("options that are none are refused") {
  const Var x(random({2, 3}));
  const Tensor targets = Tensor::from_ints({0, 1}, {2});
  CrossEntropyOptions options;
  for (double smoothing : {-0.1, 1.1, not_a_number}) {
    options.label_smoothing = smoothing;
    check_throws_with([&] { cross_entropy(x, targets, options); }, {"cross_entropy: ", "label smoothing"});
  }
  options.label_smoothing = 0;
  options.class_weights = Tensor::ones({2});
  check_throws_with([&] { cross_entropy(x, targets, options); }, {"cross_entropy: ", "[2]", "[2, 3]"});
  options.class_weights = Tensor::ones({1});
  check_throws_with([&] { cross_entropy(x, targets, options); }, {"cross_entropy: ", "[1]", "[2, 3]"});
}

TEST_CASE("class weights that are negative or not finite are refused") {
  const Var x(random({2, 3}));
  CrossEntropyOptions options;
  for (double weight : {-1.0, not_a_number, infinity}) {
    options.class_weights = Tensor::from({1, weight, 1}, {3}, DType::float64);
    check_throws_with(
        [&] {
          cross_entropy(x, Tensor::from_ints({0, 2}, {2}), options);
        },
        {"cross_entropy: ", "class weight 1", "[2, 3]"});
  }
}

TEST_CASE("scores without any class have no loss to be computed") {
  const Var x(random({2, 0}));
  const Tensor none = Tensor::from_ints({-1, -1}, {2});
  check_throws_with([&] { cross_entropy(x, none); }, {"cross_entropy: ", "[2, 0]"});
  check_throws_with([&] { negative_log_likelihood(x, none); }, {"negative_log_likelihood: ", "[2, 0]"});
}
