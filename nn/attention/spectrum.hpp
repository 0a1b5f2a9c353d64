// What of attention is of low rank, and what is not.
#pragma once
#include "autograd/ops.hpp"

namespace attend {

/// The singular values of one head's matrices [T, T], largest first.
struct AttentionSpectrum {
  Tensor scores;   // [T], of q kᵀ / √d: at most d of them are not 0
  Tensor weights;  // [T], of softmax(q kᵀ / √d): none is 0, in general
};

/// For q, k [T, d]. Throws std::invalid_argument for other shapes.
AttentionSpectrum attention_spectrum(const Var& q, const Var& k);

/// How many of the singular values [n] of an n x n matrix are not 0 up to rounding: above n · epsilon · the largest.
Size rank_of(const Tensor& singular_values);
/// How many of them, the largest first, hold the given share of the energy Σ σ²: the rank that an approximation needs
/// whose squared error is 1 − share of all. Throws std::invalid_argument for a share outside (0, 1].
Size energy_rank(const Tensor& singular_values, double share);

}  // namespace attend
