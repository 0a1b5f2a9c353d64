#include "nn/attention/tree.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "nn/attention/core.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// Calls allow(position, ancestor) for every position of the tree and each of its ancestors, the position itself first.
template <class Allow>
void each_ancestor(const Tree& tree, Allow allow) {
  for (Size i = 0; i < tree.size(); ++i) {
    for (Size above = i; above != -1; above = tree.parents[static_cast<std::size_t>(above)]) allow(i, above);
  }
}

// The mask in which `allow(query, key)` was called, by each(tree, allow), for the positions of each tree.
template <class Each>
Mask mask_of_trees(const char* op, const std::vector<Tree>& trees, Size T, Each each) {
  if (trees.empty()) throw std::invalid_argument(std::string(op) + ": there is no tree");
  const Size count = static_cast<Size>(trees.size());
  std::vector<bool> allowed(static_cast<std::size_t>(element_count({count, T, T})));
  for (Size n = 0; n < count; ++n) {
    const Tree& tree = trees[static_cast<std::size_t>(n)];
    if (tree.size() > T) {
      throw std::invalid_argument(std::string(op) + ": a tree of " + std::to_string(tree.size()) + " for " +
                                  std::to_string(T) + " positions");
    }
    each(tree, [&](Size i, Size j) { allowed[static_cast<std::size_t>((n * T + i) * T + j)] = true; });
  }
  return Mask(Tensor::from_bools(allowed, {count, T, T}));
}

// √x, with the derivative 0 at 0.
Var root(const Var& x) {
  const Tensor positive = x > 0;
  const Tensor one = Tensor::ones({}, x.dtype()), zero = Tensor::zeros({}, x.dtype());
  return where(positive, sqrt(where(positive, x, one)), zero);
}

// Σ a · b over the last axis.
Var dots(const Var& a, const Var& b) { return sum(a * b, {-1}); }

}  // namespace

Tree::Tree(std::vector<Size> given) : parents(std::move(given)) {
  const Size n = size();
  Size roots = 0;
  for (Size i = 0; i < n; ++i) {
    const Size parent = parents[static_cast<std::size_t>(i)];
    if (parent < -1 || parent >= n) {
      throw std::invalid_argument("tree: the parent of " + std::to_string(i) + " is " + std::to_string(parent) +
                                  ", of " + std::to_string(n) + " positions");
    }
    roots += parent == -1;
  }
  if (roots != 1) {
    throw std::invalid_argument("tree: " + std::to_string(roots) + " roots among " + std::to_string(n) + " positions");
  }
  // From every position the root is reached in fewer than n steps, or there is a cycle.
  for (Size i = 0; i < n; ++i) {
    Size above = i;
    for (Size steps = 0; steps < n && above != -1; ++steps) above = parents[static_cast<std::size_t>(above)];
    if (above != -1) throw std::invalid_argument("tree: the parents of " + std::to_string(i) + " go round in a cycle");
  }
}

Mask ancestor_mask(const std::vector<Tree>& trees, Size T) {
  return mask_of_trees("ancestor_mask", trees, T, [](const Tree& tree, auto allow) { each_ancestor(tree, allow); });
}

Mask subtree_mask(const std::vector<Tree>& trees, Size T) {
  return mask_of_trees("subtree_mask", trees, T, [](const Tree& tree, auto allow) {
    each_ancestor(tree, [&](Size below, Size position) { allow(position, below); });
  });
}

Mask children_mask(const std::vector<Tree>& trees, Size T) {
  return mask_of_trees("children_mask", trees, T, [](const Tree& tree, auto allow) {
    for (Size i = 0; i < tree.size(); ++i) {
      const Size parent = tree.parents[static_cast<std::size_t>(i)];
      allow(i, i);
      if (parent != -1) allow(parent, i);
    }
  });
}

