// Autocast: a training that remembers in half precision. Micikevicius et al. 2018 (arXiv:1710.03740).
#pragma once
#include "autograd/var.hpp"

namespace attend {

/// While one lives, products come out in half the memory, and so does what is computed from them:
///
///     const auto loss_of = [&](const Model& m, Rng&) {
///       const Autocast half(DType::float16);
///       return cross_entropy(m(x), y);
///     };
///
/// Parameters stay float32 (the paper's master weights) and get float32 gradients. What an op does with its operands:
///
///   down    matmul, linear, einsum, convolutions, blockwise attention: operands of float32 become half, and the result
///           is half
///   meet    + − · /, pow, maximum, minimum, where, comparisons, concat, stack, index_add, scatter_add: a half and a
///           float32 meet in half. Otherwise the first bias, which is a float32 parameter, would make float32 of all
///           activations that follow. A number beyond float16's 65504 becomes infinite there.
///   up      sum, mean, variance, norm, prod, cumsum, logsumexp, log_softmax, standardize, inverse, the norms and the
///           losses of nn/: operands in half become float32, and the result is float32
///   as is   everything else: half in, half out. Softmax is among them: its maximum, exponentials and sum are float32
///           inside the kernel, as all computation is, and the result is rounded once, which the product behind it
///           would do anyway. In float32 it would be remembered beside that product's half: six bytes for each weight
///           of an attention in the place of four, and with long sequences more than without any autocast.
///
/// float64 is left alone, so that a gradcheck inside the scope checks what it does outside. The scope belongs to its
/// thread, nests, and ends even when it is left by an exception; DType::float32 turns it off inside another. The
/// backward pass takes each op as it was recorded, in the scope or outside; a checkpoint runs again in the scope it ran
/// in. Outside any scope, operands of two dtypes are an error as ever.
class Autocast {
 public:
  /// Throws std::invalid_argument for anything but float16, bfloat16 and float32.
  explicit Autocast(DType half);
  ~Autocast() { dtype_ = before_; }
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

  static bool on() { return dtype_ != DType::float32; }
  /// float16 or bfloat16 within a scope, else float32.
  static DType dtype() { return dtype_; }

 private:
  static inline thread_local DType dtype_ = DType::float32;
  DType before_;
};

/// What ops ask at their beginning; each answer costs one test outside of a scope.
namespace autocast {

/// Whether both can be half in this scope, and not both are yet.
bool to_half(const Var& a, const Var& b);

/// Whether a product's operands are to become half first; x in half, as an op whose rule keeps nothing. All products of
/// one x share the copy, which lives as long as x's history: a weight that each time step multiplies with, a norm's
/// result that goes to query, key and value.
inline bool takes_down(const Var& a, const Var& b) { return Autocast::on() && to_half(a, b); }
Var down(const Var& x);

/// Whether one operand is half and the other float32; x in half, whichever of the two it is.
inline bool meet(const Var& a, const Var& b) { return a.dtype() != b.dtype() && Autocast::on() && to_half(a, b); }
Var half(const Var& x);
/// The same for parts that are to be joined.
bool meet(const Vars& parts);
Vars half(const Vars& parts);

/// Whether x is to become float32 first; x as float32 if it is.
inline bool takes_up(const Var& x) { return Autocast::on() && is_half(x.dtype()); }
Var up(const Var& x);

}  // namespace autocast
}  // namespace attend
