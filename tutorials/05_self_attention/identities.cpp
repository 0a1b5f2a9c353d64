#include "tutorials/05_self_attention/identities.hpp"

#include <cmath>
#include <utility>

#include "nn/attention/self_attention.hpp"
#include "nn/gradcheck.hpp"
#include "tutorials/05_self_attention/dictionary.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/gradients.hpp"

namespace attend::chapter05 {
namespace {

constexpr Size B = 2, T = 5, E = 4;  // all different, so that no mix-up can hide

SelfAttention exact_layer(Rng& rng) {
  SelfAttention layer = cast(SelfAttention(E, rng), DType::float64);
  layer.output.bias = Var::parameter(rng.normal({E}, 0, 1, DType::float64));  // it begins at 0, where it would not show
  return layer;
}

Tensor random_words(Rng& rng) { return rng.normal({B, T, E}, 0, 1, DType::float64); }

using Rows = std::vector<std::vector<double>>;

// Sentence b of x times a matrix.
Rows project(const Tensor& x, Size b, const Tensor& matrix) {
  Rows rows(static_cast<std::size_t>(T), std::vector<double>(static_cast<std::size_t>(E)));
  for (Size i = 0; i < T; ++i) {
    for (Size e = 0; e < E; ++e) {
      for (Size d = 0; d < E; ++d) {
        rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(e)] += x.at({b, i, d}) * matrix.at({d, e});
      }
    }
  }
  return rows;
}

// The printed lines one by one: energy = Q Kᵀ / embed_size^(1/2), attention = softmax, out = attention V, fc_out.
Tensor by_loops(const SelfAttention& layer, const Tensor& x) {
  std::vector<double> result;
  for (Size b = 0; b < B; ++b) {
    const Rows Q = project(x, b, layer.queries.weight.value()), K = project(x, b, layer.keys.weight.value());
    const Rows V = project(x, b, layer.values.weight.value());
    for (const std::vector<double>& q : Q) {
      std::vector<double> out(static_cast<std::size_t>(E));
      double total = 0;
      for (std::size_t j = 0; j < K.size(); ++j) {
        double energy = 0;
        for (std::size_t e = 0; e < q.size(); ++e) energy += q[e] * K[j][e];
        const double weight = std::exp(energy / std::pow(static_cast<double>(E), 0.5));
        total += weight;
        for (std::size_t e = 0; e < q.size(); ++e) out[e] += weight * V[j][e];
      }
      for (Size e = 0; e < E; ++e) {
        double sum = layer.output.bias.value().at({e});
        for (Size d = 0; d < E; ++d) {
          sum += out[static_cast<std::size_t>(d)] / total * layer.output.weight.value().at({d, e});
        }
        result.push_back(sum);
      }
    }
  }
  return Tensor::from(result, {B, T, E}, DType::float64);
}

}  // namespace

void claim_formula(lesson::Claims& claims) {
  Rng rng(5);
  const SelfAttention layer = exact_layer(rng);
  const Tensor x = random_words(rng);
  const Attended seen = layer(x);
  claims.below("layer against the printed lines in plain loops, difference",
               lesson::largest_difference(seen.context.value(), by_loops(layer, x)), 1e-12);
  claims.below("weights of a word: their sum, less 1",
               lesson::largest_difference(sum(seen.weights, {-1}).value(), Tensor::ones({B, T}, DType::float64)),
               1e-14);
  const SelfAttention wide(512, rng);
  claims.holds("four matrices and one bias: 4 · 512² + 512 numbers to learn",
               parameter_count(wide) == 4 * 512 * 512 + 512);
  const Tensor same = broadcast_to(slice(x, 1, 0, 1), {B, T, E});
  claims.below(
      "a sentence of one word, repeated: every weight is 1/n, difference",
      lesson::largest_difference(layer(same).weights.value(), Tensor::full({B, T, T}, 1.0 / T, DType::float64)), 1e-15);
}

void claim_equivariance(bool causal, lesson::Claims& claims) {
  Rng rng(6);
  const SelfAttention layer = exact_layer(rng);
  const Tensor x = random_words(rng), order = Tensor::from_ints({3, 0, 4, 2, 1}, {T});
  const Mask mask = causal ? causal_mask(T, T) : Mask();
  const Var results = layer(x, mask).context, of_turned = layer(take(x, 1, order), mask).context;
  claims.below("words in another order: the same results in that order, difference",
               lesson::largest_difference(take(results, 1, order).value(), of_turned.value()), 1e-14);
}

void claim_gradients(std::uint64_t seed, lesson::Claims& claims) {
  Rng rng(seed);
  GradcheckOptions settings;
  settings.seed = seed;
  const SelfAttention layer = exact_layer(rng);
  const std::vector<Tensor> inputs = {random_words(rng)};
  const auto attend_with = [](const Mask& mask) {
    return [mask](const SelfAttention& self, const Vars& in) { return self(in[0], mask).context; };
  };
  std::vector<GradcheckReport> reports = {
      gradcheck_layer("self-attention", layer, inputs, attend_with({}), settings),
      gradcheck_layer("self-attention, causal", layer, inputs, attend_with(causal_mask(T, T)), settings),
      gradcheck_layer("self-attention, padded", layer, inputs, attend_with(padding_mask({5, 3}, T)), settings)};
  lesson::claim_gradients(std::move(reports), claims);
}

}  // namespace attend::chapter05
