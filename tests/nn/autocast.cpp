// Layers whose activations are half: what becomes of their numbers, their gradients, and of what they remember.
#include "autograd/autocast.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>

#include "nn/attention/additive.hpp"
#include "nn/attention/multi_head.hpp"
#include "nn/attention/squeeze_excitation.hpp"
#include "nn/conv.hpp"
#include "nn/embedding.hpp"
#include "nn/gru.hpp"
#include "nn/layer_norm.hpp"
#include "nn/loss.hpp"
#include "nn/lstm.hpp"
#include "nn/norm.hpp"
#include "nn/pool.hpp"
#include "nn/transformer.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr DType f16 = DType::float16, f32 = DType::float32;

Tensor input(const Shape& shape, std::uint64_t seed = 3) { return random(shape, f32, seed); }

double largest(const Tensor& x) {
  double most = 0;
  for (double value : x.to_vector()) most = std::max(most, std::fabs(value));
  return most;
}

// The largest difference, as a part of the largest number in all of them: the gradient of a key's bias is 0 but for
// rounding.
double error_of(const Vars& found, const Vars& expected) {
  double most = 0, size = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    most = std::max(most, largest(kernel::sub(kernel::cast(found[i].value(), f32), expected[i].value())));
    size = std::max(size, largest(expected[i].value()));
  }
  return most / size;
}

/// The layer's result has the dtype that is expected, for inputs of float32 and of half; its numbers and all gradients
/// are near those of float32; those of parameters are float32.
template <class Layer, class F>
void check_layer(const std::string& name, const Layer& layer, const std::vector<Shape>& shapes, DType of_float32,
                 DType of_half, const F& f) {
  INFO(name);
  Vars inputs, all;
  for (std::size_t i = 0; i < shapes.size(); ++i) inputs.push_back(Var::parameter(input(shapes[i], i + 3)));
  all = inputs;
  for (const Var& parameter : parameters(layer)) all.push_back(parameter);
  const Var plain = f(layer, inputs), gy(random(plain.shape(), f32, 9));
  const Vars expected = grad(plain, all, gy);
  double worst_value = 0, worst_gradient = 0;
  for (bool half_inputs : {false, true}) {
    if (half_inputs) {
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        all[i] = inputs[i] = Var::parameter(kernel::cast(inputs[i].value(), f16));
      }
    }
    Var y;
    {
      const Autocast scope(f16);
      y = f(layer, inputs);
    }
    CHECK(name_of(y.dtype()) == name_of(half_inputs ? of_half : of_float32));
    const Vars found = grad(y, all, cast(gy, y.dtype()));
    worst_value = std::max(worst_value, error_of({y}, {plain}));
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(name_of(found[i].dtype()) == name_of(all[i].dtype()));
    worst_gradient = std::max(worst_gradient, error_of(found, expected));
  }
  std::printf("  %-28s %.1e   %.1e\n", name.c_str(), worst_value, worst_gradient);
  CHECK(worst_value < 0.005);
  CHECK(worst_gradient < 0.005);
}

const auto plainly = [](const auto& layer, const Vars& xs) { return layer(xs[0]); };

}  // namespace

