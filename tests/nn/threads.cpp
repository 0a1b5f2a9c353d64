// Pitfall O-59: layers so large that every kernel that can divides its work, trained with one thread and with several.
#include "tests/support/threads.hpp"

#include <doctest/doctest.h>

#include "nn/attention/image.hpp"
#include "nn/gru.hpp"
#include "nn/loss.hpp"
#include "nn/pool.hpp"
#include "nn/train.hpp"
#include "nn/transformer.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr DType f32 = DType::float32;
constexpr Size B = 4, T = 192, size = 96, heads = 4, side = 14, channels = 32;

// Whether a kernel of this size is divided among threads.
template <class F>
bool divides(const F& f) {
  const Threads two(2);
  const Size before = divided_calls();
  f();
  return divided_calls() > before;
}

// The parameters after so many steps of Adam.
template <class Model, class LossOf>
Vars trained(Model model, Size steps, const LossOf& loss_of) {
  Adam adam(1e-3);
  Rng rng(7);
  for (Size i = 1; i <= steps; ++i) train_step(model, adam, loss_of, rng, {i, 1.0});
  return parameters(model);
}

// A recurrent layer and an encoder layer over [B, T, size].
struct TextModel {
  GRU gru;
  EncoderLayer encoder;
  explicit TextModel(Rng& rng, bool blockwise)
      : gru(size, size, rng), encoder({size, heads, 2 * size, 0.1, NormPlace::before, blockwise}, rng) {}
  Var operator()(const Var& x, Rng& rng) const { return encoder(x + gru(x).states, causal_mask(T, T), &rng); }
  void parameters(const Visit& visit) {
    visit("gru", gru);
    visit("encoder", encoder);
  }
};

// A convolution with attention beside it, a norm and pooling over [B, channels, side, side].
struct ImageModel {
  AugmentedConv2d conv;
  BatchNorm norm;
  explicit ImageModel(Rng& rng) : conv(channels, 2 * channels, 3, 32, 32, heads, side, side, rng), norm(2 * channels) {}
  Var operator()(const Var& x) const { return max_pool(relu(norm(conv(x), Mode::training)), {}); }
  void parameters(const Visit& visit) {
    visit("conv", conv);
    visit("norm", norm);
  }
};

}  // namespace

TEST_CASE("at these sizes products, softmax, sums, maps and convolutions are divided among threads") {
  const Tensor x = random({B, T, size}, f32), scores = random({B, heads, T, T}, f32),
               image = random({8 * B, channels, side, side}, f32);
  const Tensor w = random({size, 3 * size}, f32), filter = random({2 * channels, channels, 3, 3}, f32);
  CHECK(divides([&] { kernel::matmul(reshape(x, {B * T, size}), w); }));
  CHECK(divides([&] { kernel::matmul(scores, scores); }));
  CHECK(divides([&] { kernel::softmax(scores); }));
  CHECK(divides([&] { kernel::sum(x, {-1}, false); }));
  CHECK(divides([&] { kernel::sum(x, {0, 1}, false); }));
  CHECK(divides([&] { kernel::tanh(x); }));
  CHECK(divides([&] { kernel::add(x, slice(x, 2, 0, 1)); }));
  CHECK(divides([&] { conv2d(Var(image), Var(filter), Var(), {}); }));
  CHECK(!divides([&] { kernel::softmax(slice(scores, 0, 0, 0)); }));
}

TEST_CASE("large layers train to the same bits with 1, 2 and 3 threads (O-59)") {
  constexpr Size steps = 2;
  const Var x(random({B, T, size}, f32)), y(random({B, T, size}, f32, 2));
  for (const bool blockwise : {false, true}) {
    const auto train = [&] {
      Rng rng(1);
      return trained(TextModel(rng, blockwise), steps,
                     [&](const TextModel& model, Rng& own) { return mean_squared_error(model(x, own), y); });
    };
    check_threads_change_no_bit(train, 50 * steps);
  }
}

TEST_CASE("layers for images train to the same bits with 1, 2 and 3 threads (O-59)") {
  constexpr Size steps = 3;
  const Var x(random({8 * B, channels, side, side}, f32)), y(random({8 * B, 2 * channels, side / 2, side / 2}, f32, 2));
  const auto train = [&] {
    Rng rng(1);
    return trained(ImageModel(rng), steps,
                   [&](const ImageModel& model, Rng&) { return mean_squared_error(model(x), y); });
  };
  check_threads_change_no_bit(train, 50 * steps);
}