Constituents ConstituentAttention::operator()(const Var& given, const Var& below, const Mask& mask) const {
  const auto [B, T, size] = dims<3>(given, "constituent attention");
  if (T == 0) throw std::invalid_argument("constituent attention: x " + text(given.shape()) + " has no position");
  const KeyMask seen = key_mask("constituent attention", mask, T, T);
  if (seen.causal) {
    throw std::invalid_argument("constituent attention: a causal mask for " + std::to_string(T) +
                                " positions; a link looks both ways, take a padding_mask or none");
  }
  if (below.defined() && below.shape() != Shape{B, T - 1}) {
    throw std::invalid_argument("constituent attention: links " + text(below.shape()) + " below x " +
                                text(given.shape()) + "; they are [B, T - 1]");
  }
  const Var x = hide_invisible(given, mask);
  const Var q = query_projection(x) / static_cast<double>(size), k = key_projection(x);
  const auto first = [count = T - 1](const Var& of) { return slice(of, 1, 0, count); };  // the left of two neighbours
  const auto second = [count = T - 1](const Var& of) { return slice(of, 1, 1, count); };

  const Tensor keys = seen.keys.defined() ? broadcast_to(seen.keys, {B, T}) : Tensor::ones({B, T}, DType::boolean);
  const Tensor pairs = kernel::logical_and(slice(keys, 1, 0, T - 1), slice(keys, 1, 1, T - 1));  // [B, T − 1]
  const Tensor nothing = Tensor::zeros({B, 1}, DType::boolean);
  const Tensor to_left = kernel::concat({nothing, pairs}, 1), to_right = kernel::concat({pairs, nothing}, 1);

  const Var scores = stack({pad(dots(second(q), first(k)), 1, 1, 0), pad(dots(first(q), second(k)), 1, 0, 1)}, 2);
  const Tensor neighbours = kernel::concat({unsqueeze(to_left, 2), unsqueeze(to_right, 2)}, 2);
  const Var p = masked_softmax(scores, neighbours);  // [B, T, 2]: of the left and of the right neighbour
  const Var own = root(first(select(p, 2, 1)) * second(select(p, 2, 0)));  // [B, T − 1]
  const Var links = below.defined() ? below + (1 - below) * own : own;
  return {links, constituent_prior(links)};
}

void ConstituentAttention::parameters(const Visit& visit) {
  visit("query_projection", query_projection);
  visit("key_projection", key_projection);
}

Var constituent_prior(const Var& links) {
  const auto [B, before_last] = dims<2>(links, "constituent_prior");
  const Size T = before_last + 1;
  const Tensor ones = one_hot(Tensor::arange(T), T, links.dtype());  // the identity, row after row
  const auto one_at = [&ones, row = Shape{B, T}](Size j) { return Var(broadcast_to(slice(ones, 0, j, 1), row)); };
  // Column j, above the diagonal, is the column before it times the link between them; on the diagonal 1.
  Vars columns = {one_at(0)};
  for (Size j = 1; j < T; ++j) columns.push_back(columns.back() * slice(links, 1, j - 1, 1) + one_at(j));
  const Var upper = stack(columns, 2);  // [B, T, T]
  return upper + transpose(upper) - Var(ones);
}

Attended attention_with_prior(const Var& q, const Var& k, const Var& v, const Var& prior, const Mask& mask,
                              bool renormalise) {
  check_heads("attention with a prior", q, k, v);
  const auto [B, H, T, d] = dims<4>(q);
  if (prior.shape() != Shape{B, T, T}) {
    throw std::invalid_argument("attention with a prior: prior " + text(prior.shape()) + " for queries " +
                                text(q.shape()) + "; it is [B, T, T]");
  }
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  const Var scores = matmul(scale * q, transpose(hide_invisible(k, mask)));  // [B, H, T, T]
  Var weights = attention_weights(scores, mask) * unsqueeze(prior, 1);
  if (renormalise) weights = divided_by_total(weights, sum(weights, {-1}, true));
  return {weighted_sum(weights, v, mask), weights};
}

}  // namespace attend
