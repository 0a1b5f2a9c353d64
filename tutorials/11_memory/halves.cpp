#include "tutorials/11_memory/halves.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/autocast.hpp"
#include "autograd/kept.hpp"
#include "nn/linear.hpp"
#include "nn/loss.hpp"
#include "nn/loss_scale.hpp"
#include "nn/optimizer.hpp"
#include "tutorials/lesson/batches.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/images.hpp"
#include "tutorials/lesson/stopwatch.hpp"

namespace attend::chapter11 {
namespace {

constexpr Size pixels = 64, hidden = 128, classes = 10, training_images = 1437, batch = 240;
constexpr double usual_rate = 0.3;

struct Network {
  Linear first, second, head;

  explicit Network(Rng& rng) : first(pixels, hidden, rng), second(hidden, hidden, rng), head(hidden, classes, rng) {}
  Var hidden_layer(const Var& x) const { return relu(first(x)); }
  Var scores(const Var& h) const { return head(relu(second(h))); }
  Var operator()(const Var& x) const { return scores(hidden_layer(x)); }
  void parameters(const Visit& visit) {
    visit("first", first);
    visit("second", second);
    visit("head", head);
  }
};

/// One number.
struct Weight {
  Var w;
  void parameters(const Visit& visit) { visit("w", w); }
};

struct Digits {
  lesson::Images training, test;

  explicit Digits(std::uint64_t seed) {
    const lesson::Images all = lesson::digits8x8();
    Rng rng(seed + 100);
    const std::vector<std::int64_t> order = rng.permutation(all.size());
    training = all.select({order.begin(), order.begin() + training_images});
    test = all.select({order.begin() + training_images, order.end()});
  }
};

// Without master weights the images have the format of the weights, and the loss is computed in float32 all the same.
Var loss_of(const Network& network, const lesson::Images& images, const Precision& precision) {
  const Autocast scope(precision.weights == DType::float32 ? precision.activations : DType::float32);
  const Var x = cast(Var(reshape(images.pixels, {-1, pixels})), precision.weights);
  return precision.share * cross_entropy(cast(network(x), DType::float32), images.labels);
}

double accuracy_of(const Network& network, const lesson::Images& images, const Precision& precision) {
  const Recording off(false);
  const Var x = cast(Var(reshape(images.pixels, {-1, pixels})), precision.weights);
  return lesson::share_equal(argmax(network(x), 1), images.labels);
}

// How many of the updates −rate · g were other than 0, and how many of these left their weight as it was.
struct Updates {
  double wanted = 0, lost = 0;

  void count(const Vars& before, const Vars& after, const Vars& gradients) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      const std::vector<double> w = before[i].value().to_vector(), v = after[i].value().to_vector(),
                                g = gradients[i].value().to_vector();
      for (std::size_t k = 0; k < g.size(); ++k) {
        if (g[k] == 0 || !std::isfinite(g[k])) continue;
        wanted += 1;
        lost += w[k] == v[k] ? 1 : 0;
      }
    }
  }
};

// One step of gradient descent; where a gradient is not finite, the scale is halved and the step skipped.
void step(Network& network, SGD& sgd, Var loss, LossScaler* scaler, Updates& updates) {
  const Vars before = parameters(network);
  const Vars gradients = scaled_gradients(std::move(loss), before, scaler);
  if (scaler && !std::isfinite(norm_of(gradients))) {
    scaler->skip();
    return;
  }
  sgd.step(network, gradients);
  if (scaler) scaler->good_step();
  updates.count(before, parameters(network), gradients);
}

