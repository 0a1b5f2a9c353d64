#pragma once
#include "nn/attention/core.hpp"

namespace attend {

/// Attention with weights that are exactly 0 for keys that fit badly: such a key and its value get the derivative 0.
/// Peters, Niculae, Martins 2019 (arXiv:1905.05702); alpha is a number here, and not learned as in Correia, Niculae,
/// Martins 2019 (arXiv:1909.00015).
///   weights = alpha-entmax over the keys of q kᵀ / √d        context = Σ weights · value
/// alpha = 1 is softmax attention, 2 sparsemax attention, Martins and Astudillo 2016 (arXiv:1602.02068).
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], weights [B, H, T, T]. It saves no work: all scores are
/// formed. Throws std::invalid_argument for alpha < 1.
struct EntmaxAttention {
  double alpha;

  explicit EntmaxAttention(double alpha = 1.5);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

struct SparsemaxAttention : EntmaxAttention {
  SparsemaxAttention() : EntmaxAttention(2) {}
};

/// Softmax over the largest `count` of each query's scores; of equal ones the first. Gupta, Dar, Goodman, Ciprut,
/// Berant 2021 (arXiv:2106.06899). All others have weight 0 and derivative 0. All scores are formed, and sorted.
/// Shapes as above. Throws std::invalid_argument for a count below 1.
struct TopKAttention {
  Size count;

  explicit TopKAttention(Size count);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// The elements that are among the `count` largest of the last axis and allowed by the mask (bool, broadcasts to the
/// scores; undefined: all are): bool, in the shape of the scores. Of equal ones the first.
Tensor among_largest(const Tensor& scores, Size count, const Tensor& allowed = {});

}  // namespace attend
