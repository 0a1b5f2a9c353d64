#pragma once
#include "nn/attention/attended.hpp"
#include "tensor/random.hpp"

namespace attend {

/// A draw from each row of probabilities [..., n], which add up to 1: int64 [...]. Never one of probability 0; where
/// all are 0 (a query that may attend to nothing) it is 0. Throws std::invalid_argument for rows without elements, and
/// for numbers that are negative or NaN.
Tensor draw(const Tensor& probabilities, Rng& rng);

/// What hard attention returns.
struct HardAttended {
  Var context;          // [B, H, Tq, dv]
  Var log_probability;  // [B, H, Tq], of the key that was drawn
  Tensor chosen;        // int64 [B, H, Tq]
};

/// Hard attention: each query takes the value of one key, drawn by the weights of soft attention. Xu et al. 2015
/// (arXiv:1502.03044), section 4.1; Mnih, Heess, Graves, Kavukcuoglu 2014 (arXiv:1406.6247).
///   a ~ softmax(q kᵀ / √d)        context = value_a
/// Through the draw no derivative flows to q and k; `reinforce` makes one from log_probability and a reward.
/// q [B, H, Tq, d], k [B, H, Tk, d], v [B, H, Tk, dv]. A query that may attend to nothing gets 0, and log_probability
/// 0.
HardAttended hard_attention(const Var& q, const Var& k, const Var& v, Rng& rng, const Mask& mask = {});

/// REINFORCE, Williams 1992 (Machine Learning 8): a number whose gradient estimates that of the expected reward E[R],
///   mean over the draws of (R − b) ∇ log p(a)
/// It is to be made larger: its negative belongs into a loss. log_probability and the rewards have one shape; no
/// derivative flows through (R − b). The number itself is not the reward. Throws std::invalid_argument for shapes that
/// differ and for no draws.
Var reinforce(const Var& log_probability, const Tensor& rewards, double baseline = 0);

/// What is subtracted from the rewards. It does not move the mean of the estimate as long as it does not depend on the
/// draw. The mean E[R] need not make the variance smaller; the optimal one, E[|g|² R] / E[|g|²] with g = ∇ log p(a)
/// with respect to the scores, gives the least of all constants.
enum class Baseline { none, mean, optimal };

/// Each for one choice by softmax(scores), from the known reward of every outcome: scores [n] and rewards [n]. These
/// are sums over all outcomes, to test estimates against. Throw std::invalid_argument for other shapes.
///   expected_reward = Σ p R, whose gradient p (R − E[R]) is the exact one
///   estimate_variance = Σ p |(R − b) g|² − |∇ E[R]|², the variance of the estimate from a single draw
Var expected_reward(const Var& scores, const Tensor& rewards);
double baseline(Baseline kind, const Tensor& scores, const Tensor& rewards);
double estimate_variance(const Tensor& scores, const Tensor& rewards, double baseline);

}  // namespace attend
