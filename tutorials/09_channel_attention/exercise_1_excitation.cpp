// Exercise 1: write squeeze-and-excitation.
//
//   z = the mean of each channel over all its positions        squeeze
//   gates = σ( relu( z W_1 ) W_2 )                             excite
//   y = each channel of x times its gate
//
//   x [B, C, H, W]   W_1 [C, C / r]   W_2 [C / r, C]
//   z, gates [B, C]   y [B, C, H, W]
//
// Useful, each of them a function from Var to Var:
//   mean(x, {1, 2})         over these axes, which vanish
//   matmul(a, b)            [n, m] · [m, p] -> [n, p]
//   relu(x), sigmoid(x)     of every element
//   reshape(x, {B, C, 1})   the same numbers in another form
//   a * b                   element by element; an axis of size 1 is repeated, and missing ones are added in FRONT
#include "tutorials/09_channel_attention/exercise_1_excitation.hpp"

namespace attend::chapter09 {

Excited excite(const ExcitationInputs& inputs) {
  const auto& [x, W_1, W_2] = inputs;
  const Size B = x.shape()[0], C = x.shape()[1];
  Var gates, y;
  // Your lines go here. At the end, gates and y have what is asked for.

  (void)B, (void)C;
  return {gates, y};
}

std::vector<ExcitationAnswer> excitation_answers() { return {{"yours", excite}}; }

}  // namespace attend::chapter09
