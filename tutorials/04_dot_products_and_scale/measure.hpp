#pragma once
#include <string>
#include <vector>

#include "nn/attention/attended.hpp"
#include "tensor/random.hpp"

/// What the width of queries and keys does to their products, to softmax and to the gradient behind it.

namespace attend::chapter04 {

constexpr Size keys = 64, value_size = 16;

/// What the products are multiplied with before softmax.
enum class Factor { one, root, width };  // 1, 1/√d, 1/d

double factor(Factor which, Size d);

/// How queries and keys are drawn: each number with variance 1, around 0 or around 1.
enum class Centre { zero, one };

/// `sets` times 16 queries [16, d] and 64 keys [64, d].
struct Drawn {
  Tensor query, key, value;  // [sets, 16, d], [sets, 64, d], [sets, 64, value_size]; float64
  Tensor direction;          // [sets, 16, value_size]: the gradient of some loss with respect to each context
};
Drawn draw(Size d, Size sets, Centre centre, Rng& rng);

/// The variance of q · k over all queries and keys, without any factor.
double product_variance(const Drawn& drawn);

/// What softmax makes of the products, each a mean over all queries.
struct Softness {
  double entropy;  // −Σ p log p, in nats: log 64 = 4.16 when all keys weigh the same, 0 when one has everything
  double trace;    // of the Jacobian diag(p) − p pᵀ, so Σ p (1 − p)
  double largest;  // weight
};
Softness softness(const Drawn& drawn, double factor);

/// The lengths of the gradients of Σ direction · context, one for each query.
struct Gradients {
  std::vector<double> scores;   // with respect to the numbers that softmax gets
  std::vector<double> queries;  // with respect to q itself
};
Gradients gradients(const Drawn& drawn, double factor);

double mean(const std::vector<double>& values);
/// The share of the values that lie below `bound`.
double share_below(const std::vector<double>& values, double bound);

/// The trace of the Jacobian of softmax at a row of scores, from one backward pass for each of its outputs.
double trace_by_grad(const Tensor& scores);

}  // namespace attend::chapter04
