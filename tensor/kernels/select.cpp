#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/run.hpp"
#include "tensor/kernels.hpp"

namespace attend::kernel {
namespace {

// Numbers one after another; halves have loops of their own, convert in tensor/half.hpp.
template <class From, class To>
void convert(const From* from, To* to, Size count) {
  for (Size i = 0; i < count; ++i) to[i] = static_cast<To>(from[i]);
}

}  // namespace

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  if (condition.dtype() != DType::boolean) {
    throw std::invalid_argument(std::string("where: the condition is ") + text(condition.dtype()) + " " +
                                text(condition.shape()) + "; it must be bool");
  }
  check_same_dtype("where", a, b);
  const Shape shape = broadcast_shape("where", condition.shape(), broadcast_shape("where", a.shape(), b.shape()));
  const Tensor wide_c = broadcast_to(condition, shape), wide_a = broadcast_to(a, shape),
               wide_b = broadcast_to(b, shape);
  Tensor out = Tensor::uninitialized_like(a.shape() == shape ? a : wide_b, a.dtype());
  note_cost("where", {0, condition.size() + (a.size() + b.size()) * width(a.dtype()), out.size() * width(a.dtype())});
  const Plan loop = plan(shape, {out.strides(), wide_a.strides(), wide_b.strides(), wide_c.strides()});
  const Size count = loop.run_length(), to_step = loop.run_stride(0), a_step = loop.run_stride(1),
             b_step = loop.run_stride(2), c_step = loop.run_stride(3);
  by_dtype(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* to = out.writable<T>();
    const T *from_a = wide_a.data<T>(), *from_b = wide_b.data<T>();
    const bool* from_c = wide_c.data<bool>();
    parallel_runs(loop, [&](auto& offset) {
      T* out_run = to + offset[0];
      const T *a_run = from_a + offset[1], *b_run = from_b + offset[2];
      const bool* c_run = from_c + offset[3];
      if (c_step == 0) {  // one condition for the whole run
        if (*c_run) return copy_run(a_run, a_step, out_run, to_step, count);
        return copy_run(b_run, b_step, out_run, to_step, count);
      }
      if (c_step == 1 && to_step == 1) {
        return with_steps(a_step, b_step, [&](auto step_a, auto step_b) {
          for (Size i = 0; i < count; ++i) out_run[i] = c_run[i] ? a_run[i * step_a] : b_run[i * step_b];
        });
      }
      for (Size i = 0; i < count; ++i) {
        const T if_true = a_run[i * a_step], if_false = b_run[i * b_step];
        out_run[i * to_step] = c_run[i * c_step] ? if_true : if_false;
      }
    });
  });
  return out;
}

Tensor cast(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  Tensor out = Tensor::uninitialized_like(x, dtype);
  note_cost("cast", {0, x.size() * width(x.dtype()), out.size() * width(dtype)});
  const Plan loop = plan(x.shape(), {out.strides(), x.strides()});
  const Size count = loop.run_length(), to_step = loop.run_stride(0), from_step = loop.run_stride(1);
  by_dtype(x.dtype(), [&](auto from_zero) {
    using From = decltype(from_zero);
    by_dtype(dtype, [&](auto to_zero) {
      using To = decltype(to_zero);
      To* to = out.writable<To>();
      const From* from = x.data<From>();
      parallel_runs(loop, [&](auto& offset) {
        To* to_run = to + offset[0];
        const From* from_run = from + offset[1];
        if (to_step == 1 && from_step == 1) return convert(from_run, to_run, count);
        for (Size i = 0; i < count; ++i) to_run[i * to_step] = static_cast<To>(from_run[i * from_step]);
      });
    });
  });
  return out;
}

}  // namespace attend::kernel
