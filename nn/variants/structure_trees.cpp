#include <algorithm>

#include "nn/attention/tree.hpp"
#include "nn/variants/structure.hpp"

namespace attend {
namespace {

// 3 is above 0 and 5, 0 above 1 and 4, 5 above 2.
Tree small_tree() { return Tree({3, 0, 5, -1, 0, 3}); }

// What constituent attention says of 7 positions, from a layer of its own for each seed.
Constituents constituents(std::uint64_t seed, const Var& below = {}) {
  Rng rng(seed);
  const ConstituentAttention layer = cast(ConstituentAttention(5, rng), DType::float64);
  return layer(Var(rng.normal({2, 7, 5}, 0, 1, DType::float64)), below);
}

Var links_of(double number) { return Var(Tensor::full({2, 6}, number, DType::float64)); }

// The largest difference of C_ik and C_ij C_jk for i <= j <= k.
double largest_gap(const Var& prior) {
  const auto C = [&](Size i, Size j) { return select(select(prior, 1, i), 1, j); };
  double gap = 0;
  for (Size i = 0; i < 7; ++i) {
    for (Size j = i; j < 7; ++j) {
      for (Size k = j; k < 7; ++k) gap = std::max(gap, apart(C(i, k), C(i, j) * C(j, k)));
    }
  }
  return gap;
}

}  // namespace

std::vector<Identity> tree_identities() {
  return {
      {"the ancestor mask of a chain = the causal mask", 0,
       [] {
         const Heads in(5);
         const Mask chain = ancestor_mask({Tree({-1, 0, 1, 2, 3})}, 5);
         return apart(softmax_under(in, Mask(chain.allowed())), softmax_under(in, Mask(causal_mask(5, 5).allowed())));
       }},
      {"under the ancestor mask of a star = half and half of itself and the root, for queries of 0", 1e-12,
       [] {
         Heads in(5);
         in.q = 0.0 * in.q;
         const Var halves = 0.5 * in.v + 0.5 * slice(in.v, 2, 0, 1);
         return apart(softmax_under(in, ancestor_mask({Tree({-1, 0, 0, 0, 0})}, 5)), halves);
       }},
      {"a tree with other numbers for its positions = the same results under those numbers", 1e-12,
       [] {
         const Heads in(6);
         const std::vector<Size> number = {4, 2, 0, 1, 5, 3};  // of each position, from now on
         std::vector<Size> parents(6);
         std::vector<std::int64_t> was(6);
         for (Size i = 0; i < 6; ++i) {
           const Size parent = small_tree().parents[static_cast<std::size_t>(i)];
           const std::size_t now = static_cast<std::size_t>(number[static_cast<std::size_t>(i)]);
           parents[now] = parent == -1 ? -1 : number[static_cast<std::size_t>(parent)];
           was[now] = i;
         }
         const auto renumbered = [&](const Var& x) { return take(x, 2, Tensor::from_ints(was, {6})); };
         Heads other = in;
         other.q = renumbered(in.q), other.k = renumbered(in.k), other.v = renumbered(in.v);
         return apart(softmax_under(other, subtree_mask({Tree(parents)}, 6)),
                      renumbered(softmax_under(in, subtree_mask({small_tree()}, 6))));
       }},
      {"a prior with links of 1 = softmax attention", 0,
       [] {
         const Heads in(7);
         return apart(attention_with_prior(in.q, in.k, in.v, constituent_prior(links_of(1))).context,
                      in(SoftmaxAttention()));
       }},
      {"a prior with links of 0 = each value times its own weight", 1e-12,
       [] {
         const Heads in(7);
         const Attended plain = scaled_dot_attention(in.q, in.k, in.v);
         return apart(attention_with_prior(in.q, in.k, in.v, constituent_prior(links_of(0))).context,
                      unsqueeze(diagonal(plain.weights, 2, 3), 3) * in.v);
       }},
      {"a prior with links of 0, renormalised = the values themselves", 0,
       [] {
         const Heads in(7);
         return apart(attention_with_prior(in.q, in.k, in.v, constituent_prior(links_of(0)), {}, true).context, in.v);
       }},
      {"a prior with one link of 0 and all others 1, renormalised = softmax attention within both parts", 1e-12,
       [] {
         const Heads in(7);
         const Var ones = links_of(1);
         const Var cut = concat({slice(ones, 1, 0, 2), slice(links_of(0), 1, 0, 1), slice(ones, 1, 0, 3)}, 1);
         const auto part = [](const Var& x, Size start, Size count) { return slice(x, 2, start, count); };
         const auto within = [&](Size start, Size count) {
           return SoftmaxAttention()(part(in.q, start, count), part(in.k, start, count), part(in.v, start, count))
               .context;
         };
         return apart(attention_with_prior(in.q, in.k, in.v, constituent_prior(cut), {}, true).context,
                      concat({within(0, 3), within(3, 4)}, 2));
       }},
      {"the prior from i to k = that from i to j times that from j to k", 1e-12,
       [] { return largest_gap(constituents(5).prior); }},
      {"links above links of 1 = 1", 0, [] { return apart(constituents(5, links_of(1)).links, links_of(1)); }},
      {"links above = never less than below", 0,
       [] {
         const Var below = constituents(5).links, above = constituents(6, below).links;
         return max(relu(below - above), {0, 1}).item();
       }},
  };
}

}  // namespace attend
