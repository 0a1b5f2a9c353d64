#include "tutorials/03_additive_attention/identities.hpp"

#include <cmath>
#include <limits>

#include "nn/gradcheck.hpp"
#include "nn/loss.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/gradients.hpp"
#include "tutorials/lesson/narration.hpp"
#include "tutorials/lesson/translation/recurrent_translator.hpp"

namespace attend::chapter03 {

using namespace translation;

namespace {

using lesson::largest_difference;

constexpr Size B = 2, Tq = 3, Tk = 4, Dq = 5, Dk = 6, Dv = 7, hidden = 8;  // all different, so that no mix-up can hide

Tensor random(const Shape& shape, Rng& rng) { return rng.normal(shape, 0, 1, DType::float64); }

// The formula once more, in plain loops: score = vᵀ tanh(W_q q + W_k k), softmax over the keys, Σ weight · value.
Tensor by_loops(const AdditiveAttention& layer, const Tensor& q, const Tensor& k, const Tensor& value) {
  const Tensor Wq = layer.query_projection.weight.value(), Wk = layer.key_projection.weight.value();
  const Tensor v = layer.v.value();
  std::vector<double> context;
  for (Size b = 0; b < B; ++b) {
    for (Size i = 0; i < Tq; ++i) {
      std::vector<double> e(Tk);
      double total = 0;
      for (Size j = 0; j < Tk; ++j) {
        double score = 0;
        for (Size h = 0; h < hidden; ++h) {
          double sum = 0;
          for (Size d = 0; d < Dq; ++d) sum += q.at({b, i, d}) * Wq.at({d, h});
          for (Size d = 0; d < Dk; ++d) sum += k.at({b, j, d}) * Wk.at({d, h});
          score += v.at({h}) * std::tanh(sum);
        }
        total += e[static_cast<std::size_t>(j)] = std::exp(score);
      }
      for (Size d = 0; d < Dv; ++d) {
        double sum = 0;
        for (Size j = 0; j < Tk; ++j) sum += e[static_cast<std::size_t>(j)] / total * value.at({b, j, d});
        context.push_back(sum);
      }
    }
  }
  return Tensor::from(context, {B, Tq, Dv}, DType::float64);
}

// How much the scores of a text of three symbols change when it stands beside one of five.
double beside_a_longer_text(Bridge bridge) {
  Rng rng(9);
  const RecurrentTranslator model = cast(RecurrentTranslator({5, 4, 6, 8}, bridge, rng), DType::float64);
  const Tensor alone = Tensor::from_ints({3, 1, 4}, {1, 3});
  const Tensor both = Tensor::from_ints({3, 1, 4, 0, 0, 2, 4, 1, 3, 2}, {2, 5});
  const Tensor asked = Tensor::from_ints({1, 3, 2}, {1, 3}), twice = Tensor::from_ints({1, 3, 2, 1, 3, 2}, {2, 3});
  return largest_difference(model(alone, {3}, asked).value(), slice(model(both, {3, 5}, twice), 0, 0, 1).value());
}

GradcheckReport check_translator(Rng& rng) {
  const RecurrentTranslator model({5, 4, 2, 3}, Bridge::attention, rng);
  const Tensor source = Tensor::from_ints({1, 2, 3, 4, 0, 0}, {2, 3}), target = Tensor::from_ints({1, 3, 2, 0}, {2, 2});
  return gradcheck_layer("the whole translator", model, {}, [&](const RecurrentTranslator& m, const Vars&) {
    return m(source, {3, 1}, target);
  });
}

std::vector<GradcheckReport> gradient_checks() {
  Rng rng(7);
  const AdditiveAttention attention(Dq, Dk, hidden, rng);
  const std::vector<Tensor> inputs = {random({B, Tq, Dq}, rng), random({B, Tk, Dk}, rng), random({B, Tk, Dv}, rng)};
  const auto attend_with = [](const Mask& mask) {
    return [mask](const AdditiveAttention& layer, const Vars& in) { return layer(in[0], in[1], in[2], mask).context; };
  };
  const GRU gru(3, 4, rng);
  const Tensor classes = Tensor::from_ints({2, 0, -1}, {3});
  return {
      gradcheck_layer("additive attention", attention, inputs, attend_with({})),
      gradcheck_layer("additive attention, padded", attention, inputs, attend_with(padding_mask({4, 2}, Tk))),
      gradcheck_layer("GRU", gru, {random({2, 3, 3}, rng)},
                      [](const GRU& layer, const Vars& in) {
                        return layer(in[0], {}, {3, 2}).states;
                      }),
      gradcheck("cross-entropy", [&](const Vars& x) { return cross_entropy(x[0], classes); }, {random({3, 4}, rng)}),
      check_translator(rng)};
}

}  // namespace

void claim_identities(Bridge bridge, lesson::Claims& claims) {
  Rng rng(5);
  AdditiveAttention layer = cast(AdditiveAttention(Dq, Dk, hidden, rng), DType::float64);
  const Tensor q = random({B, Tq, Dq}, rng), k = random({B, Tk, Dk}, rng), value = random({B, Tk, Dv}, rng);
  const Attended seen = layer(q, k, value);

  claims.below("layer against the formula in plain loops, difference",
               largest_difference(seen.context.value(), by_loops(layer, q, k, value)), 1e-12);
  claims.below("weights of a query: their sum, less 1",
               largest_difference(sum(seen.weights, {-1}).value(), Tensor::ones({B, Tq}, DType::float64)), 1e-12);

  // Padding with NaN in it: the second text has two keys, and what stands behind them has no part in anything.
  const Mask mask = padding_mask({Tk, 2}, Tk);
  const Tensor nan = Tensor::full({}, std::numeric_limits<double>::quiet_NaN(), DType::float64);
  const Tensor visible = unsqueeze(mask.visible_keys(), -1);
  const Attended clean = layer(q, k, value, mask);
  const Attended dirty = layer(q, kernel::where(visible, k, nan), kernel::where(visible, value, nan), mask);
  claims.below("NaN in the padding, difference it makes",
               largest_difference(clean.context.value(), dirty.context.value()), 1e-15);

  layer.query_projection.weight = Var(Tensor::zeros({Dq, hidden}, DType::float64));
  const Var rows = layer(q, k, value).weights;
  claims.below("W_q = 0: all queries look alike, difference",
               largest_difference(slice(rows, 1, 0, Tq - 1).value(), slice(rows, 1, 1, Tq - 1).value()), 1e-15);
  claims.below("a text alone, and beside a longer one: difference", beside_a_longer_text(bridge), 1e-12);
}

void claim_gradients(lesson::Claims& claims) { lesson::claim_gradients(gradient_checks(), claims); }

}  // namespace attend::chapter03
