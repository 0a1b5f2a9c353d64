// Exercise 2: the gates of the article's channel attention, which is the first half of CBAM. Its print lost a sign:
//
//   avg_out = self.fc(self.avg_pool(x))
//   max_out = self.fc(self.max_pool(x))
//   out = avg_out max_out                     # the two results are added, says its comment
//   return x * self.sigmoid(out)
//
// Write the gates σ( F(mean) + F(maximum) ), where F(z) = relu( z W_1 ) W_2 and both go over all positions.
//
//   x [B, C, H, W]   W_1 [C, C / r]   W_2 [C / r, C]   gates [B, C]
//
// Useful: mean(x, {axes}), max(x, {axes}), matmul(a, b), relu(x), sigmoid(x), and lambdas.
#include "tutorials/09_channel_attention/exercise_2_two_pools.hpp"

namespace attend::chapter09 {

Var two_pools_gates(const TwoPoolsInputs& inputs) {
  const auto& [x, W_1, W_2] = inputs;
  Var gates;
  // Your lines go here.

  (void)x, (void)W_1, (void)W_2;
  return gates;
}

std::vector<TwoPoolsAnswer> two_pools_answers() { return {{"yours", two_pools_gates}}; }

}  // namespace attend::chapter09
