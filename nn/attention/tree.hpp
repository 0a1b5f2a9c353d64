// Attention along trees: those that are given, as masks, and one that is learned, as a prior.
#pragma once
#include <vector>

#include "nn/attention/attended.hpp"
#include "nn/linear.hpp"

namespace attend {

/// A tree over positions: parents[i] is the parent of position i, and −1 that of the root.
struct Tree {
  std::vector<Size> parents;

  /// Throws std::invalid_argument unless there is one root, every other parent is a position, and following parents
  /// ends at the root.
  explicit Tree(std::vector<Size> parents);
  Size size() const { return static_cast<Size>(parents.size()); }
};

/// Each position may attend to itself and its ancestors; to itself and all below it; or to itself and its children, and
/// to what is further below only through them, layer after layer. A mask for each tree of a batch
/// (one tree: for every sequence) of T positions, [trees, 1, T, T]; those behind a tree neither see nor are seen. In a
/// tree of size n and depth D softmax attention under it still costs n²: the mask is what the tree says, not a saving.
/// Throws std::invalid_argument for no tree, and for one with more than T positions.
Mask ancestor_mask(const std::vector<Tree>& trees, Size T);
Mask subtree_mask(const std::vector<Tree>& trees, Size T);
Mask children_mask(const std::vector<Tree>& trees, Size T);

/// What constituent attention knows after one layer.
struct Constituents {
  Var links;  // a [B, T − 1]: how strongly positions i and i + 1 belong together, in 0 .. 1
  Var prior;  // C [B, T, T]
};

/// Constituent attention. Wang, Lee, Chen 2019 (arXiv:1909.06639), Tree Transformer: words that belong to one phrase.
///   s_ij = q_i · k_j / size, only for the neighbours j = i ± 1       p_ij = softmax over the two neighbours of i
///   â_i = √(p_i,i+1 · p_i+1,i)        a_i = a'_i + (1 − a'_i) â_i, with the links a' of the layer below
///   C_ij = a_i a_i+1 ... a_j−1 for i < j, C_ji = C_ij, C_ii = 1
/// with q = x W_q + b_q and k = x W_k, whose bias would add the same to both scores of a position, and change nothing;
/// the division is by the size, not its root. Links only grow from layer to
/// layer: a phrase of one layer lies within one of the next. x [B, T, size].
/// The released code takes 256 for the size whatever it is, adds 1e-9 under the root and to the logarithms whose sums
/// are its products, and has about 0 in the place of C_ii. Here products are products: a link of 0 cuts exactly, and
/// C_ii is the empty one, 1.
struct ConstituentAttention {
  Linear query_projection, key_projection;  // [size, size]

  ConstituentAttention(Size size, Rng& rng)
      : query_projection(size, size, rng), key_projection(size, size, rng, false) {}
  /// `below` is undefined in the first layer. Of the mask only padding is taken: what is padding is linked to nothing.
  /// Throws std::invalid_argument for another mask, and for links that are not [B, T − 1].
  Constituents operator()(const Var& x, const Var& below = {}, const Mask& mask = {}) const;
  void parameters(const Visit& visit);
};

/// C [B, T, T] from links a [B, T − 1].
Var constituent_prior(const Var& links);

/// Softmax attention whose weights a prior multiplies, the same in all heads.
///   weights = C ⊙ softmax(q kᵀ / √d)        context = weights · value
/// As in the paper the weights of a query then add up to less than 1: what a phrase does not have, nobody gets. With
/// `renormalise` they are divided by their sum, and add up to 1. q, k [B, H, T, d], v [B, H, T, dv], prior [B, T, T].
/// Throws std::invalid_argument for sizes that do not fit each other.
Attended attention_with_prior(const Var& q, const Var& k, const Var& v, const Var& prior, const Mask& mask = {},
                              bool renormalise = false);

}  // namespace attend
