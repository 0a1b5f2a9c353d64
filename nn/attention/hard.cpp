#include "nn/attention/hard.hpp"

#include <cmath>
#include <stdexcept>

#include "nn/attention/dot_product.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// The place where the sum of the probabilities passes u, u in [0, 1). Rounding may leave the sum below u: then it is
// the last place of a probability above 0.
std::int64_t draw_one(const double* probabilities, Size n, double u) {
  double sum = 0;
  std::int64_t last = 0;
  for (Size i = 0; i < n; ++i) {
    if (!(probabilities[i] >= 0)) {
      throw std::invalid_argument("draw: a probability of " + std::to_string(probabilities[i]));
    }
    if (probabilities[i] == 0) continue;
    last = i;
    sum += probabilities[i];
    if (u < sum) break;
  }
  return last;
}

void check_one_choice(const char* op, const Tensor& scores, const Tensor& rewards) {
  if (scores.rank() == 1 && scores.size() > 0 && scores.shape() == rewards.shape()) return;
  throw std::invalid_argument(std::string(op) + ": scores " + text(scores.shape()) + " and rewards " +
                              text(rewards.shape()) + "; both are [n]");
}

// Sums over the outcomes a of one choice: p(a), and |∇ log p(a)|² = |e_a − p|² with respect to the scores.
struct Outcomes {
  std::vector<double> p, squares;

  explicit Outcomes(const Tensor& scores) : p(kernel::softmax(scores).to_vector()), squares(p.size()) {
    double of_all = 0;
    for (double one : p) of_all += one * one;
    for (std::size_t a = 0; a < p.size(); ++a) squares[a] = 1 - 2 * p[a] + of_all;
  }
};

}  // namespace

Tensor draw(const Tensor& probabilities, Rng& rng) {
  if (probabilities.rank() < 1 || probabilities.shape().back() < 1) {
    throw std::invalid_argument("draw: probabilities " + text(probabilities.shape()) + "; a row needs an element");
  }
  Shape rows = probabilities.shape();
  const Size n = rows.back();
  rows.erase(rows.size() - 1);
  const std::vector<double> all = probabilities.to_vector();
  std::vector<std::int64_t> chosen;
  for (Size row = 0; row < element_count(rows); ++row) chosen.push_back(draw_one(&all[row * n], n, rng.uniform()));
  return Tensor::from_ints(chosen, rows);
}

HardAttended hard_attention(const Var& q, const Var& k, const Var& v, Rng& rng, const Mask& mask) {
  dims<4>(q, "hard attention");
  const Var weights = scaled_dot_attention(q, k, v, {mask}).weights;  // [B, H, Tq, Tk]
  const Size Tk = k.shape()[2];
  const Tensor chosen = draw(weights.value(), rng);
  const Tensor may = kernel::any(broadcast_to(mask.for_scores(weights.shape()), weights.shape()), 3, false);

  // The draw as weights of 0 and 1, so that a masked value has no part.
  const Tensor one = kernel::where(unsqueeze(may, 3), one_hot(chosen, Tk, q.dtype()), Tensor::zeros({}, q.dtype()));
  const Var probability = squeeze(gather(weights, 3, unsqueeze(chosen, 3)), {3});
  const Var log_probability = log(where(may, probability, Tensor::ones({}, q.dtype())));
  return {weighted_sum(one, v, mask), log_probability, chosen};
}

Var reinforce(const Var& log_probability, const Tensor& rewards, double baseline) {
  if (log_probability.shape() != rewards.shape() || rewards.size() == 0) {
    throw std::invalid_argument("reinforce: log probabilities " + text(log_probability.shape()) + " and rewards " +
                                text(rewards.shape()) + "; they are of the same draws, and there is one at least");
  }
  return mean(kernel::affine(rewards, 1, -baseline) * log_probability);
}

Var expected_reward(const Var& scores, const Tensor& rewards) {
  check_one_choice("expected_reward", scores.value(), rewards);
  return sum(softmax(scores) * rewards);
}

double baseline(Baseline kind, const Tensor& scores, const Tensor& rewards) {
  check_one_choice("baseline", scores, rewards);
  if (kind == Baseline::none) return 0;
  const Outcomes outcomes(scores);
  double weighted = 0, weights = 0;
  for (Size a = 0; a < scores.size(); ++a) {
    const auto i = static_cast<std::size_t>(a);
    const double weight = outcomes.p[i] * (kind == Baseline::optimal ? outcomes.squares[i] : 1);
    weighted += weight * rewards.at({a});
    weights += weight;
  }
  // A choice that is certain has the estimate 0 with any baseline, and no optimal one: the mean is as good as any.
  return weights == 0 ? baseline(Baseline::mean, scores, rewards) : weighted / weights;
}

double estimate_variance(const Tensor& scores, const Tensor& rewards, double baseline) {
  check_one_choice("estimate_variance", scores, rewards);
  const Outcomes outcomes(scores);
  const double expected = attend::baseline(Baseline::mean, scores, rewards);
  double variance = 0;
  for (Size a = 0; a < scores.size(); ++a) {
    const auto i = static_cast<std::size_t>(a);
    const double p = outcomes.p[i], reward = rewards.at({a});
    variance += p * std::pow(reward - baseline, 2) * outcomes.squares[i] - std::pow(p * (reward - expected), 2);
  }
  return variance;
}

}  // namespace attend
