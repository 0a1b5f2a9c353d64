// Solution of exercise 1.
#include "tutorials/09_channel_attention/exercise_1_excitation.hpp"

namespace attend::chapter09 {

Excited excite(const ExcitationInputs& inputs) {
  const auto& [x, W_1, W_2] = inputs;
  const Size B = x.shape()[0], C = x.shape()[1];
  Var gates, y;
  const Var z = mean(x, {2, 3});                       // [B, C]
  gates = sigmoid(matmul(relu(matmul(z, W_1)), W_2));  // [B, C]
  y = x * reshape(gates, {B, C, 1, 1});                // [B, C, H, W]
  return {gates, y};
}

std::vector<ExcitationAnswer> excitation_answers() { return {{"the solution", excite}}; }

}  // namespace attend::chapter09