Network learn(const Precision& precision, double rate, const Digits& digits, Size epochs, std::uint64_t seed,
              Trained& result) {
  Rng rng(seed);
  Network network = cast(Network(rng), precision.weights);
  SGD sgd(rate / precision.share);
  LossScaler scaler;
  for (Size epoch = 1; epoch <= epochs; ++epoch) {
    Updates updates;
    std::vector<double> losses;
    for (const std::vector<std::int64_t>& ids : lesson::shuffled_batches(training_images, batch, rng)) {
      const lesson::ProcessorStopwatch watch;
      Var loss = loss_of(network, digits.training.select(ids), precision);
      losses.push_back(loss.item() / precision.share);
      if (epoch == 1 && losses.size() == 1) {
        result.first_loss = losses[0];
        result.remembered = kept_bytes(loss);
      }
      step(network, sgd, std::move(loss), precision.scaled ? &scaler : nullptr, updates);
      result.seconds += watch.seconds();
    }
    result.loss = std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
    result.lost = updates.wanted > 0 ? updates.lost / updates.wanted : 1;
  }
  result.last_scale = precision.scaled ? scaler.scale() : 1;
  return network;
}

Tensor format_numbers(const std::vector<double>& values, DType dtype) {
  return Tensor::from(values, {static_cast<Size>(values.size())}, dtype);
}

}  // namespace

double rounded(double x, DType dtype) { return format_numbers({x}, dtype).at({0}); }

Format format_of(DType dtype) {
  Format format{dtype, 1, 1, 1, 1};
  const auto fits = [&](double x) { return std::isfinite(rounded(x, dtype)); };
  while (rounded(1 + format.spacing / 2, dtype) > 1) format.spacing /= 2;
  while (rounded(format.smallest / 2, dtype) > 0) format.smallest /= 2;
  const double digits = 1 + format.spacing;
  while (rounded(digits * format.smallest_whole / 2, dtype) == digits * format.smallest_whole / 2) {
    format.smallest_whole /= 2;
  }
  double power = 1;
  while (fits(2 * power)) power *= 2;
  format.largest = power * (2 - format.spacing);  // all digits are 1
  return format;
}

double after_steps(DType weights, double rate, double gradient, Size steps) {
  Weight model{Var::parameter(Tensor::ones({1}, weights))};
  SGD sgd(rate);
  for (Size i = 0; i < steps; ++i) sgd.step(model, {Var(Tensor::full({1}, gradient, weights))});
  return model.w.item();
}

std::vector<Precision> precisions() {
  const DType single = DType::float32, half = DType::float16, brain = DType::bfloat16;
  return {{"float32", single, single},
          {"float16, master", half, single, true},
          {"bfloat16, master", brain, single},
          {"float16 alone", half, half, true},
          {"bfloat16 alone", brain, brain}};
}

Trained train_digits(const Precision& precision, double rate, Size epochs, std::uint64_t seed) {
  const Digits digits(seed);
  Trained result{};
  const Network network = learn(precision, rate, digits, epochs, seed, result);
  result.accuracy = accuracy_of(network, digits.test, precision);
  for (const Var& w : parameters(network)) result.weight_bytes += w.size() * width(w.dtype());
  return result;
}

Vanished vanished_gradients(Size epochs, std::uint64_t seed) {
  const Digits digits(seed);
  Trained unused{};
  const Precision single = precisions()[0];
  const Network network = learn(single, usual_rate, digits, epochs, seed, unused);
  // The derivatives at the numbers before the second layer, of the loss of all training images.
  const Var h = Var::parameter(network.hidden_layer(reshape(digits.training.pixels, {-1, pixels})).value());
  const auto derivatives = [&](DType activations, const LossScaler* scaler) {
    const Autocast scope(activations);
    Var loss = cross_entropy(cast(network.scores(h), DType::float32), digits.training.labels);
    return scaled_gradients(std::move(loss), {h}, scaler)[0].value().to_vector();
  };
  const LossScaler scaler;
  const std::vector<double> exact = derivatives(DType::float32, nullptr), plain = derivatives(DType::float16, nullptr),
                            scaled = derivatives(DType::float16, &scaler);
  double wanted = 0;
  Vanished vanished{0, 0};
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (exact[i] == 0) continue;
    wanted += 1;
    vanished.without += plain[i] == 0 ? 1 : 0;
    vanished.with += scaled[i] == 0 ? 1 : 0;
  }
  return {vanished.without / wanted, vanished.with / wanted};
}

}  // namespace attend::chapter11
