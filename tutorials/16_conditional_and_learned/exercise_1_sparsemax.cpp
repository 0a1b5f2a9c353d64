// Exercise 1: sparsemax, the point of the simplex that is nearest to the scores x [T].
//
//   order the scores: z₁ >= z₂ >= ...
//   k       = the largest k with 1 + k z_k > z₁ + ... + z_k         the number of keys that get a weight
//   τ       = (z₁ + ... + z_k − 1) / k
//   weights = max(x − τ, 0)                                         [T], in the order of x
//
// Which keys are among the k has no derivative, but τ has one: it is made of their scores.
//
// Useful:
//   x.value().to_vector()                      the numbers; std::sort(begin, end, std::greater<>()) orders them
//   x > 0.7                                    bool [T]: which scores are above a number
//   where(chosen, a, b)                        a where chosen, else b; Var(Tensor::zeros(x.shape(), x.dtype()))
//   sum(a), relu(a)
//
// The library's own is sparsemax(x); the check compares with it.
#include "tutorials/16_conditional_and_learned/exercise_1_sparsemax.hpp"

#include <algorithm>
#include <functional>

namespace attend::chapter16 {
namespace {

Var your_weights(const Var& x) {
  std::vector<double> z = x.value().to_vector();
  Var weights;
  // Your lines go here. At the end weights is [T].

  (void)z;
  return weights;
}

}  // namespace

std::vector<SparsemaxAnswer> sparsemax_answers() { return {{"yours", your_weights}}; }

}  // namespace attend::chapter16
