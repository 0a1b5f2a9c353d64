#include "tutorials/04_dot_products_and_scale/identities.hpp"

#include <cmath>
#include <utility>

#include "autograd/gradcheck.hpp"
#include "nn/attention/dot_product.hpp"
#include "tutorials/04_dot_products_and_scale/measure.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/gradients.hpp"

namespace attend::chapter04 {
namespace {

constexpr Size B = 2, Tq = 3, Tk = 4, d = 5, Dv = 6;  // all different, so that no mix-up can hide

struct Inputs {
  Tensor query, key, value;
};

Inputs random_inputs(Rng& rng) {
  const auto normal = [&](const Shape& shape) { return rng.normal(shape, 0, 1, DType::float64); };
  Inputs in;
  in.query = normal({B, Tq, d});
  in.key = normal({B, Tk, d});
  in.value = normal({B, Tk, Dv});
  return in;
}

// softmax(q kᵀ / √d) v in plain loops.
Tensor by_loops(const Inputs& in) {
  std::vector<double> context;
  for (Size b = 0; b < B; ++b) {
    for (Size i = 0; i < Tq; ++i) {
      std::vector<double> sums(static_cast<std::size_t>(Dv));
      double total = 0;
      for (Size j = 0; j < Tk; ++j) {
        double score = 0;
        for (Size c = 0; c < d; ++c) score += in.query.at({b, i, c}) * in.key.at({b, j, c});
        const double weight = std::exp(score / std::sqrt(static_cast<double>(d)));
        total += weight;
        for (Size c = 0; c < Dv; ++c) sums[static_cast<std::size_t>(c)] += weight * in.value.at({b, j, c});
      }
      for (double sum : sums) context.push_back(sum / total);
    }
  }
  return Tensor::from(context, {B, Tq, Dv}, DType::float64);
}

}  // namespace

void claim_identities(lesson::Claims& claims) {
  Rng rng(5);
  const Inputs in = random_inputs(rng);
  const Attended seen = scaled_dot_attention(in.query, in.key, in.value);
  claims.below("layer against the formula in plain loops, difference",
               lesson::largest_difference(seen.context.value(), by_loops(in)), 1e-12);
  const Attended divided = dot_attention(Var(in.query) / std::sqrt(static_cast<double>(d)), in.key, in.value);
  claims.below("scaled is plain attention with q / √d, difference",
               lesson::largest_difference(seen.context.value(), divided.context.value()), 1e-14);

  const Tensor scores = rng.normal({keys}, 0, 2, DType::float64);
  const Var p = softmax(scores);
  claims.below("trace from 64 backward passes, less Σ p (1 − p)",
               std::fabs(trace_by_grad(scores) - sum(p * (1.0 - p)).item()), 1e-14);
}

void claim_gradients(std::uint64_t seed, lesson::Claims& claims) {
  Rng rng(seed);
  const Inputs in = random_inputs(rng);
  const std::vector<Tensor> inputs = {in.query, in.key, in.value};
  GradcheckOptions settings;
  settings.seed = seed;
  const auto check = [&](const char* name, const auto& f) { return gradcheck(name, f, inputs, settings); };
  const Mask padded = padding_mask({4, 2}, Tk);
  std::vector<GradcheckReport> reports = {
      check("dot products", [](const Vars& x) { return dot_attention(x[0], x[1], x[2]).context; }),
      check("scaled dot products", [](const Vars& x) { return scaled_dot_attention(x[0], x[1], x[2]).context; }),
      check("scaled dot products, padded",
            [&](const Vars& x) { return scaled_dot_attention(x[0], x[1], x[2], {padded}).context; })};
  lesson::claim_gradients(std::move(reports), claims, "attention by");
}

}  // namespace attend::chapter04
