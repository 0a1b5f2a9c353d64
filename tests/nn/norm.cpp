#include "nn/norm.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "nn/layer_norm.hpp"
#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size B = 3, C = 4, H = 2, W = 5;
const Tensor x = random({B, C, H, W}, DType::float64, 2);

template <class Norm>
Norm shaken(const Norm& layer) {
  Norm exact = cast(layer, DType::float64);
  exact.gain = Var::parameter(random({C}, DType::float64, 3));
  exact.bias = Var::parameter(random({C}, DType::float64, 4));
  return exact;
}

struct Moments {
  double mean, variance;  // the variance divides by n
};

// Of the elements that chosen(b, c) picks.
template <class Chosen>
Moments moments(Chosen chosen) {
  double n = 0, sum = 0, squares = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (Size b = 0; b < B; ++b) {
      for (Size c = 0; c < C; ++c) {
        if (!chosen(b, c)) continue;
        for (Size i = 0; i < H; ++i) {
          for (Size j = 0; j < W; ++j) {
            const double each = x.at({b, c, i, j});
            if (pass == 0) n += 1, sum += each;
            if (pass == 1) squares += (each - sum / n) * (each - sum / n);
          }
        }
      }
    }
  }
  return {sum / n, squares / n};
}

// x normalised by of(b, c), with gain and bias.
template <class Of>
Tensor by_hand(const Var& gain, const Var& bias, double epsilon, Of of) {
  std::vector<double> values;
  for (Size b = 0; b < B; ++b) {
    for (Size c = 0; c < C; ++c) {
      const Moments m = of(b, c);
      for (Size i = 0; i < H; ++i) {
        for (Size j = 0; j < W; ++j) {
          values.push_back((x.at({b, c, i, j}) - m.mean) / std::sqrt(m.variance + epsilon) * gain.value().at({c}) +
                           bias.value().at({c}));
        }
      }
    }
  }
  return numbers(values, x.shape());
}

}  // namespace

TEST_CASE("in training, batch normalisation agrees with plain loops over each channel of the batch") {
  BatchNorm layer = shaken(BatchNorm(C, 0.1, 1e-3));
  const Tensor expected = by_hand(layer.gain, layer.bias, 1e-3,
                                  [](Size, Size c) { return moments([c](Size, Size other) { return other == c; }); });
  check_agree(layer(Var(x), Mode::training), expected, 1e-13);
}

TEST_CASE("running statistics move towards those of the batch, the variance towards the unbiased one") {
  BatchNorm layer = shaken(BatchNorm(C, 0.25));
  layer(Var(x), Mode::training);
  const double n = B * H * W;
  for (Size c = 0; c < C; ++c) {
    const Moments m = moments([c](Size, Size other) { return other == c; });
    check_close(layer.running_mean.at({c}), 0.25 * m.mean, 1e-7);
    check_close(layer.running_variance.at({c}), 0.75 + 0.25 * m.variance * n / (n - 1), 1e-6);
  }
  for (int step = 0; step < 200; ++step) layer(Var(x), Mode::training);
  const Moments first = moments([](Size, Size other) { return other == 0; });
  check_close(layer.running_mean.at({0}), first.mean, 1e-6);
  check_close(layer.running_variance.at({0}), first.variance * n / (n - 1), 1e-6);
}

TEST_CASE("in evaluation the running statistics are used and stay, and a sample does not depend on the others") {
  BatchNorm layer = shaken(BatchNorm(C, 0.1, 1e-3));
  layer.running_mean = random({C}, DType::float64, 5);
  layer.running_variance = numbers({0.5, 1, 2, 3}, {C});
  const Tensor mean_before = layer.running_mean, variance_before = layer.running_variance;
  const Var y = layer(Var(x), Mode::evaluation);
  check_agree(y,
              by_hand(layer.gain, layer.bias, 1e-3,
                      [&](Size, Size c) {
                        return Moments{layer.running_mean.at({c}), layer.running_variance.at({c})};
                      }),
              1e-13);
  CHECK(same_bits(Var(layer.running_mean), Var(mean_before)));
  CHECK(same_bits(Var(layer.running_variance), Var(variance_before)));
  for (Size b = 0; b < B; ++b) {
    check_agree(layer(slice(Var(x), 0, b, 1), Mode::evaluation), slice(y, 0, b, 1), 1e-15);
  }
  CHECK(layer(Var(random({1, C})), Mode::evaluation).shape() == Shape{1, C});
}

TEST_CASE("what batch normalisation learns and does not learn begins at the identity") {
  BatchNorm layer(C);
  const Var narrow(random({B, C, H}, DType::float32));
  check_agree(layer(narrow, Mode::evaluation), narrow, 2e-5, 2e-5);  // but for epsilon
  std::string names;
  for (const auto& [name, parameter] : named_parameters(layer)) names += name + text(parameter.shape()) + " ";
  CHECK(names == "gain[4] bias[4] ");
  names.clear();
  for (const auto& [name, buffer] : named_buffers(layer)) names += name + text(buffer.shape()) + " ";
  CHECK(names == "running_mean[4] running_variance[4] ");
  CHECK(parameter_count(layer) == 2 * C);
}

TEST_CASE("running statistics go with the layer into another dtype") {
  BatchNorm layer(C);
  layer.running_mean = random({C}, DType::float32, 5);
  const BatchNorm wide = cast(layer, DType::float64);
  CHECK(wide.running_mean.dtype() == DType::float64);
  CHECK(wide.running_variance.dtype() == DType::float64);
  check_agree(Var(wide.running_mean), Var(layer.running_mean), 0);
}

