#include "autograd/kept.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "autograd/history.hpp"

namespace attend {
namespace {

bool is_leaf(const Node& node) { return !node.pullback; }

class Counter {
 public:
  void leaf(const Var& x) { seen_.insert(x.value().block()); }

  // The bytes of a block that has not been counted before.
  Size bytes(const Tensor& x) { return x.has_data() && seen_.insert(x.block()).second ? x.block_bytes() : 0; }

 private:
  std::set<const void*> seen_;
};

}  // namespace

std::vector<Kept> kept_by_op(const Var& y) {
  const std::vector<const Node*> youngest_first = history(y);
  Counter count;
  for (const Node* node : youngest_first) {
    for (const Var& input : node->inputs) {
      if (input.value().has_data() && input.needs_grad() && is_leaf(*input.node())) count.leaf(input);
    }
  }
  std::map<std::string, Kept> by_op;
  for (auto at = youngest_first.rbegin(); at != youngest_first.rend(); ++at) {
    const Node& node = **at;
    if (is_leaf(node)) continue;
    Kept& kept = by_op[node.op];
    kept.op = node.op;
    ++kept.nodes;
    for (const Var& input : node.inputs) kept.bytes += count.bytes(input.value());
    for (const Tensor& output : node.outputs) kept.bytes += count.bytes(output);
  }
  std::vector<Kept> sorted;
  for (const auto& [op, kept] : by_op) sorted.push_back(kept);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Kept& a, const Kept& b) { return a.bytes > b.bytes; });
  return sorted;
}

Size kept_bytes(const Var& y) {
  const std::vector<Kept> all = kept_by_op(y);
  return std::accumulate(all.begin(), all.end(), Size{0}, [](Size sum, const Kept& kept) { return sum + kept.bytes; });
}

Size kept_bytes(const std::vector<Kept>& kept, const std::string& op) {
  const auto found = std::find_if(kept.begin(), kept.end(), [&](const Kept& one) { return one.op == op; });
  return found == kept.end() ? 0 : found->bytes;
}

}  // namespace attend
