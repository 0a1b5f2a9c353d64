#pragma once
#include "nn/attention/hard.hpp"

/// How much the estimates of REINFORCE scatter, by enumeration of all choices and by draws. Scores and rewards are
/// [P, n]: P choices among n, each with the reward that each outcome brings; a baseline is one number for each choice.

namespace attend::chapter16 {

struct BaselineKind {
  std::string name;
  Baseline kind;
};
const std::vector<BaselineKind>& baseline_kinds();

/// float64 [P]. In practice nobody knows the rewards of what was not chosen: this is for the measurement alone.
Tensor baselines(Baseline kind, const Tensor& scores, const Tensor& rewards);

/// The mean over all choices of the variance of one draw's estimate, and of the expected reward.
double exact_variance(Baseline kind, const Tensor& scores, const Tensor& rewards);
double mean_reward(const Tensor& scores, const Tensor& rewards);

/// Draws so many times for each choice. What the estimates by `reinforce` are: their variance, as above, and how far
/// their mean over draws and choices is from the exact gradient, in standard errors, for the worst of the n scores.
struct Scatter {
  double variance, standard_errors;
};
Scatter scatter(Baseline kind, const Tensor& scores, const Tensor& rewards, Size draws, Rng& rng);

}  // namespace attend::chapter16
