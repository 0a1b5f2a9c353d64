#include <algorithm>
#include <cmath>

#include "nn/attention/adaptive_span.hpp"
#include "nn/attention/entmax.hpp"
#include "nn/attention/gated.hpp"
#include "nn/attention/hard.hpp"
#include "nn/attention/in_context.hpp"
#include "nn/attention/matching.hpp"
#include "nn/attention/router.hpp"
#include "nn/variants/heads.hpp"

namespace attend {
namespace {

constexpr Size chosen = 8;  // scores that top-k attention keeps
constexpr Size largest_span = 8;
constexpr double ramp = 4, first_span = 2.5;  // between two distances: there the ramp has a derivative

// All pairs: two products, the normalisation of the weights, the scale of the queries.
Size all_pairs(Size T, Size d) { return attention_multiplications(T, d, T * T); }

Var some_scores() {
  Rng rng(11);
  return rng.normal({6, 9}, 0, 1, DType::float64);
}

// The rank of the symmetric Jacobian of sparsemax at x [n] against the size of its support − 1, which it should be.
double rank_apart(const Var& x) {
  const Var leaf = Var::parameter(x.value()), y = sparsemax(leaf);
  double trace = 0, support = 0;  // a projection: its trace is its rank
  for (Size i = 0; i < x.size(); ++i) {
    trace += select(grad(select(y, 0, i), {leaf})[0], 0, i).item();
    support += y.value().at({i}) > 0 ? 1 : 0;
  }
  return std::abs(trace - (support - 1));
}

std::vector<Identity> entmax_identities() {
  return {
      {"weights of sparsemax add up to 1", 1e-14,
       [] { return apart(sum(sparsemax(some_scores()), {-1}), Tensor::ones({6}, DType::float64)); }},
      {"sparsemax of a point of the simplex = that point", 1e-15,
       [] {
         const Var point = softmax(some_scores());
         return apart(sparsemax(point), point);
       }},
      {"sparsemax of two classes = a ramp, (1 + x1 − x2) / 2 between 0 and 1", 1e-15,
       [] {
         const Var x = reshape(some_scores(), {27, 2}), first = select(x, 1, 0), second = select(x, 1, 1);
         return apart(select(sparsemax(x), 1, 0), clamp((1 + first - second) / 2, 0, 1));
       }},
      {"the Jacobian of sparsemax has the rank support − 1", 1e-13,
       [] { return rank_apart(select(0.3 * some_scores(), 0, 0)); }},
      {"entmax with alpha = 2 = sparsemax", 0,
       [] { return apart(entmax(some_scores(), 2), sparsemax(some_scores())); }},
      {"entmax with alpha = 1 + 1e-7 = softmax", 1e-6,
       [] { return apart(entmax(some_scores(), 1 + 1e-7), softmax(some_scores())); }},
      {"entmax attention with alpha = 1 = softmax attention", 1e-12,
       [] {
         const Heads in(9);
         return apart(in(EntmaxAttention(1)), in(SoftmaxAttention()));
       }},
      {"top-k attention with k = T = softmax attention", 1e-12,
       [] {
         const Heads in(9);
         return apart(in(TopKAttention(9)), in(SoftmaxAttention()));
       }},
      {"top-k attention with k = 1 = the value of the best key", 0,
       [] {
         const Heads in(9);
         const Tensor best = argmax(matmul(in.q, transpose(in.k)), 3);
         return apart(in(TopKAttention(1)), matmul(one_hot(best, 9, DType::float64), in.v));
       }},
  };
}

std::vector<Identity> span_identities() {
  return {
      {"adaptive span with z >= T = softmax attention", 1e-12,
       [] {
         const Heads in(9);
         return apart(in(cast(AdaptiveSpan(3, 9, 4, 9), DType::float64)), in(SoftmaxAttention()));
       }},
      {"adaptive span with z = 0 and a ramp of 1 = the values themselves", 0,
       [] {
         const Heads in(9);
         return apart(in(cast(AdaptiveSpan(1, 9, 1, 0), DType::float64)), in.v);
       }},
      {"adaptive span with z = 0 = softmax attention with the logarithm of the ramp as bias", 1e-12,
       [] {
         const Heads in(9);
         std::vector<double> ramp_of_3;
         for (Size i = 0; i < 81; ++i) {
           ramp_of_3.push_back(std::log(std::max(1 - std::abs(static_cast<double>(i / 9 - i % 9)) / 3, 0.0)));
         }
         DotProductOptions options;
         options.bias = Var(Tensor::from(ramp_of_3, {9, 9}, DType::float64));
         options.mask = band_mask(9, 9, 2, 2);
         return apart(in(cast(AdaptiveSpan(1, 9, 3, 0), DType::float64)),
                      scaled_dot_attention(in.q, in.k, in.v, options).context);
       }},
  };
}

std::vector<Identity> choice_identities() {
  return {
      {"gated attention whose gate begins at 0 = half of its core", 1e-15,
       [] {
         const Heads in(9);
         Rng rng(2);
         GatedAttention gated(SoftmaxAttention(), 5, 1, rng);
         gated.gate.weight = Var::parameter(Tensor::zeros({5, 1}));
         return apart(in(cast(gated, DType::float64)), 0.5 * in(SoftmaxAttention()));
       }},
      {"routed attention with one expert = one head of softmax attention", 1e-12,
       [] {
         Rng rng(2);
         const RoutedAttention routed = cast(RoutedAttention(6, 4, 1, 1, rng), DType::float64);
         const Var x = rng.normal({2, 9, 6}, 0, 1, DType::float64);
         const Attended head = scaled_dot_attention(routed.queries[0](x), routed.keys(x), routed.values(x));
         return apart(routed(x).y, routed.outputs[0](head.context));
       }},
      {"matching read-out of one-hot examples, sharp = the label of the nearest", 0,
       [] {
         Rng rng(3);
         const Var query = rng.normal({1, 7, 4}, 0, 1, DType::float64),
                   labels = rng.normal({1, 4, 3}, 0, 1, DType::float64);
         const Var support = unsqueeze(one_hot(Tensor::arange(4), 4, DType::float64), 0);
         const Tensor nearest = argmax(query, 2);
         return apart(matching_read_out(query, support, labels, 1e6).context,
                      matmul(one_hot(nearest, 4, DType::float64), labels));
       }},
  };
}

// `layers` layers of in-context attention against as many steps of gradient descent, the gradient by `grad`.
double steps_apart(Size layers) {
  Rng rng(5);
  const Size N = 6;
  const double rate = 0.1;
  const Tensor x = rng.normal({1, N, 3}, 0, 1, DType::float64), y = rng.normal({1, N, 2}, 0, 1, DType::float64),
               asked = rng.normal({1, 4, 3}, 0, 1, DType::float64), W_0 = rng.normal({3, 2}, 0, 1, DType::float64);
  Var W = Var::parameter(W_0), tokens = regression_tokens(x, y, asked, W_0);
  const InContextAttention layer = gradient_descent_attention(W_0, N, rate);
  for (Size step = 0; step < layers; ++step) {
    const Var loss = sum(pow(matmul(x, W) - y, 2)) / (2.0 * N);
    W = Var::parameter((W - rate * grad(loss, {W})[0]).value());
    tokens = layer(tokens, N);
  }
  return apart(regression_answers(tokens, N, 2), matmul(asked, W));
}

// The least that another constant baseline gains on the optimal one, over policies and rewards: never below 0.
double gain_on_optimal() {
  Rng rng(8);
  double gain = 0;
  for (int policy = 0; policy < 20; ++policy) {
    const Tensor scores = rng.normal({4}, 0, 1, DType::float64), rewards = rng.normal({4}, 1, 1, DType::float64);
    const auto variance = [&](double b) { return estimate_variance(scores, rewards, b); };
    const double best = baseline(Baseline::optimal, scores, rewards);
    for (double other : {0.0, baseline(Baseline::mean, scores, rewards), best - 0.1, best + 0.1}) {
      gain = std::max(gain, variance(best) - variance(other));
    }
  }
  return gain;
}

std::vector<Identity> learning_identities() {
  return {
      {"in-context attention = one step of gradient descent", 1e-14, [] { return steps_apart(1); }},
      {"5 layers of in-context attention = 5 steps of gradient descent", 1e-14, [] { return steps_apart(5); }},
      {"no constant baseline of REINFORCE has less variance than E[|g|² R] / E[|g|²]", 0, gain_on_optimal},
      {"the gradient of the expected reward = p (R − E[R])", 1e-15,
       [] {
         Rng rng(9);
         const Var scores = Var::parameter(rng.normal({5}, 0, 1, DType::float64)), p = softmax(scores);
         const Tensor rewards = rng.normal({5}, 0, 1, DType::float64);
         return apart(grad(expected_reward(scores, rewards), {scores})[0], p * (rewards - sum(p * rewards)));
       }},
  };
}

}  // namespace

Family dynamic_family() {
  using namespace trait;
  Family family;
  family.name = "dynamic";
  family.variants = {
      {"sparsemax", "Martins, Astudillo 2016 (arXiv:1602.02068)", causal | padding | equivariant | averages | kinked,
       [](Size, Size, Rng&) { return AttentionCore(SparsemaxAttention()); }, all_pairs},
      {"entmax 1.5", "Peters, Niculae, Martins 2019 (arXiv:1905.05702)", causal | padding | equivariant | averages,
       [](Size, Size, Rng&) { return AttentionCore(EntmaxAttention(1.5)); }, all_pairs},
      {"top-k", "Gupta, Dar, Goodman, Ciprut, Berant 2021 (arXiv:2106.06899)",
       causal | padding | equivariant | averages, [](Size, Size, Rng&) { return AttentionCore(TopKAttention(chosen)); },
       all_pairs},
      {"adaptive span", "Sukhbaatar, Grave, Bojanowski, Joulin 2019 (arXiv:1905.07799)", causal | padding | averages,
       [](Size, Size, Rng&) { return AttentionCore(AdaptiveSpan(1, largest_span, ramp, first_span)); },
       [](Size T, Size d) { return adaptive_span_multiplications(T, d, largest_span); }},
      {"gated output", "Qiu et al. 2025 (arXiv:2505.06708)", causal | padding | equivariant,
       [](Size, Size d, Rng& rng) { return AttentionCore(GatedAttention(SoftmaxAttention(), d, 1, rng)); },
       [](Size T, Size d) { return all_pairs(T, d) + 2 * T * d; }},
      // Squares and divisions for both lengths; at a sharpness of 1 nothing is scaled.
      {"cosine", "Vinyals et al. 2016 (arXiv:1606.04080)", causal | padding | equivariant | averages,
       [](Size, Size, Rng&) { return AttentionCore(CosineAttention()); },
       [](Size T, Size d) { return all_pairs(T, d) + 3 * T * d; }},
  };
  for (const auto& identities : {entmax_identities(), span_identities(), choice_identities(), learning_identities()}) {
    family.identities.insert(family.identities.end(), identities.begin(), identities.end());
  }
  return family;
}

}  // namespace attend
