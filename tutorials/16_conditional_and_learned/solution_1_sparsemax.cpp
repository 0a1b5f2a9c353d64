// Solution of exercise 1.
#include <algorithm>
#include <functional>

#include "tutorials/16_conditional_and_learned/exercise_1_sparsemax.hpp"

namespace attend::chapter16 {
namespace {

Var solved(const Var& x) {
  std::vector<double> z = x.value().to_vector();
  std::sort(z.begin(), z.end(), std::greater<>());
  double total = 0, k = 0, tau = 0;
  for (const double score : z) {
    total += score;
    if (1 + (k + 1) * score <= total) break;
    k += 1;
    tau = (total - 1) / k;
  }
  const Var zeros(Tensor::zeros(x.shape(), x.dtype()));
  const Var threshold = (sum(where(x > tau, x, zeros)) - 1.0) / k;
  return relu(x - threshold);
}

}  // namespace

std::vector<SparsemaxAnswer> sparsemax_answers() { return {{"the solution", solved}}; }

}  // namespace attend::chapter16