TEST_CASE("layers give half, norms and losses float32, and the gradients of parameters are float32") {
  std::printf("  float16 against float32      values    gradients\n");
  Rng rng(1);
  check_layer("Linear", Linear(6, 4, rng), {{3, 6}}, f16, f16, plainly);
  check_layer("Conv2d", Conv2d(3, 4, 3, rng, {{1, 1, 1, 1}, true}), {{2, 3, 5, 5}}, f16, f16, plainly);
  check_layer("Embedding", Embedding(5, 4, rng), {}, f32, f32, [](const Embedding& layer, const Vars&) {
    return layer(Tensor::from_ints({3, 0, 3}, {3}));
  });
  check_layer("GRU", GRU(4, 5, rng), {{2, 6, 4}}, f16, f16, [](const GRU& layer, const Vars& xs) {
    return layer(xs[0], {}, {6, 3}).states;
  });
  check_layer("LSTM", LSTM(4, 5, rng), {{2, 6, 4}}, f16, f16, [](const LSTM& layer, const Vars& xs) {
    return layer(xs[0], {}, {6, 3}).states;
  });
  check_layer("AdditiveAttention", AdditiveAttention(4, 3, 5, rng), {{2, 3, 4}, {2, 6, 3}, {2, 6, 5}}, f16, f16,
              [](const AdditiveAttention& layer, const Vars& xs) {
                return layer(xs[0], xs[1], xs[2], padding_mask({6, 4}, 6)).context;
              });
  check_layer("MultiHeadAttention", MultiHeadAttention(8, 2, rng), {{2, 5, 8}}, f16, f16,
              [](const MultiHeadAttention& layer, const Vars& xs) { return layer(xs[0], causal_mask(5, 5)).context; });
  check_layer("SqueezeExcitation", SqueezeExcitation(8, 4, rng), {{2, 8, 3, 3}}, f16, f16, plainly);
  TransformerOptions options;
  options.size = 8;
  options.heads = 2;
  options.hidden = 16;
  options.norm = NormPlace::after;
  check_layer("EncoderLayer, norm after", EncoderLayer(options, rng), {{2, 5, 8}}, f32, f32,
              [](const EncoderLayer& layer, const Vars& xs) { return layer(xs[0], causal_mask(5, 5)); });
  options.norm = NormPlace::before;
  check_layer("EncoderLayer, norm before", EncoderLayer(options, rng), {{2, 5, 8}}, f16, f16,
              [](const EncoderLayer& layer, const Vars& xs) { return layer(xs[0]); });
  check_layer("DecoderLayer, norm before", DecoderLayer(options, rng), {{2, 5, 8}, {2, 4, 8}}, f16, f16,
              [](const DecoderLayer& layer, const Vars& xs) { return layer(xs[0], xs[1]).context; });

  check_layer("LayerNorm", LayerNorm(6), {{3, 6}}, f32, f32, plainly);
  check_layer("RMSNorm", RMSNorm(6), {{3, 6}}, f32, f32, plainly);
  check_layer("GroupNorm", GroupNorm(6, 2), {{3, 6, 4}}, f32, f32, plainly);
  for (Mode mode : {Mode::training, Mode::evaluation}) {
    check_layer(mode == Mode::training ? "BatchNorm, training" : "BatchNorm, evaluation", BatchNorm(6), {{3, 6, 4}},
                f32, f32, [mode](const BatchNorm& layer, const Vars& xs) { return layer(xs[0], mode); });
  }

  struct Nothing {
    void parameters(const Visit&) {}
  };
  const Tensor targets = Tensor::from_ints({0, 3, -1, 2}, {4});
  CrossEntropyOptions smooth;
  smooth.label_smoothing = 0.1;
  check_layer("cross_entropy", Nothing(), {{4, 5}}, f32, f32,
              [&](const Nothing&, const Vars& xs) { return cross_entropy(xs[0], targets, smooth); });
  check_layer("negative_log_likelihood", Nothing(), {{4, 5}}, f32, f32,
              [&](const Nothing&, const Vars& xs) { return negative_log_likelihood(xs[0], targets); });
  check_layer("mean_squared_error", Nothing(), {{4, 5}, {4, 5}}, f32, f32,
              [](const Nothing&, const Vars& xs) { return mean_squared_error(xs[0], xs[1]); });
  check_layer("binary_cross_entropy", Nothing(), {{4, 5}, {4, 5}}, f32, f32,
              [](const Nothing&, const Vars& xs) { return binary_cross_entropy(xs[0], xs[1]); });
  check_layer("global_average_pool", Nothing(), {{2, 3, 4, 4}}, f32, f32,
              [](const Nothing&, const Vars& xs) { return global_average_pool(xs[0]); });
  check_layer("max_pool", Nothing(), {{2, 3, 4, 4}}, f32, f16, [](const Nothing&, const Vars& xs) {
    return max_pool(xs[0], {2, 2, 0, false});
  });
}

TEST_CASE("a norm's squares and a loss's count of targets are float32: in float16 both would be infinite") {
  const Autocast scope(f16);
  const Var x(kernel::cast(Tensor::from({-600, 600}, {1, 2}), f16));
  check_close(LayerNorm(2)(x), {1, 2}, {-1, 1}, 1e-6);
  check_close(RMSNorm(2)(x), {1, 2}, {-1, 1}, 1e-6);
  check_close(GroupNorm(2, 1)(x), {1, 2}, {-1, 1}, 1e-6);
  check_close(BatchNorm(1)(transpose(x), Mode::training), {2, 1}, {-1, 1}, 1e-6);
  const Size n = 70000;
  const Tensor targets = Tensor::from_ints(std::vector<std::int64_t>(n, 1), {n});
  check_close(cross_entropy(Var(Tensor::zeros({n, 2}, f16)), targets), {}, {std::log(2)}, 1e-5);
}

TEST_CASE("a target of float32 and a prediction of half have a loss, and it is float32") {
  const Var target(Tensor::from({1 + 0x1p-20, 0}, {2})), prediction(Tensor::from({1, 0}, {2}, f16));
  const Autocast scope(f16);
  check_close(mean_squared_error(prediction, target), {}, {0x1p-41}, 0);
}

TEST_CASE("transformer layers remember less than 0.7 of their bytes under autocast") {
  std::printf("  history of two encoder layers, D 64, 4 heads     float32      float16\n");
  for (const auto& [B, T] : {std::pair<Size, Size>{64, 16}, {16, 64}, {4, 256}}) {
    for (NormPlace place : {NormPlace::after, NormPlace::before}) {
      for (double dropout : {0.0, 0.1}) {
        TransformerOptions options;
        options.size = 64;
        options.heads = 4;
        options.hidden = 256;
        options.norm = place;
        options.dropout = dropout;
        Rng rng(1);
        const EncoderLayer first(options, rng), second(options, rng);
        const Var x = Var::parameter(input({B, T, 64}));
        const auto bytes_of_history = [&](DType dtype) {
          const Autocast scope(dtype);
          const auto before = live().bytes;
          Rng draws(2);
          const Var loss = sum(second(first(x, Mask(), &draws), Mask(), &draws));
          return static_cast<double>(live().bytes - before);
        };
        const double plain = bytes_of_history(f32), half = bytes_of_history(f16);
        std::printf("  B %2td, T %3td, norm %-6s dropout %.1f  %8.2f MiB %8.2f MiB   %.3f\n", B, T,
                    place == NormPlace::after ? "after," : "before,", dropout, plain / 1048576, half / 1048576,
                    half / plain);
        CHECK(half < 0.7 * plain);
      }
    }
  }
}
