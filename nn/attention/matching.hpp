#pragma once
#include "nn/attention/core.hpp"

namespace attend {

/// The read-out of Matching Networks: labels of a few examples, weighted by how near they are. Vinyals, Blundell,
/// Lillicrap, Kavukcuoglu, Wierstra 2016 (arXiv:1606.04080), equation 1.
///   weights = softmax over the support of sharpness · cos(query, support)        context = Σ weights · label
/// query [..., n, d], support [..., m, d], labels [..., m, C], where ... is B or B, H -> context [..., n, C], the
/// probabilities of the classes where labels are one-hot, weights [..., n, m]. The paper has no sharpness, which is 1
/// there; a cosine is at most 1, so that no example then weighs e² times as much as another. A vector of zeros has the
/// cosine 0 with all.
Attended matching_read_out(const Var& query, const Var& support, const Var& labels, double sharpness = 1,
                           const Mask& mask = {});

/// The same between heads. It compares directions only: q and k [B, H, T, d] may have any length.
struct CosineAttention {
  double sharpness;

  /// Throws std::invalid_argument unless the sharpness is positive and finite.
  explicit CosineAttention(double sharpness = 1);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

}  // namespace attend
