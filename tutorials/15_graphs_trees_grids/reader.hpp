#pragma once
#include <vector>

#include "nn/attention/tree.hpp"
#include "tutorials/lesson/core_transformer.hpp"

namespace attend::chapter15 {

/// A small transformer whose layers may have the prior of constituent attention, as in Tree Transformer. The mask is
/// that of the sequences: padding, or a tree for each.
struct Reader {
  lesson::CoreTransformer transformer;
  std::vector<ConstituentAttention> constituents;  // one for each layer, or none
  bool forget_links = false;                       // a break: no layer gets the links of the one below

  Reader(Size symbols, Size layers, bool with_prior, Rng& rng);
  /// ids int64 [B, T] -> scores of every symbol [B, T, symbols].
  Var operator()(const Tensor& ids, const Mask& mask) const;
  /// What each layer knows of constituents.
  std::vector<Constituents> found(const Tensor& ids, const Mask& mask) const;
  void parameters(const Visit& visit);

 private:
  Var last_layer(const Tensor& ids, const Mask& mask, std::vector<Constituents>& found) const;
};

}  // namespace attend::chapter15
