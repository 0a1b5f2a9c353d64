#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/run.hpp"
#include "tensor/inner/simd.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {
namespace {

// The reductions: how a run folds into a number, how a number that stands everywhere in it does, and how a number folds
// into another.
struct Sum {
  template <class T>
  static T run(const T* x, Size count) {
    return simd::sum(x, count);
  }
  template <class T>
  static T repeated(T x, Size count) {
    return x * static_cast<T>(count);
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
  static T repeated(T x, Size) {
    return x;
  }
  template <class T>
  static T run(const T* x, Size count) {
    T largest = x[0];
    for (Size i = 1; i < count; ++i) largest = join(largest, x[i]);
    return largest;
  }
};

// x − x is 0 for finite numbers and NaN for all others, and so is the sum.
struct SumOfDifferences {
  template <class T>
  static T join(T a, T b) {
    return a + (b - b);
  }
  template <class T>
  static T repeated(T x, Size) {
    return x - x;
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

using Offsets = std::array<Size, 4>;

// What is folded. `from` gives the same, begun elsewhere; `some` gives elements begin .. begin + count − 1 of a run,
// side by side: the buffer is for those that do not lie so.
template <class T>
struct Numbers {
  const T* x;
  Size step;

  Numbers from(const Offsets& offset) const { return {x + offset[0], step}; }
  bool repeated() const { return step == 0; }
  const T* some(const Offsets& offset, Size begin, Size count, T* buffer) const {
    return gathered(x + offset[0] + begin * step, step, count, buffer);
  }
};

template <class T>
struct Products {
  const T *a, *b;
  Size a_step, b_step;

  Products from(const Offsets& offset) const { return {a + offset[0], b + offset[1], a_step, b_step}; }
  bool repeated() const { return a_step == 0 && b_step == 0; }
  const T* some(const Offsets& offset, Size begin, Size count, T* buffer) const {
    const T *x = a + offset[0] + begin * a_step, *y = b + offset[1] + begin * b_step;
    T other[chunk];
    if (a_step == 0) {
      simd::scale(gathered(y, b_step, count, other), *x, buffer, count);
    } else if (b_step == 0) {
      simd::scale(gathered(x, a_step, count, other), *y, buffer, count);
    } else {
      x = gathered(x, a_step, count, buffer), y = gathered(y, b_step, count, other);
      for (Size i = 0; i < count; ++i) buffer[i] = x[i] * y[i];
    }
    return buffer;
  }
};

// Folds one run into the elements of the result that are to_step apart; 0: into one.
template <class Fold, class T, class Source>
void fold_run(const Source& source, const Offsets& offset, Size count, T* to, Size to_step) {
  T buffer[chunk];
  if (to_step == 0 && source.repeated()) {
    *to = Fold::join(*to, Fold::repeated(*source.some(offset, 0, 1, buffer), count));
    return;
  }
  for (Size begin = 0; begin < count; begin += chunk) {
    const Size n = std::min(chunk, count - begin);
    const T* some = source.some(offset, begin, n, buffer);
    T* target = to + begin * to_step;
    if (to_step == 0) {
      *target = Fold::join(*target, Fold::run(some, n));
    } else if (to_step == 1) {  // said apart, the compiler makes vectors of it
      for (Size i = 0; i < n; ++i) target[i] = Fold::join(target[i], some[i]);
    } else {
      for (Size i = 0; i < n; ++i) target[i * to_step] = Fold::join(target[i * to_step], some[i]);
    }
  }
}

// A loop over operands of which the last one is the result: its stride is 0 along what is folded.
struct Folding {
  Plan loop;
  Size kept = -1, folded = -1;  // the longest axes along which the result goes on, and along which it stays

  explicit Folding(const Plan& plan) : loop(plan) {
    for (Size axis = 0; axis < loop.axes; ++axis) {
      Size& longest = loop.stride[loop.operands - 1][axis] == 0 ? folded : kept;
      if (longest < 0 || loop.extent[axis] > loop.extent[longest]) longest = axis;
    }
  }
  Size elements() const { return loop.runs() * loop.run_length(); }

  // Elements first .. last − 1 of one axis, with all of the others.
  template <class Fold, class T, class Source>
  void part(const Source& source, Size axis, Size first, Size last, T* to) const {
    Plan some = loop;
    some.extent[axis] = last - first;
    Offsets begin{};
    for (Size k = 0; k < some.operands; ++k) begin[k] = first * some.stride[k][axis];
    const Source there = source.from(begin);
    const Size out = some.operands - 1;
    to += begin[out];
    each_run(some, 0, some.runs(), [&](const Offsets& offset) {
      fold_run<Fold>(there, offset, some.run_length(), to + offset[out], some.run_stride(out));
    });
  }

  // How a sum is cut. Its bits depend on it, so it is not for the threads to say.
  static constexpr Size most_pieces = 16, elements_of_piece = 16384;

  template <class Fold, class T, class Source>
  void run(const Source& source, T start, Tensor& result) const {
    if (elements() == 0) return;
    if (folded < 0 || (kept >= 0 && loop.extent[kept] >= most_pieces)) {
      along_kept<Fold>(source, result.writable<T>());
    } else {
      in_pieces<Fold>(source, start, result.writable<T>(), result.size());
    }
  }

  // Threads share a kept axis: each element of the result is folded by one of them, in the same order whoever it is.
  template <class Fold, class T, class Source>
  void along_kept(const Source& source, T* to) const {
    const Size extent = loop.extent[kept], grain = elements_per_piece / (elements() / extent) + 1;
    parallel(extent, grain, [&](Size first, Size last) { part<Fold>(source, kept, first, last, to); });
  }

  // Where no kept axis is long, the folded one is cut into pieces, by sizes alone, whose results are joined in order.
  template <class Fold, class T, class Source>
  void in_pieces(const Source& source, T start, T* to, Size size) const {
    const Size extent = loop.extent[folded];
    const Size wanted = std::max<Size>(1, std::min({most_pieces, extent, elements() / elements_of_piece}));
    const Size share = (extent + wanted - 1) / wanted, pieces = (extent + share - 1) / share;
    if (pieces == 1) return part<Fold>(source, folded, 0, extent, to);
    std::vector<T> results(static_cast<std::size_t>(pieces * size), start);
    parallel(pieces, 1, [&](Size first, Size last) {
      for (Size i = first; i < last; ++i) {
        part<Fold>(source, folded, i * share, std::min(extent, (i + 1) * share), results.data() + i * size);
      }
    });
    for (Size i = 0; i < pieces * size; ++i) {
      to[i % size] = Fold::join(to[i % size], results[static_cast<std::size_t>(i)]);
    }
  }
};

template <class Fold>
Tensor reduce(const char* op, const Tensor& x, const Axes& named, bool keep_dims, double start) {
  check_floating(op, x);
  if (is_half(x.dtype())) return rounded(reduce<Fold>(op, widened(x), named, keep_dims, start), x.dtype());
  const Axes axes = normal_axes(op, named, x.rank());
  Tensor out = Tensor::full(reduced_shape(x.shape(), axes, true), start, x.dtype());
  note_cost(op, {0, x.size() * width(x.dtype()), out.size() * width(x.dtype())});
  const Folding folding(plan(x.shape(), {x.strides(), broadcast_to(out, x.shape()).strides()}));
  by_floating(op, x, [&](auto zero) {
    using T = decltype(zero);
    folding.run<Fold>(Numbers<T>{x.data<T>(), folding.loop.run_stride(0)}, static_cast<T>(start), out);
  });
  return keep_dims ? out : reshape(out, reduced_shape(x.shape(), axes, false));
}

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

Tensor sum_of_products(const Tensor& a, const Tensor& b, const Shape& to) {
  check_floating("sum_of_products", a);
  check_same_dtype("sum_of_products", a, b);
  if (is_half(a.dtype())) return rounded(sum_of_products(widened(a), widened(b), to), a.dtype());
  const Shape shape = broadcast_shape("sum_of_products", a.shape(), b.shape());
  if (!broadcasts_to(to, shape)) {
    throw std::invalid_argument("sum_of_products: " + text(a.shape()) + " and " + text(b.shape()) +
                                " cannot be summed to " + text(to));
  }
  const Tensor wide_a = broadcast_to(a, shape), wide_b = broadcast_to(b, shape);
  Tensor out = Tensor::zeros(to, a.dtype());
  note_cost("sum_of_products",
            {wide_a.size(), (a.size() + b.size()) * width(a.dtype()), out.size() * width(a.dtype())});
  const Folding folding(plan(shape, {wide_a.strides(), wide_b.strides(), broadcast_to(out, shape).strides()}));
  by_floating("sum_of_products", a, [&](auto zero) {
    using T = decltype(zero);
    const Products<T> products{wide_a.data<T>(), wide_b.data<T>(), folding.loop.run_stride(0),
                               folding.loop.run_stride(1)};
    folding.run<Sum>(products, T(0), out);
  });
  return out;
}

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
