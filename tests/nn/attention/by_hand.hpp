// Attention in plain loops, and the masks that the tests of every variant go through.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "nn/linear.hpp"
#include "nn/mask.hpp"
#include "tests/nn/layers.hpp"
#include "tests/support/special.hpp"

namespace attend::test {

/// Whether query i of sequence b may attend to key j.
using Allowed = std::function<bool(Size b, Size i, Size j)>;
/// What is added to the score of query i and key j.
using ScoreBias = std::function<double(Size i, Size j)>;

struct ByHand {
  Tensor context, weights;
};

/// softmax(scale · q kᵀ + bias) v over the allowed keys: q [B, Tq, D], k [B, Tk, D], v [B, Tk, Dv].
inline ByHand attend_by_hand(const Tensor& q, const Tensor& k, const Tensor& v, double scale, const Allowed& allowed,
                             const ScoreBias& bias = {}) {
  const Size B = q.shape()[0], Tq = q.shape()[1], Tk = k.shape()[1], D = q.shape()[2], Dv = v.shape()[2];
  std::vector<double> weights, context;
  for (Size b = 0; b < B; ++b) {
    for (Size i = 0; i < Tq; ++i) {
      std::vector<double> e;
      double total = 0;
      for (Size j = 0; j < Tk; ++j) {
        double score = 0;
        for (Size c = 0; c < D; ++c) score += q.at({b, i, c}) * k.at({b, j, c});
        e.push_back(allowed(b, i, j) ? std::exp(scale * score + (bias ? bias(i, j) : 0)) : 0);
        total += e.back();
      }
      for (double& each : e) each = total > 0 ? each / total : 0;
      weights.insert(weights.end(), e.begin(), e.end());
      for (Size c = 0; c < Dv; ++c) {
        double sum = 0;
        for (Size j = 0; j < Tk; ++j) sum += e[static_cast<std::size_t>(j)] * v.at({b, j, c});
        context.push_back(sum);
      }
    }
  }
  return {numbers(context, {B, Tq, Dv}), numbers(weights, {B, Tq, Tk})};
}

/// x [B, T, in] · W [in, out] + b, and of its result the columns from `first` on.
inline Tensor project_by_hand(const Linear& layer, const Tensor& x, Size first, Size count) {
  const Size B = x.shape()[0], T = x.shape()[1], in = x.shape()[2];
  std::vector<double> values;
  for (Size b = 0; b < B; ++b) {
    for (Size t = 0; t < T; ++t) {
      for (Size o = first; o < first + count; ++o) {
        double sum = layer.bias.defined() ? layer.bias.value().at({o}) : 0;
        for (Size c = 0; c < in; ++c) sum += x.at({b, t, c}) * layer.weight.value().at({c, o});
        values.push_back(sum);
      }
    }
  }
  return numbers(values, {B, T, count});
}

struct MaskMode {
  std::string name;
  Mask mask;
  Allowed allowed;
};

/// Every kind of mask, for two sequences; some leave a query, or a whole sequence, without any key.
inline std::vector<MaskMode> mask_modes(Size Tq, Size Tk) {
  const Size ahead = Tk - Tq;
  const auto causal = [=](Size, Size i, Size j) { return j <= i + ahead; };
  return {{"no mask", Mask(), [](Size, Size, Size) { return true; }},
          {"padding", padding_mask({Tk, Tk - 2}, Tk), [=](Size b, Size, Size j) { return b == 0 || j < Tk - 2; }},
          {"padding, a sequence without any key", padding_mask({0, Tk - 1}, Tk),
           [=](Size b, Size, Size j) { return b == 1 && j < Tk - 1; }},
          {"causal", causal_mask(Tq, Tk), causal},
          {"band", band_mask(Tq, Tk, 1, 0), [=](Size, Size i, Size j) { return j == i + ahead || j == i + ahead - 1; }},
          {"causal and padding", causal_mask(Tq, Tk) & padding_mask({Tk - 1, 1}, Tk),
           [=](Size b, Size i, Size j) { return causal(b, i, j) && j < (b == 0 ? Tk - 1 : 1); }}};
}

/// x [B, T, D] with `filler` from position lengths[b] on.
inline Tensor padded(const Tensor& x, const std::vector<Size>& lengths, double filler) {
  std::vector<double> values = x.to_vector();
  const Size T = x.shape()[1], D = x.shape()[2];
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    const Size from = (static_cast<Size>(b) * T + lengths[b]) * D, to = (static_cast<Size>(b) + 1) * T * D;
    std::fill(values.begin() + from, values.begin() + to, filler);
  }
  return Tensor::from(values, x.shape(), x.dtype());
}

/// Whatever stands in the padding, NaN included, `run` of it gives the same: results and derivatives.
inline void check_padding_unseen(const std::function<Vars(double filler)>& run) {
  const Vars expected = run(0);
  for (double filler : {-3.0, 1e300, not_a_number}) {
    INFO("padding: ", filler);
    const Vars found = run(filler);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(same_bits(found[i], expected[i]));
  }
}

/// x [B, T, D] with zeros at the positions that no query may attend to: what self-attention makes of its input.
inline Tensor without_invisible(const Tensor& x, const Allowed& allowed) {
  std::vector<double> values = x.to_vector();
  const Size B = x.shape()[0], T = x.shape()[1], D = x.shape()[2];
  for (Size b = 0; b < B; ++b) {
    for (Size j = 0; j < T; ++j) {
      bool visible = false;
      for (Size i = 0; i < T; ++i) visible = visible || allowed(b, i, j);
      const Size from = (b * T + j) * D;
      if (!visible) std::fill(values.begin() + from, values.begin() + from + D, 0.0);
    }
  }
  return numbers(values, x.shape());
}

/// One sequence of a batch.
inline Var of_batch(const Var& x, Size b) { return slice(x, 0, b, 1); }

/// Context and weights as one vector, so that a derivative through either counts.
inline Var everything(const Var& context, const Var& weights) {
  return concat({reshape(context, {-1}), reshape(weights, {-1})}, 0);
}

/// The layer with normal numbers for all parameters, the biases and gains that begin at 0 and 1 among them; float64.
template <class Layer>
Layer shaken(const Layer& layer, std::uint64_t seed = 7, double deviation = 0.5) {
  Layer exact = cast(layer, DType::float64);
  rebind(exact, [&](const Var& parameter, std::size_t place) {
    return (deviation * Var(random(parameter.shape(), DType::float64, seed + place))).value();
  });
  return exact;
}

}  // namespace attend::test
