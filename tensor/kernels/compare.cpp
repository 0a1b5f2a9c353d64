// Comparisons and logic. Their results are masks, so nothing here has a derivative; plain loops are fast enough.
#include <cmath>
#include <functional>

#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/run.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {
namespace {

template <class T, class F>
void compare_runs(const Tensor& a, const Tensor& b, Tensor& out, F f) {
  const Plan loop = plan(out.shape(), {out.strides(), a.strides(), b.strides()});
  const Size count = loop.run_length(), to_step = loop.run_stride(0), a_step = loop.run_stride(1),
             b_step = loop.run_stride(2);
  bool* to = out.writable<bool>();
  const T *from_a = a.data<T>(), *from_b = b.data<T>();
  parallel_runs(loop, [&](auto& offset) {
    const T *a_run = from_a + offset[1], *b_run = from_b + offset[2];
    bool* to_run = to + offset[0];
    with_steps(a_step, b_step, [&](auto step_a, auto step_b) {
      for (Size i = 0; i < count; ++i) to_run[i * to_step] = f(a_run[i * step_a], b_run[i * step_b]);
    });
  });
}

// compute(a, b, out), of operands of the result's shape.
template <class Compute>
Tensor masked(const char* op, const Tensor& a, const Tensor& b, Compute compute) {
  check_same_dtype(op, a, b);
  const Shape shape = broadcast_shape(op, a.shape(), b.shape());
  Tensor out = Tensor::uninitialized(shape, DType::boolean);
  note_cost(op, {0, (a.size() + b.size()) * width(a.dtype()), out.size()});
  compute(broadcast_to(a, shape), broadcast_to(b, shape), out);
  return out;
}

// a > b is b < a, and one loop is less to compile.
constexpr bool swapped = true;

// f(a, b), or f(b, a).
template <class F>
Tensor compare(const char* op, const Tensor& a, const Tensor& b, F f, bool swap = false) {
  return masked(op, a, b, [&](const Tensor& wide_a, const Tensor& wide_b, Tensor& out) {
    const Tensor &left = swap ? wide_b : wide_a, &right = swap ? wide_a : wide_b;
    by_dtype(left.dtype(), [&](auto zero) { compare_runs<decltype(zero)>(left, right, out, f); });
  });
}

void check_mask(const char* op, const Tensor& x) {
  if (x.dtype() == DType::boolean) return;
  throw std::invalid_argument(std::string(op) + ": needs bool, not " + text(x.dtype()) + " " + text(x.shape()));
}

template <class F>
Tensor combine(const char* op, const Tensor& a, const Tensor& b, F f) {
  check_mask(op, a);
  return masked(op, a, b, [f](const Tensor& wide_a, const Tensor& wide_b, Tensor& out) {
    compare_runs<bool>(wide_a, wide_b, out, f);
  });
}

}  // namespace

Tensor equal(const Tensor& a, const Tensor& b) { return compare("equal", a, b, std::equal_to<>()); }
Tensor not_equal(const Tensor& a, const Tensor& b) { return compare("not_equal", a, b, std::not_equal_to<>()); }
Tensor less(const Tensor& a, const Tensor& b) { return compare("less", a, b, std::less<>()); }
Tensor less_equal(const Tensor& a, const Tensor& b) { return compare("less_equal", a, b, std::less_equal<>()); }
Tensor greater(const Tensor& a, const Tensor& b) { return compare("greater", a, b, std::less<>(), swapped); }
Tensor greater_equal(const Tensor& a, const Tensor& b) {
  return compare("greater_equal", a, b, std::less_equal<>(), swapped);
}

Tensor is_finite(const Tensor& x) {
  return compare("is_finite", x, x, [](auto e, auto) { return std::isfinite(static_cast<double>(e)); });
}

Tensor logical_and(const Tensor& a, const Tensor& b) { return combine("logical_and", a, b, std::logical_and<>()); }
Tensor logical_or(const Tensor& a, const Tensor& b) { return combine("logical_or", a, b, std::logical_or<>()); }
Tensor logical_not(const Tensor& a) {
  return combine("logical_not", a, a, [](bool e, bool) { return !e; });
}

bool any(const Tensor& x) {
  check_mask("any", x);
  const Tensor dense = contiguous(x);
  const bool* first = dense.data<bool>();
  for (Size i = 0; i < x.size(); ++i) {
    if (first[i]) return true;
  }
  return false;
}

bool all(const Tensor& x) { return !any(logical_not(x)); }

Tensor any(const Tensor& x, Size axis, bool keep_dims) {
  check_mask("any", x);
  axis = normal_axis("any", axis, x.rank());
  const Tensor dense = contiguous(x);
  Tensor out = Tensor::zeros(reduced_shape(x.shape(), {axis}, keep_dims), DType::boolean);
  Size inner = 1;
  for (Size i = axis + 1; i < x.rank(); ++i) inner *= x.shape()[i];
  const Size count = x.shape()[axis];
  const bool* from = dense.data<bool>();
  bool* to = out.writable<bool>();
  for (Size i = 0; i < x.size(); ++i) {
    if (from[i]) to[i / (inner * count) * inner + i % inner] = true;
  }
  return out;
}

}  // namespace attend::kernel
