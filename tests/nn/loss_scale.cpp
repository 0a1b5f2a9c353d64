#include "nn/loss_scale.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>

#include "autograd/autocast.hpp"
#include "autograd/grad.hpp"
#include "nn/linear.hpp"
#include "nn/loss.hpp"
#include "nn/train.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

/// One number, of which the loss is a product.
struct Weight {
  Var w = Var::parameter(Tensor::ones({1}));
  void parameters(const Visit& visit) { visit("w", w); }
};

/// A loss whose gradient passes through float16 on its way to w, and is `slope` there.
auto loss_of_slope(double slope) {
  return [slope](const Weight& m, Rng& rng) {
    rng.uniform();
    return sum(cast(cast(m.w, DType::float16), DType::float32) * slope);
  };
}

// A regression in float16 with a small loss, as one part of many: the cotangents of its 32 · 64 predictions are about
// 3e-9, and float16 ends at 6e-8.
struct Regression {
  Tensor x = random({32, 16}, DType::float32, 1), y = random({32, 64}, DType::float32, 2);
  double share = 3e-6;

  double loss_after(Size steps, LossScaler* scaler, DType dtype) const {
    Rng rng(3);
    Linear model(16, 64, rng, false);
    SGD sgd(20 / share);
    const auto loss_of = [&](const Linear& m, Rng&) {
      const Autocast scope(dtype);
      return share * mean_squared_error(m(Var(x)), Var(y));
    };
    double loss = 0;
    for (Size t = 1; t <= steps; ++t) loss = train_step(model, sgd, loss_of, rng, {t, infinity, scaler}).loss;
    return loss / share;
  }
};

}  // namespace

TEST_CASE("a step that is good gives the gradients of the loss, whatever the scale") {
  for (double scale : {1.0, 1024.0, 65536.0}) {
    Weight model;
    LossScaler scaler(scale);
    SGD sgd(1);
    Rng rng(1);
    const auto [loss, norm] = train_step(model, sgd, loss_of_slope(0.25), rng, {1, infinity, &scaler});
    CHECK(loss == 0.25);
    CHECK(norm == 0.25);
    check_close(model.w, {1}, {0.75}, 0);
    CHECK(scaler.scale() == scale);
    CHECK(scaler.skipped() == 0);
  }
  const Var w = Var::parameter(random({3}, DType::float32));
  const LossScaler scaler;
  check_agree(scaled_gradients(sum(w * w), {w}, &scaler)[0], grad(sum(w * w), {w})[0], 0);
  check_agree(scaled_gradients(sum(w * w), {w}, nullptr)[0], grad(sum(w * w), {w})[0], 0);
}

TEST_CASE("a step with infinities is skipped and halves the scale; parameters and optimizer stay as they are") {
  Weight model, other;
  LossScaler scaler;  // 65536 · 1.5 is beyond float16
  Adam adam(0.1), other_adam(0.1);
  Rng rng(1);
  const auto node = model.w.node();
  const auto [loss, norm] = train_step(model, adam, loss_of_slope(1.5), rng, {1, 1.0, &scaler});
  CHECK(loss == 1.5);
  CHECK(std::isinf(norm));
  CHECK((model.w.node() == node));
  CHECK(adam.steps() == 0);
  CHECK(scaler.scale() == 32768);
  CHECK(scaler.skipped() == 1);
  Rng moved_on(1);
  moved_on.uniform();
  CHECK(rng == moved_on);  // the next step draws other numbers

  // The step after it is the first, for the optimizer too.
  train_step(model, adam, loss_of_slope(1.5), rng, {2, 1.0, &scaler});
  Rng of_other(1);
  train_step(other, other_adam, loss_of_slope(1.5), of_other, {1, 1.0});
  CHECK(same_bits(model.w, other.w));
  CHECK(adam.steps() == 1);
  CHECK(scaler.scale() == 32768);
}

TEST_CASE("the scale is doubled after so many good steps in a row, and a skipped step begins the count anew") {
  LossScaler scaler(8, 3);
  const auto good = [&](int steps) {
    for (int i = 0; i < steps; ++i) scaler.good_step();
    return scaler.scale();
  };
  CHECK(good(2) == 8);
  CHECK(good(1) == 16);
  CHECK(good(2) == 16);
  CHECK(scaler.skip());
  CHECK(scaler.scale() == 8);
  CHECK(good(2) == 8);
  CHECK(good(1) == 16);
  CHECK(good(3) == 32);
  LossScaler usual;
  for (int i = 0; i < 1999; ++i) usual.good_step();
  CHECK(usual.scale() == 65536);
  usual.good_step();
  CHECK(usual.scale() == 131072);
}

