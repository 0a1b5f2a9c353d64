#pragma once
#include <string>
#include <vector>

#include "autograd/var.hpp"
#include "tensor/random.hpp"

/// How far is it from a word to a result, in a recurrent network, a convolution and attention?

namespace attend::chapter02 {

/// Words [1, d], each a leaf of its own, and the result at one place [1, d].
struct Walk {
  Vars words;
  Var result;
};

Vars draw_words(Size n, Size d, Rng& rng);

/// ρ times an orthogonal matrix [d, d], float64; and ρ/√d times one of independent normal numbers, which is not.
Tensor orthogonal_matrix(Size d, double rho, Rng& rng);
Tensor normal_matrix(Size d, double rho, Rng& rng);

/// hₜ = hₜ₋₁ W + xₜ, and with `curved` tanh of that; the result is the last state.
Walk recurrent(const Vars& words, const Tensor& W, bool curved);

/// `layers` convolutions with a kernel of 3 places, tanh after each; the result stands at `place`.
Walk convolutional(const Vars& words, Size layers, Size place, Rng& rng);

/// Scaled dot-product self-attention, the words themselves being queries, keys and values; the result stands at
/// `place`.
Walk attentive(const Vars& words, Size place);

/// The length of the gradient of g · result with respect to each word.
std::vector<double> gradient_lengths(const Walk& walk, const Tensor& g);

/// The longest path through the history of a result, in steps that count: those of the given ops.
Size longest_path(const Var& result, const std::vector<std::string>& ops);
/// In all steps but the leaves.
Size longest_path(const Var& result);

}  // namespace attend::chapter02
