// Solution of exercise 2.
#include "tutorials/14_hashing/exercise_2_rounds.hpp"

namespace attend::chapter14 {
namespace {

Var solved(const Var& scores, const Tensor& keys, const Var& values) {
  const auto [R, T, K] = dims<3>(scores);
  std::vector<double> rounds_that_meet;
  for (Size r = 0; r < R; ++r) {
    for (Size i = 0; i < T; ++i) {
      for (Size m = 0; m < K; ++m) {
        double times = 0;
        for (Size other = 0; other < R * K; ++other) times += keys.at({other / K, i, other % K}) == keys.at({r, i, m});
        rounds_that_meet.push_back(times);
      }
    }
  }
  const Var s = scores - kernel::log(Tensor::from(rounds_that_meet, {R, T, K}, DType::float64));
  const Var o = squeeze(matmul(unsqueeze(softmax(s), 2), values), {2});  // [R, T, dv]
  const Var share = softmax(logsumexp(s, {-1}, true), 0);                // [R, T, 1]
  return sum(share * o, {0});
}

}  // namespace

std::vector<RoundsAnswer> rounds_answers() { return {{"the solution", solved}}; }

}  // namespace attend::chapter14
