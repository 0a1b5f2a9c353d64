// The kernels: what ops compute, without derivatives. Each works on float32 and float64 of any strides unless it says
// otherwise, throws std::invalid_argument (naming the op and the shapes) for operands that do not fit, and returns a
// new tensor. float16 and bfloat16 are computed with as float32, and the result is rounded back, once. The derivative
// of each stands in autograd/ops/, in the file of the same name.
#pragma once
#include <array>
#include <utility>
#include <vector>

#include "tensor/blockwise.hpp"
#include "tensor/convolution.hpp"
#include "tensor/tensor.hpp"

namespace attend::kernel {

// kernels/arithmetic.cpp: two operands with broadcasting, as in NumPy.
Tensor add(const Tensor& a, const Tensor& b);
Tensor sub(const Tensor& a, const Tensor& b);
Tensor mul(const Tensor& a, const Tensor& b);
Tensor div(const Tensor& a, const Tensor& b);
Tensor affine(const Tensor& x, double factor, double shift);         // factor · x + shift
Tensor blend(double a, const Tensor& x, double b, const Tensor& y);  // a · x + b · y
Tensor pow(const Tensor& a, const Tensor& b);
Tensor maximum(const Tensor& a, const Tensor& b);  // NaN where either is NaN
Tensor minimum(const Tensor& a, const Tensor& b);

// kernels/functions.cpp and kernels/activations.cpp: one operand.
Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor log1p(const Tensor& x);
Tensor expm1(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor erf(const Tensor& x);
Tensor abs(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor sigmoid(const Tensor& x);
Tensor softplus(const Tensor& x);  // log(1 + exp(x)) without overflow
Tensor gelu(const Tensor& x);      // x Φ(x) with the normal distribution Φ
Tensor relu(const Tensor& x);
Tensor leaky_relu(const Tensor& x, double slope);
Tensor clamp(const Tensor& x, double low, double high);
// kernels/activations.cpp: the derivatives of some, times the cotangent g, which may be broadcast.
Tensor tanh_backward(const Tensor& g, const Tensor& y);     // g (1 − y²), from the result y
Tensor sigmoid_backward(const Tensor& g, const Tensor& y);  // g y (1 − y), from the result y
Tensor relu_backward(const Tensor& g, const Tensor& y);     // g where y > 0, else 0
Tensor gelu_backward(const Tensor& g, const Tensor& x);     // g (Φ(x) + x φ(x)), with the density φ

// kernels/compare.cpp: results of type bool; the operands have one dtype, any of the six, and broadcast.
Tensor equal(const Tensor& a, const Tensor& b);
Tensor not_equal(const Tensor& a, const Tensor& b);
Tensor less(const Tensor& a, const Tensor& b);
Tensor less_equal(const Tensor& a, const Tensor& b);
Tensor greater(const Tensor& a, const Tensor& b);
Tensor greater_equal(const Tensor& a, const Tensor& b);
Tensor is_finite(const Tensor& x);
Tensor logical_and(const Tensor& a, const Tensor& b);  // operands of type bool
Tensor logical_or(const Tensor& a, const Tensor& b);
Tensor logical_not(const Tensor& a);
bool any(const Tensor& x);  // of a bool tensor; false when it is empty
bool all(const Tensor& x);  // of a bool tensor; true when it is empty
Tensor any(const Tensor& x, Size axis, bool keep_dims);

// kernels/select.cpp: any dtype, both branches the same one; the condition is bool, and all three broadcast.
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);
Tensor cast(const Tensor& x, DType dtype);  // to float16 and bfloat16: the nearest, even where two are

// kernels/reduce.cpp. No axis has length 0 in max and min: they throw. A sum over nothing is 0.
Tensor sum(const Tensor& x, const Axes& axes, bool keep_dims);
/// a · b, with broadcasting, summed over the axes that `to` has not, or has with size 1; the products are not kept.
Tensor sum_of_products(const Tensor& a, const Tensor& b, const Shape& to);
bool all_finite(const Tensor& x);
Tensor max(const Tensor& x, const Axes& axes, bool keep_dims);  // NaN where an element is NaN
Tensor min(const Tensor& x, const Axes& axes, bool keep_dims);

// kernels/scan.cpp
Tensor cumsum(const Tensor& x, Size axis);
/// int64: the place of the largest element, the first of equal ones; the first NaN where there is one, as in max.
Tensor argmax(const Tensor& x, Size axis, bool keep_dims);
/// int64: the order of the elements along the axis, smallest (or largest) first; equal ones keep their order, NaN last.
Tensor argsort(const Tensor& x, Size axis, bool descending);

// kernels/softmax.cpp: over the last axis. A masked element gets 0, and so does every element of a row without any
// allowed one.
Tensor softmax(const Tensor& x);
Tensor log_softmax(const Tensor& x);
Tensor logsumexp(const Tensor& x);                           // drops the last axis; −∞ for a row of −∞
Tensor masked_softmax(const Tensor& x, const Tensor& mask);  // mask: bool, broadcasts to x, true = may attend
Tensor softmax_backward(const Tensor& g, const Tensor& y);  // y · (g − Σ g y); where y is 0 the result is 0, whatever g

// kernels/entmax.cpp: over the last axis.
/// max((alpha − 1) x − τ, 0)^(1 / (alpha − 1)) with the τ for which the sum is 1, for alpha > 1; alpha = 2 is
/// sparsemax.
/// A row of −∞ gives 0, one with NaN or +∞ gives NaN.
Tensor entmax(const Tensor& x, double alpha);

// kernels/standardize.cpp: over the last axis.
Tensor standardize(const Tensor& x, double epsilon);  // (x − mean) / √(variance + epsilon)
/// (g − mean g − y · mean(g y)) / √(variance + epsilon), with the result y of standardize.
Tensor standardize_backward(const Tensor& g, const Tensor& x, double epsilon);

// kernels/matmul.cpp
/// a [..., m, k] · b [..., k, n] -> [..., m, n]; leading axes broadcast, at least two axes each.
Tensor matmul(const Tensor& a, const Tensor& b);
/// x [n, in] · weight [in, out] + bias [out] -> [n, out], without a pass for the bias.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);

// kernels/convolution.cpp: x [B, C, H, W], weight [O, C / groups, u, v], result [B, O, H', W'], where, rounded down,
// H' = (H + 2 · padding − dilation · (u − 1) − 1) / stride + 1, and W' likewise. Throw where check_fits does.
Tensor conv(const Tensor& x, const Tensor& weight, const Convolution& how);
/// From the cotangent g of the result the gradient of x, of shape `input`, and that of the weight.
Tensor conv_to_input(const Tensor& g, const Tensor& weight, const Shape& input, const Convolution& how);
Tensor conv_to_weight(const Tensor& g, const Tensor& x, const Shape& weight, const Convolution& how);

// kernels/attention.cpp: tile by tile; the matrix [..., Tq, Tk] is never formed. Leading axes broadcast.
/// softmax(scale · q kᵀ) v for q [..., Tq, d], k [..., Tk, d], v [..., Tk, dv] -> [..., Tq, dv], and log Σ exp of each
/// query's scores [..., Tq]: −∞ for a query without any key, whose result is 0.
std::pair<Tensor, Tensor> blockwise_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Blockwise& how);
/// The gradients of q, k and v, in the broadcast shapes, from the cotangent g of the result y.
std::array<Tensor, 3> blockwise_attention_backward(const Tensor& g, const Tensor& q, const Tensor& k, const Tensor& v,
                                                   const Tensor& y, const Tensor& log_sums, const Blockwise& how);

/// The mask of `causal`, bool [Tq, Tk]: true where j <= i + (Tk − Tq).
Tensor causal(Size Tq, Size Tk);

// kernels/linalg.cpp
/// x [m, n] with m >= n = Q [m, n] · R [n, n], Q with orthonormal columns, R upper triangular.
std::pair<Tensor, Tensor> qr(const Tensor& x);
/// The inverse of each matrix of x [..., n, n]; NaN for one that holds a number that is not finite. Throws for one that
/// is singular to working precision: where 1 / (‖x‖₁ ‖x⁻¹‖₁) is below the distance of 1 to the next number.
Tensor inverse(const Tensor& x);
/// The singular values of each matrix of x [..., m, n], largest first: [..., min(m, n)]. Throws for a number that is
/// not finite.
Tensor singular_values(const Tensor& x);

// kernels/index.cpp: any dtype of elements; indices are int64 from the front, checked.
/// Elements of one axis: x [.., n, ..], ids [i...] -> [.., i..., ..]. `op` is the name in messages and costs.
Tensor take(const Tensor& x, Size axis, const Tensor& ids, const char* op = "take");
/// x plus src at the rows `ids` of one axis; a row named twice gets both. The inverse direction of take.
Tensor index_add(const Tensor& x, Size axis, const Tensor& ids, const Tensor& src);
/// out[i, j] = x[i, index[i, j]] along the last axis (any axis): index has the rank of x.
Tensor gather(const Tensor& x, Size axis, const Tensor& index);
/// x plus src at the places that `gather` would read.
Tensor scatter_add(const Tensor& x, Size axis, const Tensor& index, const Tensor& src);
/// 1 at the given class on a new last axis, else 0.
Tensor one_hot(const Tensor& ids, Size classes, DType dtype);

// kernels/windows.cpp
/// The transpose of the view `windows`: every window's elements added to where they were read, along one axis of
/// `length`.
Tensor overlap_add(const Tensor& windows, Size axis, Size length, Size stride, Size dilation);

// kernels/assemble.cpp: any dtype.
Tensor concat(const std::vector<Tensor>& parts, Size axis);
/// A tensor of `shape` full of `fill`, with x written over its slice(axis, start, x.shape[axis], step) for every axis.
Tensor embed(const Tensor& x, const Shape& shape, const Axes& start, const Axes& step, double fill);

}  // namespace attend::kernel
