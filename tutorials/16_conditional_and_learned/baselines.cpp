#include "tutorials/16_conditional_and_learned/baselines.hpp"

#include <algorithm>
#include <cmath>

#include "autograd/grad.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter16 {
namespace {

Tensor row(const Tensor& x, Size i) { return reshape(slice(x, 0, i, 1), {x.shape()[1]}); }

// The exact gradient of the expected reward of each choice, p (R − E[R]): [P, n].
Tensor exact_gradient(const Tensor& scores, const Tensor& rewards) {
  const Var p = softmax(scores);
  return (p * (rewards - sum(p * rewards, {1}, true))).value();
}

// The estimate of each draw: [draws, P, n].
Tensor estimates(Baseline kind, const Tensor& scores, const Tensor& rewards, Size draws, Rng& rng) {
  const Size P = scores.shape()[0], n = scores.shape()[1];
  const Var at = Var::parameter(contiguous(broadcast_to(scores, {draws, P, n})));
  const Tensor chosen = unsqueeze(draw(softmax(at).value(), rng), 2);  // [draws, P, 1]
  const Var log_p = squeeze(gather(log_softmax(at), 2, chosen), {2});  // [draws, P]
  const Tensor got = squeeze(kernel::gather(broadcast_to(rewards, {draws, P, n}), 2, chosen), {2});
  const Tensor above = kernel::sub(got, baselines(kind, scores, rewards));
  // `reinforce` is the mean over all draws of all choices, and here each one is wanted.
  return grad(static_cast<double>(draws * P) * reinforce(log_p, above), {at})[0].value();
}

}  // namespace

const std::vector<BaselineKind>& baseline_kinds() {
  static const std::vector<BaselineKind> kinds = {
      {"none", Baseline::none}, {"mean", Baseline::mean}, {"optimal", Baseline::optimal}};
  return kinds;
}

Tensor baselines(Baseline kind, const Tensor& scores, const Tensor& rewards) {
  std::vector<double> all;
  for (Size i = 0; i < scores.shape()[0]; ++i) all.push_back(baseline(kind, row(scores, i), row(rewards, i)));
  return Tensor::from(all, {scores.shape()[0]}, DType::float64);
}

double exact_variance(Baseline kind, const Tensor& scores, const Tensor& rewards) {
  const Tensor b = baselines(kind, scores, rewards);
  double sum_of_all = 0;
  for (Size i = 0; i < b.size(); ++i) sum_of_all += estimate_variance(row(scores, i), row(rewards, i), b.at({i}));
  return sum_of_all / static_cast<double>(b.size());
}

double mean_reward(const Tensor& scores, const Tensor& rewards) {
  return mean(sum(softmax(scores) * rewards, {1})).item();
}

Scatter scatter(Baseline kind, const Tensor& scores, const Tensor& rewards, Size draws, Rng& rng) {
  const Tensor all = estimates(kind, scores, rewards, draws, rng);
  const double of_each = mean(sum(variance(all, {0}, false, 1), {1})).item();
  const Var of_choices = mean(Var(all), {1});  // [draws, n]
  const Tensor error =
      kernel::sub(mean(of_choices, {0}).value(), mean(Var(exact_gradient(scores, rewards)), {0}).value());
  const Tensor spread = variance(of_choices, {0}, false, 1).value();
  double worst = 0;
  for (Size i = 0; i < error.size(); ++i) {
    worst = std::max(worst, std::abs(error.at({i})) / std::sqrt(spread.at({i}) / static_cast<double>(draws)));
  }
  return {of_each, worst};
}

}  // namespace attend::chapter16
