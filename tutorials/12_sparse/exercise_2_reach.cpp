// Exercise 2: the receptive field. A stack of layers of attention, each with a pattern of its own; layers[0] stands
// next to the input, layers.back() gives the result:
//
//   layers[l][i][j]   whether in layer l query i sees key j
//
// On which positions of the input does the result at `query` depend? Give one bool for each position: [T].
//
// Go from the result down to the input. Before the last layer only `query` itself matters; below each layer all that
// one of the positions that matter sees.
#include "tutorials/12_sparse/exercise_2_reach.hpp"

namespace attend::chapter12 {
namespace {

std::vector<bool> your_field(const std::vector<Sees>& layers, Size query) {
  const std::size_t T = layers[0].size();
  std::vector<bool> matters;
  // Your lines go here. At the end `matters` has T elements.

  (void)T, (void)query;
  return matters;
}

}  // namespace

std::vector<ReachAnswer> reach_answers() { return {{"yours", your_field}}; }

}  // namespace attend::chapter12
