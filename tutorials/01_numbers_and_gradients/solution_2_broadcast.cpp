// Solution of exercise 2.
#include "autograd/ops.hpp"
#include "tutorials/01_numbers_and_gradients/exercise_2_broadcast.hpp"

namespace attend::chapter01 {

Var summed_to(const Var& g, const Shape& shape) {
  if (g.shape() == shape) return g;
  const Size added = g.rank() - shape.size();
  Axes copied;
  for (Size i = 0; i < g.rank(); ++i) {
    if (i < added || (shape[i - added] == 1 && g.shape()[i] != 1)) copied.push_back(i);
  }
  return reshape(sum(g, copied, true), shape);
}

std::vector<BroadcastAnswer> broadcast_answers() { return {{"the solution", summed_to}}; }

}  // namespace attend::chapter01