TEST_CASE("batch normalisation refuses other channels, and a batch without a variance leaves it as it was") {
  BatchNorm layer(C);
  check_throws_with([&] { layer(Var(random({2, 3, 5})), Mode::training); }, {"batch_norm: ", "[2, 3, 5]", "[4]"});
  check_throws_with([&] { layer(Var(random({4})), Mode::evaluation); }, {"batch_norm: ", "[4]"});
  check_throws_with([&] { layer(Var(random({1, C})), Mode::training); }, {"batch_norm: ", "[1, 4]", "variance"});
  check_close(Var(layer.running_mean), {C}, {0, 0, 0, 0}, 0);
  check_throws_with([] { BatchNorm(0); }, {"batch_norm: ", "0"});
}

TEST_CASE("group normalisation agrees with plain loops over the groups of each sample") {
  for (Size groups : {1, 2, 4}) {
    const GroupNorm layer = shaken(GroupNorm(C, groups, 1e-3));
    const Size width = C / groups;
    const Tensor expected = by_hand(layer.gain, layer.bias, 1e-3, [width](Size b, Size c) {
      return moments([=](Size sample, Size other) { return sample == b && other / width == c / width; });
    });
    check_agree(layer(Var(x)), expected, 1e-13);
  }
}

TEST_CASE("group normalisation of one group of vectors is layer normalisation") {
  const GroupNorm layer = shaken(GroupNorm(C, 1));
  LayerNorm same(C);
  same.gain = layer.gain;
  same.bias = layer.bias;
  const Var vectors(random({B, C}));
  check_agree(layer(vectors), same(vectors), 1e-14);
}

TEST_CASE("group normalisation of a sample depends neither on the others nor on its scale and shift") {
  const GroupNorm layer = shaken(GroupNorm(C, 2, 0));
  const Var y = layer(Var(x));
  for (Size b = 0; b < B; ++b) check_agree(layer(slice(Var(x), 0, b, 1)), slice(y, 0, b, 1), 1e-14);
  check_agree(layer(3 * Var(x) + 5), y, 1e-13);
}

TEST_CASE("group normalisation refuses groups that do not divide the channels, and names both") {
  check_throws_with([] { GroupNorm(4, 3); }, {"group_norm: ", "3 groups", "4 channels"});
  check_throws_with([] { GroupNorm(4, 0); }, {"group_norm: ", "0 groups", "4 channels"});
  check_throws_with([] { GroupNorm(0, 1); }, {"group_norm: ", "0"});
  check_throws_with([] { GroupNorm(4, 2)(Var(random({2, 6, 3}))); }, {"group_norm: ", "[2, 6, 3]", "[4]"});
}

TEST_CASE("root-mean-square normalisation agrees with plain loops, and keeps the mean") {
  RMSNorm layer = cast(RMSNorm(W, 1e-3), DType::float64);
  layer.gain = Var::parameter(random({W}, DType::float64, 3));
  const Tensor y = layer(Var(x)).value();
  for (Size b = 0; b < B; ++b) {
    for (Size c = 0; c < C; ++c) {
      for (Size i = 0; i < H; ++i) {
        double squares = 0;
        for (Size j = 0; j < W; ++j) squares += x.at({b, c, i, j}) * x.at({b, c, i, j});
        for (Size j = 0; j < W; ++j) {
          const double expected = x.at({b, c, i, j}) / std::sqrt(squares / W + 1e-3) * layer.gain.value().at({j});
          check_close(y.at({b, c, i, j}), expected, 1e-14);
        }
      }
    }
  }
  check_close(RMSNorm(2, 0)(Var(Tensor::from({1, 7}, {2}))), {2}, {0.2, 1.4}, 1e-7);
}

TEST_CASE("root-mean-square normalisation refuses vectors of another size") {
  check_throws_with([] { RMSNorm(3)(Var(random({2, 4}))); }, {"rms_norm: ", "[2, 4]", "[3]"});
  check_throws_with([] { RMSNorm(1)(Var(random({}))); }, {"rms_norm: ", "[]", "[1]"});
  check_throws_with([] { RMSNorm(0); }, {"rms_norm: ", "0"});
}

TEST_CASE("a batch that batch normalisation refuses does not move the running statistics") {
  const BatchNorm layer(C);
  const auto unmoved = [&] {
    check_close(layer.running_mean, {C}, std::vector<double>(C, 0), 0);
    check_close(layer.running_variance, {C}, std::vector<double>(C, 1), 0);
  };
  check_throws_with([&] { layer(Var(x), Mode::training); }, {"batch_norm: ", "float64", "float32", text(x.shape())});
  unmoved();
  check_throws_with([&] { layer(Var(x), Mode::evaluation); }, {"batch_norm: ", "float64", "float32"});
  check_throws_with([&] { layer(Var(reshape(Tensor::arange(2 * C), {2, C})), Mode::training); }, {"batch_norm: "});
  unmoved();
}

TEST_CASE("a batch of nothing is normalised to nothing, and groups of nothing are refused") {
  CHECK(GroupNorm(4, 2)(Var(Tensor::zeros({0, 4, 3}))).shape() == Shape{0, 4, 3});
  CHECK(GroupNorm(4, 2)(Var(Tensor::zeros({0, 4}))).shape() == Shape{0, 4});
  check_throws_with([] { GroupNorm(4, 2)(Var(Tensor::zeros({2, 4, 0}))); }, {"group_norm: ", "[2, 4, 0]"});
}
