#pragma once
#include "nn/attention/core.hpp"

namespace attend {

/// Random features of the softmax kernel: φ(x) · φ(y) is exp(x · y) on average over the directions w_1 .. w_m, each
/// normally distributed. Choromanski et al. 2020 (arXiv:2009.14794), lemma 1.
enum class SoftmaxFeatures : unsigned char {
  positive,      // exp(−|x|²/2) / √m · exp(w · x)
  hyperbolic,    // exp(−|x|²/2) / √(2m) · (exp(w · x), exp(−w · x)): two features a direction
  trigonometric  // exp(|x|²/2) / √m · (sin(w · x), cos(w · x)): two too, of either sign
};

/// m directions of width d, [m, d]: rows of blocks of d orthogonal ones, each as long as a normal vector is, which
/// leaves every single one normally distributed. The blocks are Q diag(sign diag R) of the QR decomposition of a normal
/// matrix; the Q of LAPACK alone has a diagonal that is mostly negative, so that its rows are not equally distributed
/// over all directions and the features are biased. Throws std::invalid_argument for sizes below 1.
Tensor orthogonal_directions(Size m, Size d, Rng& rng);

/// x [..., d], directions [m, d] -> φ(x) [..., m], or [..., 2m].
Var softmax_features(const Var& x, const Var& directions, SoftmaxFeatures kind);

/// Attention by FAVOR+, of the same paper: softmax attention with exp(q · k / √d) replaced by φ(q / d^¼) · φ(k / d^¼).
/// The sums are those of feature_sums.hpp, O(T · m · dv); causal ones go by chunks.
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], no weights. Throws std::invalid_argument for another d
/// than that of the directions, and for a mask other than causal_mask & padding_mask.
/// The relative error of a weight is about √((exp(|q + k|²/√d) − 1) / m): small for small q and k, and hopeless for
/// those of variance 1 (see performer_errors). The authors redraw the directions every so many steps; here they stay
/// until `redraw` is called.
struct Performer {
  Tensor directions;  // [m, d], a buffer
  SoftmaxFeatures kind;
  Size chunk;

  /// Throws std::invalid_argument for a width, directions or chunks below 1.
  Performer(Size width, Size number_of_directions, Rng& rng, SoftmaxFeatures features = SoftmaxFeatures::positive,
            Size positions_per_chunk = 64);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  /// Other directions, as many.
  void redraw(Rng& rng);

  /// φ(x / d^¼), as the formula has it.
  Var features(const Var& x) const;

  void parameters(const Visit& visit) { visit.buffer("directions", directions); }
};

/// d log d directions, rounded, at least 1: in the paper the number that is needed grows so with d.
Size performer_directions(Size d);

/// The multiplications of one head for T positions of width d, with m directions.
Size performer_multiplications(Size T, Size d, Size m, SoftmaxFeatures kind);

/// How far a Performer with positive features is from softmax attention: |difference| / |softmax attention|, on average
/// over draws.
struct PerformerError {
  double deviation;  // of q and k
  Size directions;
  double error;
};
/// One row for each pair, for 64 positions of width 16: q, k and v are normal, and the directions are drawn `draws`
/// times. At the deviation 0.25 the error falls as 1/√m; at 1, as layers have it in the beginning, it stays near 1.
std::vector<PerformerError> performer_errors(const std::vector<double>& deviations, const std::vector<Size>& directions,
                                             Size draws, Rng& rng);

}  // namespace attend
