// Attention to gathered keys: what the sparse attentions are made of, so that each is written as the positions that
// its paper lets a query see.
#pragma once
#include "nn/attention/core.hpp"

namespace attend {

using Positions = std::vector<Size>;

/// from, from + step, ...: `count` of them.
Positions positions(Size from, Size count, Size step = 1);
/// T positions cut into blocks of `length`, each with the positions `before` and `after` it. The last block may reach
/// beyond T.
std::vector<Positions> blocks(Size T, Size length, Size before = 0, Size after = 0);

/// Queries in groups, each beside the keys that any of its queries sees: of T² pairs only count · length · reach are
/// formed. A position outside 0 .. T − 1 is nobody, so that a group at an end is as long as the others, and a key that
/// stands twice in a group counts once.
struct Groups {
  Size count, length, reach;
  Positions queries;  // count · length; −1: nobody
  Positions keys;     // count · reach; −1: nobody
  Tensor allowed;     // bool [count, length, reach]

  /// Groups of one length each; query i of a group sees its key j where sees(i, j) says so.
  template <class Sees>
  Groups(Size T, const std::vector<Positions>& groups_of_queries, const std::vector<Positions>& groups_of_keys,
         Sees sees)
      : Groups(T, groups_of_queries, groups_of_keys) {
    std::vector<bool> seen;
    seen.reserve(static_cast<std::size_t>(count * length * reach));
    for (Size group = 0; group < count; ++group) {
      for (Size p = 0; p < length; ++p) {
        const Size i = queries[static_cast<std::size_t>(group * length + p)];
        for (Size m = 0; m < reach; ++m) {
          const Size j = keys[static_cast<std::size_t>(group * reach + m)];
          seen.push_back(i >= 0 && j >= 0 && sees(i, j));
        }
      }
    }
    allowed = Tensor::from_bools(seen, {count, length, reach});
  }

 private:
  Groups(Size T, const std::vector<Positions>& groups_of_queries, const std::vector<Positions>& groups_of_keys);
};

/// softmax(q kᵀ / √d) v over the pairs of all parts, for q, k [B, H, T, d] and v [B, H, T, dv] -> [B, H, T, dv]. Every
/// query stands in one of the parts. `mask` is a padding mask at most, beyond what the parts say of causality.
Var attend_in_parts(const Var& q, const Var& k, const Var& v, const Mask& mask, const std::vector<Groups>& parts);
/// The same where every query stands in each of the `looks`, and its softmax goes over the keys of all. No pair may be
/// allowed in two of them.
Var attend_in_looks(const Var& q, const Var& k, const Var& v, const Mask& mask, const std::vector<Groups>& looks);

/// Throws std::invalid_argument, in the name of `op`, for a mask that is more than a padding mask of T keys: for
/// patterns that look ahead by their nature.
void check_not_causal(const char* op, const Mask& mask, Size T);

}  // namespace attend
