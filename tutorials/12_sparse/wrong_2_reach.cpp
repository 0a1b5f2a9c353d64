// Wrong answers to exercise 2, each with the bug that the check must name.
#include <algorithm>

#include "tutorials/12_sparse/exercise_2_reach.hpp"

namespace attend::chapter12 {
namespace {

enum class Slip { none, upwards, transposed, same_set, stays };

// The solution, with one slip.
template <Slip slip>
std::vector<bool> slipped(const std::vector<Sees>& layers, Size query) {
  const std::size_t T = layers[0].size();
  std::vector<Sees> order = layers;
  if (slip != Slip::upwards) std::reverse(order.begin(), order.end());
  std::vector<bool> matters(T, false);
  matters[static_cast<std::size_t>(query)] = true;
  for (const Sees& sees : order) {
    std::vector<bool> below = slip == Slip::stays ? matters : std::vector<bool>(T, false);
    for (std::size_t i = 0; i < T; ++i) {
      if (!matters[i]) continue;
      for (std::size_t j = 0; j < T; ++j) {
        if (slip == Slip::transposed ? sees[j][i] : sees[i][j]) (slip == Slip::same_set ? matters : below)[j] = true;
      }
    }
    if (slip != Slip::same_set) matters = below;
  }
  return matters;
}

std::vector<bool> unsolved(const std::vector<Sees>&, Size) { return {}; }
std::vector<bool> nobody(const std::vector<Sees>& layers, Size) { return std::vector<bool>(layers[0].size(), false); }
std::vector<bool> last_alone(const std::vector<Sees>& layers, Size query) {
  return layers.back()[static_cast<std::size_t>(query)];
}
std::vector<bool> all_of_one(const std::vector<Sees>& layers, Size query) {
  std::vector<bool> some(layers[0].size(), false);
  for (const Sees& sees : layers) {
    for (std::size_t j = 0; j < some.size(); ++j) some[j] = some[j] || sees[static_cast<std::size_t>(query)][j];
  }
  return some;
}

}  // namespace

std::vector<ReachAnswer> reach_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"nothing is reached", nobody, "no position"},
      {"the last layer alone", last_alone, "last layer alone"},
      {"what the query sees in any layer", all_of_one, "of `query` itself"},
      {"from the input up", slipped<Slip::upwards>, "from the input"},
      {"rows and columns exchanged", slipped<Slip::transposed>, "row is a query"},
      {"a set that grows while it is read", slipped<Slip::same_set>, "while it is read"},
      {"what mattered stays", slipped<Slip::stays>, "does not see itself"},
  };
}

}  // namespace attend::chapter12
