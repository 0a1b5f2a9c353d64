#include "tensor/inner/elementwise.hpp"

#include "tensor/inner/dispatch.hpp"

namespace attend {

Tensor map_runs(const char* op, const Tensor& x, Run run32, Run run64, const void* f) {
  check_floating(op, x);
  if (is_half(x.dtype())) return rounded(map_runs(op, widened(x), run32, run64, f), x.dtype());
  Tensor out = Tensor::uninitialized_like(x, x.dtype());
  note_cost(op, {0, x.size() * width(x.dtype()), out.size() * width(x.dtype())});
  const Plan loop = plan(x.shape(), {out.strides(), x.strides()});
  const Size count = loop.run_length(), stride = loop.run_stride(1);

  by_floating(op, x, [&](auto zero) {
    using T = decltype(zero);
    const Run run = x.dtype() == DType::float32 ? run32 : run64;
    T* to = out.writable<T>();
    const T* from = x.data<T>();
    auto some = [&](T* out_run, const T* in_run, Size n) {
      if (stride == 1) return run(out_run, n, in_run, nullptr, Operands::vectors, f);
      T buffer[chunk];
      for (Size i = 0; i < n; i += chunk) {
        const Size m = std::min(chunk, n - i);
        run(out_run + i, m, gathered(in_run + i * stride, stride, m, buffer), nullptr, Operands::vectors, f);
      }
    };
    if (loop.axes == 1) {
      parallel(count, elements_per_piece,
               [&](Size first, Size last) { some(to + first, from + first * stride, last - first); });
    } else {
      parallel_runs(loop, [&](auto& offset) { some(to + offset[0], from + offset[1], count); });
    }
  });
  return out;
}

Tensor zip_runs(const char* op, const Tensor& a, const Tensor& b, Run run32, Run run64, const void* f) {
  check_floating(op, a);
  check_same_dtype(op, a, b);
  if (is_half(a.dtype())) return rounded(zip_runs(op, widened(a), widened(b), run32, run64, f), a.dtype());
  const Shape shape = a.shape() == b.shape() ? a.shape() : broadcast_shape(op, a.shape(), b.shape());
  const Tensor wide_a = broadcast_to(a, shape), wide_b = broadcast_to(b, shape);
  Tensor out = Tensor::uninitialized_like(a.shape() == shape ? a : wide_b, a.dtype());
  note_cost(op, {0, (a.size() + b.size()) * width(a.dtype()), out.size() * width(a.dtype())});
  const Plan loop = plan(shape, {out.strides(), wide_a.strides(), wide_b.strides()});
  const Size count = loop.run_length(), stride_a = loop.run_stride(1), stride_b = loop.run_stride(2);

  by_floating(op, a, [&](auto zero) {
    using T = decltype(zero);
    const Run run = a.dtype() == DType::float32 ? run32 : run64;
    T* to = out.writable<T>();
    const T *from_a = wide_a.data<T>(), *from_b = wide_b.data<T>();
    auto some = [&](T* out_run, const T* a_run, const T* b_run, Size n) {
      if (stride_a == 1 && stride_b == 1) return run(out_run, n, a_run, b_run, Operands::vectors, f);
      if (stride_a == 1 && stride_b == 0) return run(out_run, n, a_run, b_run, Operands::second_is_scalar, f);
      if (stride_a == 0 && stride_b == 1) return run(out_run, n, a_run, b_run, Operands::first_is_scalar, f);
      if (stride_a == 0 && stride_b == 0) {  // one number, again and again
        run(out_run, 1, a_run, b_run, Operands::vectors, f);
        std::fill_n(out_run + 1, n - 1, *out_run);
        return;
      }
      T buffer_a[chunk], buffer_b[chunk];
      for (Size i = 0; i < n; i += chunk) {
        const Size m = std::min(chunk, n - i);
        run(out_run + i, m, gathered(a_run + i * stride_a, stride_a, m, buffer_a),
            gathered(b_run + i * stride_b, stride_b, m, buffer_b), Operands::vectors, f);
      }
    };
    if (loop.axes == 1) {
      parallel(count, elements_per_piece, [&](Size first, Size last) {
        some(to + first, from_a + first * stride_a, from_b + first * stride_b, last - first);
      });
    } else {
      parallel_runs(loop, [&](auto& offset) { some(to + offset[0], from_a + offset[1], from_b + offset[2], count); });
    }
  });
  return out;
}

}  // namespace attend