TEST_CASE("good steps of a training are counted, and skipped ones begin anew") {
  Weight model;
  LossScaler scaler(16384, 2);
  SGD sgd(1e-3);
  Rng rng(1);
  std::vector<double> scales;
  for (Size t = 1; t <= 8; ++t) {
    train_step(model, sgd, loss_of_slope(1.5), rng, {t, infinity, &scaler});
    scales.push_back(scaler.scale());
  }
  // 32768 · 1.5 fits into float16, 65536 · 1.5 does not.
  CHECK(scales == std::vector<double>{16384, 32768, 32768, 65536, 32768, 32768, 65536, 32768});
  CHECK(scaler.skipped() == 2);
}

TEST_CASE("gradients that no scale makes finite stop the training, with the scale at 1") {
  Weight model;
  LossScaler scaler(4);
  SGD sgd(0.1);
  Rng rng(1);
  const auto broken = [](const Weight& m, Rng&) { return sum(sqrt(m.w * 0.0)) + sum(m.w); };
  train_step(model, sgd, broken, rng, {1, infinity, &scaler});
  train_step(model, sgd, broken, rng, {2, infinity, &scaler});
  CHECK(scaler.scale() == 1);
  CHECK_THROWS_AS(train_step(model, sgd, broken, rng, {3, infinity, &scaler}), NotFinite);
  CHECK(scaler.scale() == 1);
  CHECK(scaler.skipped() == 2);
  check_close(model.w, {1}, {1}, 0);
}

TEST_CASE("a loss that is not finite is no matter of the scale, and stops at once") {
  Weight model;
  LossScaler scaler;
  SGD sgd(0.1);
  Rng rng(1);
  const auto broken = [](const Weight& m, Rng&) { return sum(log(m.w - 1.0)); };
  CHECK_THROWS_AS(train_step(model, sgd, broken, rng, {1, infinity, &scaler}), NotFinite);
  CHECK(scaler.scale() == 65536);
}

TEST_CASE("a scale that is no power of two is refused") {
  for (double wrong : {0.0, 0.5, -2.0, 1000.0, infinity, not_a_number}) {
    CHECK_THROWS_AS(LossScaler{wrong}, std::invalid_argument);
  }
  check_throws_with([] { LossScaler(2, 0); }, {"loss scaler", "0 steps"});
}

TEST_CASE("a training whose gradients are lost below float16 stands still, and goes on with a scale") {
  const Regression task;
  LossScaler scaler;
  const Size steps = 60;
  const double before = task.loss_after(1, nullptr, DType::float16);
  const double without = task.loss_after(steps, nullptr, DType::float16);
  const double with = task.loss_after(steps, &scaler, DType::float16);
  const double in_float32 = task.loss_after(steps, nullptr, DType::float32);
  std::printf("  loss at first %.4f; after %td steps in float16 %.4f, with scaling %.4f, in float32 %.4f\n", before,
              steps, without, with, in_float32);
  CHECK(without == before);  // not one weight has moved
  CHECK(with < 0.5 * before);
  check_close(with, in_float32, 0, 0.01);
}

TEST_CASE("without master weights an update below half of the last place is lost: 1 + 1/4096 in float16") {
  const auto trained = [](DType dtype) {
    Weight model;
    model.w = Var::parameter(Tensor::ones({1}, dtype));
    SGD sgd(1.0 / 4096);
    Rng rng(1);
    for (Size t = 1; t <= 8; ++t) {
      train_step(model, sgd, [](const Weight& m, Rng&) { return -sum(cast(m.w, DType::float16)); }, rng, {t});
    }
    return model.w;
  };
  check_close(trained(DType::float16), {1}, {1}, 0);
  check_close(trained(DType::float32), {1}, {1 + 8.0 / 4096}, 0);  // the master weights
  check_close(cast(trained(DType::float32), DType::float16), {1}, {1 + 8.0 / 4096}, 0);
}
