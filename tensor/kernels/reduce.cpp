#include <cmath>
#include <limits>

#include "tensor/cost.hpp"
#include "tensor/dispatch.hpp"
#include "tensor/kernels.hpp"
#include "tensor/run.hpp"
#include "tensor/simd.hpp"

namespace attend::kernel {
namespace {

// The two reductions: how one run folds into a number, and how a run folds into another, element by element.
struct Sum {
  template <class T>
  static T run(const T* x, Size count) {
    return simd::sum(x, count);
  }
  template <class T>
  static T join(T a, T b) {
    return a + b;
  }
};

// A NaN is never lost: a comparison with it is false, so `a > b ? a : b` keeps b, and a NaN in a is asked for.
struct Max {
  template <class T>
  static T join(T a, T b) {
    return a > b || std::isnan(a) ? a : b;
  }
  template <class T>
  static T run(const T* x, Size count) {
    T largest = x[0];
    for (Size i = 1; i < count; ++i) largest = join(largest, x[i]);
    return largest;
  }
};

// A reduction is the run loop over the input, with an output whose reduced axes have stride 0.
template <class Fold>
Tensor reduce(const char* op, const Tensor& x, const Axes& named, bool keep_dims, double start) {
  check_floating(op, x);
  if (is_half(x.dtype())) return rounded(reduce<Fold>(op, widened(x), named, keep_dims, start), x.dtype());
  const Axes axes = normal_axes(op, named, x.rank());
  Tensor out = Tensor::full(reduced_shape(x.shape(), axes, true), start, x.dtype());
  note_cost(op, {0, x.size() * width(x.dtype()), out.size() * width(x.dtype())});
  Strides out_strides = out.strides();
  for (Size axis : axes) out_strides[axis] = 0;
  const Plan loop = plan(x.shape(), {x.strides(), out_strides});
  const Size count = loop.run_length(), from_step = loop.run_stride(0),
             to_step = x.size() == 1 ? 0 : loop.run_stride(1);

  by_floating(op, x, [&](auto zero) {
    using T = decltype(zero);
    T* to = out.writable<T>();
    const T* from = x.data<T>();
    each_run(loop, 0, loop.runs(), [&](auto& offset) {
      T buffer[chunk];
      for (Size begin = 0; begin < count; begin += chunk) {
        const Size n = std::min(chunk, count - begin);
        const T* some = gathered(from + offset[0] + begin * from_step, from_step, n, buffer);
        T* target = to + offset[1] + begin * to_step;
        if (to_step == 0) {
          *target = Fold::join(*target, Fold::run(some, n));
        } else {
          for (Size i = 0; i < n; ++i) target[i * to_step] = Fold::join(target[i * to_step], some[i]);
        }
      }
    });
  });
  return keep_dims ? out : reshape(out, reduced_shape(x.shape(), axes, false));
}

// x − x is 0 for finite numbers and NaN for all others, and so is the sum.
struct SumOfDifferences {
  template <class T>
  static T join(T a, T b) {
    return a + (b - b);
  }
  template <class T>
  static T run(const T* x, Size count) {
    T sum[8] = {};  // independent sums, so that the loop becomes vector code
    Size i = 0;
    for (; i + 8 <= count; i += 8) {
      for (Size j = 0; j < 8; ++j) sum[j] += x[i + j] - x[i + j];
    }
    for (; i < count; ++i) sum[0] += x[i] - x[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
  }
};

void check_not_empty(const char* op, const Tensor& x, const Axes& axes) {
  for (Size axis : normal_axes(op, axes, x.rank())) {
    if (x.shape()[axis] == 0) {
      throw std::invalid_argument(std::string(op) + ": nothing to choose from on axis " + std::to_string(axis) +
                                  " of shape " + text(x.shape()));
    }
  }
}

}  // namespace

Tensor sum(const Tensor& x, const Axes& axes, bool keep_dims) { return reduce<Sum>("sum", x, axes, keep_dims, 0); }

bool all_finite(const Tensor& x) {
  return reduce<SumOfDifferences>("all_finite", x, all_axes(x.rank()), false, 0).item() == 0;
}

Tensor max(const Tensor& x, const Axes& axes, bool keep_dims) {
  check_not_empty("max", x, axes);
  return reduce<Max>("max", x, axes, keep_dims, -std::numeric_limits<double>::infinity());
}

Tensor min(const Tensor& x, const Axes& axes, bool keep_dims) {
  check_not_empty("min", x, axes);
  return affine(max(affine(x, -1, 0), axes, keep_dims), -1, 0);
}

}  // namespace attend::kernel
