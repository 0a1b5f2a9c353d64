// Every op: what it computes, shapes, and what it throws. The forward and the derivative of each stand together in
// autograd/ops/, in the file named above its group.
//
// Unless said otherwise: operands have one floating dtype (inside a scope of autograd/autocast.hpp a half and a float32
// may meet); two operands broadcast as in NumPy; axes count from the front or, negative, from the end; arguments that
// do not fit throw std::invalid_argument, whose text begins with the op and holds the shapes; and every op can be
// differentiated any number of times.
#pragma once
#include <utility>
#include <vector>

#include "autograd/var.hpp"
#include "tensor/blockwise.hpp"
#include "tensor/convolution.hpp"

namespace attend {

// ---- ops/arithmetic.cpp ------------------------------------------------------------------------------------------

/// a + b, a − b, a · b, a / b, element by element.
Var operator+(const Var& a, const Var& b);
Var operator-(const Var& a, const Var& b);
Var operator*(const Var& a, const Var& b);
Var operator/(const Var& a, const Var& b);
/// The same with a number.
Var operator+(const Var& a, double b);
Var operator+(double a, const Var& b);
Var operator-(const Var& a, double b);
Var operator-(double a, const Var& b);
Var operator*(const Var& a, double b);
Var operator*(double a, const Var& b);
Var operator/(const Var& a, double b);
Var operator/(double a, const Var& b);
/// −a
Var operator-(const Var& a);
/// xᵖ. The derivative p xᵖ⁻¹ is 0 for p = 0, at x = 0 too.
Var pow(const Var& x, double exponent);
/// aᵇ for a ≥ 0. The derivative aᵇ log a with respect to b is 0 where a = 0.
Var pow(const Var& a, const Var& b);
/// The larger and the smaller of two. Where they are equal each gets half of the derivative, as in PyTorch.
Var maximum(const Var& a, const Var& b);
Var minimum(const Var& a, const Var& b);

// ---- ops/functions.cpp -------------------------------------------------------------------------------------------

Var exp(const Var& x);
/// log x, the natural logarithm: −∞ at 0, NaN below.
Var log(const Var& x);
/// log(1 + x) and eˣ − 1, accurate near 0.
Var log1p(const Var& x);
Var expm1(const Var& x);
/// √x. The derivative 1 / (2√x) is ∞ at 0; `norm` has the derivative 0 there.
Var sqrt(const Var& x);
/// |x|, with the derivative 0 at 0.
Var abs(const Var& x);
Var sin(const Var& x);
Var cos(const Var& x);
/// erf x = 2/√π ∫₀ˣ exp(−t²) dt
Var erf(const Var& x);

// ---- ops/activations.cpp -----------------------------------------------------------------------------------------

Var tanh(const Var& x);
/// σ(x) = 1 / (1 + exp(−x)), without overflow.
Var sigmoid(const Var& x);
/// max(x, 0), with the derivative 0 at 0.
Var relu(const Var& x);
/// x where x > 0, else slope · x; the derivative at 0 is `slope`.
Var leaky_relu(const Var& x, double slope = 0.01);
/// x where x > 0, else alpha (eˣ − 1). Clevert et al. 2015 (arXiv:1511.07289).
Var elu(const Var& x, double alpha = 1.0);
/// x Φ(x) with the normal distribution Φ. Hendrycks and Gimpel 2016 (arXiv:1606.08415).
Var gelu(const Var& x);
/// Its approximation ½ x (1 + tanh(√(2/π) (x + 0.044715 x³))), of the same paper.
Var gelu_tanh(const Var& x);
/// log(1 + eˣ), without overflow.
Var softplus(const Var& x);
/// x, but at least `low` and at most `high`. The derivative is 1 from low to high, both included, else 0.
/// Throws std::invalid_argument when low > high.
Var clamp(const Var& x, double low, double high);

// ---- ops/select.cpp ----------------------------------------------------------------------------------------------

/// a where the condition (bool) is true, else b. A branch that is not taken gets the cotangent 0; if its own derivative
/// is infinite there, 0 · ∞ = NaN follows. Give it a safe input:   where(x > 0, sqrt(where(x > 0, x, 1)), 0).
Var where(const Tensor& condition, const Var& a, const Var& b);
/// The same numbers in another dtype. From or to int64 and bool no derivative flows.
Var cast(const Var& x, DType dtype);

/// Comparisons: bool, without derivative. Operands may have any dtype.
Tensor operator<(const Var& a, const Var& b);
Tensor operator<=(const Var& a, const Var& b);
Tensor operator>(const Var& a, const Var& b);
Tensor operator>=(const Var& a, const Var& b);
Tensor operator<(const Var& a, double b);
Tensor operator<=(const Var& a, double b);
Tensor operator>(const Var& a, double b);
Tensor operator>=(const Var& a, double b);
Tensor equal(const Var& a, const Var& b);
Tensor not_equal(const Var& a, const Var& b);

// ---- ops/reduce.cpp: over the given axes, or over all ------------------------------------------------------------

/// Σ x. Over an axis of length 0 it is 0.
Var sum(const Var& x);
Var sum(const Var& x, const Axes& axes, bool keep_dims = false);
/// Σ x / n. Throws std::invalid_argument over nothing.
Var mean(const Var& x);
Var mean(const Var& x, const Axes& axes, bool keep_dims = false);
/// Σ (x − mean)² / (n − correction). The correction 0 is the variance of the numbers themselves; 1 estimates that of
/// the distribution they come from. Throws std::invalid_argument when n <= correction.
Var variance(const Var& x, const Axes& axes, bool keep_dims = false, Size correction = 0);
/// The largest and the smallest. Equal ones share the derivative evenly, as in PyTorch's amax. Throws
/// std::invalid_argument over an axis of length 0.
Var max(const Var& x, const Axes& axes, bool keep_dims = false);
Var min(const Var& x, const Axes& axes, bool keep_dims = false);
/// The product; its derivatives are right where factors are 0.
Var prod(const Var& x, const Axes& axes, bool keep_dims = false);
/// log Σ exp(x), without overflow. A row of −∞ gives −∞ with the derivative 0.
Var logsumexp(const Var& x, const Axes& axes, bool keep_dims = false);
/// √Σ x², with the derivative 0 where all are 0.
Var norm(const Var& x, const Axes& axes, bool keep_dims = false);
/// Running sums along one axis.
Var cumsum(const Var& x, Size axis);

// ---- ops/softmax.cpp ---------------------------------------------------------------------------------------------

/// exp(x) / Σ exp(x) along one axis, without overflow.
Var softmax(const Var& x, Size axis = -1);
/// x − log Σ exp(x) along one axis.
Var log_softmax(const Var& x, Size axis = -1);
/// Softmax over the allowed elements of the last axis; the mask is bool, true = allowed, and broadcasts to x. A masked
/// element has weight 0 and derivative 0, whatever stands there, NaN included; so has all of a row without any allowed
/// element.
Var masked_softmax(const Var& x, const Tensor& mask);

// ---- ops/entmax.cpp: over the last axis; the masks are those of masked_softmax -----------------------------------

/// The point of the simplex that is nearest to x. Martins and Astudillo 2016 (arXiv:1602.02068).
///   y = max(x − τ, 0) with the τ for which Σ y = 1
/// Elements that are far below the largest have weight 0 and derivative 0, exactly. Rows of −∞ give 0.
Var sparsemax(const Var& x);
Var masked_sparsemax(const Var& x, const Tensor& mask);
/// Between softmax, alpha = 1, and sparsemax, alpha = 2, and beyond. Peters, Niculae, Martins 2019 (arXiv:1905.05702).
///   y = max((alpha − 1) x − τ, 0)^(1 / (alpha − 1)) with the τ for which Σ y = 1
/// Throws std::invalid_argument for alpha < 1. At the edge of the support the derivative is continuous for alpha < 2,
/// jumps for 2 and is infinite beyond.
Var entmax(const Var& x, double alpha);
Var masked_entmax(const Var& x, const Tensor& mask, double alpha);

// ---- ops/standardize.cpp -----------------------------------------------------------------------------------------

/// (x − mean) / √(variance + epsilon) over the last axis; the variance divides by its length.
Var standardize(const Var& x, double epsilon);

// ---- ops/attention.cpp -------------------------------------------------------------------------------------------

/// softmax(scale · q kᵀ) v for q [..., Tq, d], k [..., Tk, d], v [..., Tk, dv] -> [..., Tq, dv]; leading axes
/// broadcast. It is exact, but goes tile by tile: the weights [..., Tq, Tk] are never formed, in backward neither (only
/// in a derivative that shall be differentiated again they are). A query that may attend to nothing gets 0, and what it
/// may not attend to has no part in its result nor in a derivative, NaN included.
Var blockwise_attention(const Var& q, const Var& k, const Var& v, const Blockwise& how = {});

// ---- ops/matmul.cpp ----------------------------------------------------------------------------------------------

/// a [..., m, k] · b [..., k, n] -> [..., m, n]; leading axes broadcast. As in NumPy, a one-axis a is a row and a
/// one-axis b is a column, whose axis the result does not have.
Var matmul(const Var& a, const Var& b);
/// x W + b for x [..., in], W [in, out], b [out] -> [..., out], as one step.
Var linear(const Var& x, const Var& W, const Var& b);

// ---- ops/linalg.cpp ----------------------------------------------------------------------------------------------

/// A⁻¹ of each matrix of A [..., n, n]. Throws std::invalid_argument for one that is singular to working precision.
Var inverse(const Var& A);

// ---- ops/einsum.cpp ----------------------------------------------------------------------------------------------

/// Einstein's sum over 1 to 3 operands:   einsum("bqd,bkd->bqk", {q, k}). Each letter names an axis; letters missing
/// behind the arrow are summed over. "..." stands for any further leading axes, which broadcast. A letter twice in one
/// operand takes the diagonal. Without an arrow the result has the letters that occur once, in alphabetical order.
Var einsum(const std::string& equation, const Vars& operands);

// ---- ops/shape.cpp -----------------------------------------------------------------------------------------------

/// The same elements, in row-major order, in another shape; one size may be −1.
Var reshape(const Var& x, const Shape& shape);
/// Axis i of the result is axis order[i] of x.
Var permute(const Var& x, const Axes& order);
/// The last two axes exchanged.
Var transpose(const Var& x);
/// Without the given axes of size 1; a new axis of size 1.
Var squeeze(const Var& x, const Axes& axes);
Var unsqueeze(const Var& x, Size axis);
/// Repeats axes of size 1 and new leading axes.
Var broadcast_to(const Var& x, const Shape& shape);
/// `count` elements of one axis from `start` on, `step` apart; a negative step walks backwards.
Var slice(const Var& x, Size axis, Size start, Size count, Size step = 1);
/// One element of an axis, which goes.
Var select(const Var& x, Size axis, Size index);
/// The given axes in reverse.
Var flip(const Var& x, const Axes& axes);
/// Element i of the axis moves to i + shift; what leaves at one end comes in at the other.
Var roll(const Var& x, Size shift, Size axis);
/// The elements with equal index on axes a and b; that index becomes the last axis.
Var diagonal(const Var& x, Size a, Size b);

// ---- ops/windows.cpp ---------------------------------------------------------------------------------------------

/// Windows that slide along one axis: element k of window i is x[.., i · stride + k · dilation, ..]. The axis becomes
/// the windows, and a new last axis holds the `size` elements of each. Pooling is made of it.
Var windows(const Var& x, Size axis, Size size, Size stride = 1, Size dilation = 1);
/// Its transpose: every window's elements added to where they were read, along one axis of `length`.
Var overlap_add(const Var& windows, Size axis, Size length, Size stride = 1, Size dilation = 1);

// ---- ops/convolution.cpp -----------------------------------------------------------------------------------------

/// Convolution in two dimensions, without flipping the weight:
///   y[b, o, i, j] = Σ_c Σ_u Σ_v weight[o, c, u, v] · x[b, c, i · stride + u · dilation, j · stride + v · dilation]
/// in the padded x, where c runs over the channels of the group of o. x [B, C, H, W], weight [O, C / groups, u, v] ->
/// y [B, O, H', W']. It is a matrix product of the windows of x, of which a few rows are formed at a time.
Var conv(const Var& x, const Var& weight, const Convolution& how = {});

// ---- ops/assemble.cpp --------------------------------------------------------------------------------------------

/// Joins along an axis that exists; along a new one.
Var concat(const Vars& parts, Size axis);
Var stack(const Vars& parts, Size axis);
/// The inverse directions: parts of the given sizes; one part per index, without the axis. The parts are outputs of one
/// op, so that all together cost one pass over x.
Vars split(const Var& x, const std::vector<Size>& sizes, Size axis);
Vars unstack(const Var& x, Size axis);
/// `before` and `after` more elements of the given value around x on one axis.
Var pad(const Var& x, Size axis, Size before, Size after, double value = 0);

// ---- ops/index.cpp: indices are int64 from 0 and carry no derivative ---------------------------------------------

/// x[.., ids, ..]: the elements of one axis that ids [i...] name -> [.., i..., ..].
Var take(const Var& x, Size axis, const Tensor& ids);
/// Rows of a table [n, d] -> [i..., d].
Var embedding(const Var& table, const Tensor& ids);
/// out[i, j] = x[i, index[i, j]], for any axis: index has the axes of x, and its sizes but for that one.
Var gather(const Var& x, Size axis, const Tensor& index);
/// x plus src at what `take` and what `gather` would read. An index that comes twice gets both.
Var index_add(const Var& x, Size axis, const Tensor& ids, const Var& src);
Var scatter_add(const Var& x, Size axis, const Tensor& index, const Var& src);

/// The place of the largest element (the first of equal ones; NaN counts as the largest, as in `max`), and the order of
/// all (NaN last), as int64. No derivative.
Tensor argmax(const Var& x, Size axis, bool keep_dims = false);
Tensor argsort(const Var& x, Size axis, bool descending = false);
/// The k largest along an axis, largest first, and their places. The values carry a derivative, the places none.
std::pair<Var, Tensor> topk(const Var& x, Size k, Size axis = -1);
/// 1 at each class on a new last axis of the given length, else 0. No derivative.
Tensor one_hot(const Tensor& ids, Size classes, DType dtype = DType::float32);

}  // namespace attend
