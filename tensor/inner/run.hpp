// The run loop: a strided kernel is "the longest run that all operands have in common, done by one vector expression,
// once per run". Included by tensor/*.cpp only.
#pragma once
#include <algorithm>
#include <array>
#include <initializer_list>
#include <type_traits>

#include "tensor/parallel.hpp"
#include "tensor/tensor.hpp"

namespace attend {

/// The axes of a loop over up to four operands, outermost first: sorted by the strides of operand 0 and merged where
/// all operands allow it. The last axis is the run.
struct Plan {
  Size axes = 0, operands = 0;
  Size extent[max_rank] = {};
  Size stride[4][max_rank] = {};

  Size runs() const {
    Size count = 1;
    for (Size i = 0; i + 1 < axes; ++i) count *= extent[i];
    return run_length() == 0 ? 0 : count;
  }
  Size run_length() const { return extent[axes - 1]; }
  Size run_stride(Size operand) const { return stride[operand][axes - 1]; }
};

Plan plan(const Shape& shape, std::initializer_list<Strides> operands);

/// Calls body(offsets) for the runs first .. last − 1, where offsets[k] is the distance, in elements, of the run's
/// first element from the first element of operand k.
template <class Body>
void each_run(const Plan& plan, Size first, Size last, Body body) {
  if (first >= last) return;
  Size index[max_rank] = {};
  std::array<Size, 4> offsets{};
  Size rest = first;
  for (Size axis = plan.axes - 1; axis-- > 0;) {
    index[axis] = rest % plan.extent[axis];
    rest /= plan.extent[axis];
    for (Size k = 0; k < plan.operands; ++k) offsets[k] += index[axis] * plan.stride[k][axis];
  }
  for (Size run = first; run < last; ++run) {
    body(offsets);
    for (Size axis = plan.axes - 1; axis-- > 0;) {
      for (Size k = 0; k < plan.operands; ++k) offsets[k] += plan.stride[k][axis];
      if (++index[axis] < plan.extent[axis]) break;
      for (Size k = 0; k < plan.operands; ++k) offsets[k] -= plan.stride[k][axis] * plan.extent[axis];
      index[axis] = 0;
    }
  }
}

/// About how many elements a thread should get at least: with fewer, waking it takes as long as it saves.
constexpr Size elements_per_piece = 65536;

/// About how many multiplications of matrix products it should get at least.
constexpr Size multiplications_per_thread = Size{1} << 22;

/// All runs of the plan, divided over the threads.
template <class Body>
void parallel_runs(const Plan& plan, Body body) {
  if (plan.runs() == 0) return;
  parallel(plan.runs(), elements_per_piece / plan.run_length() + 1,
           [&](Size first, Size last) { each_run(plan, first, last, body); });
}

/// Calls body(offset) for the first element of every row of a row-major tensor, divided over the threads.
template <class Body>
void parallel_rows(const Tensor& x, Body body) {
  if (x.size() == 0) return;
  const Size length = x.shape().back();
  parallel(x.size() / length, elements_per_piece / length + 1, [&](Size first, Size last) {
    for (Size row = first; row < last; ++row) body(row * length);
  });
}

/// Calls loop(a_step, b_step), with the usual steps as constants: then its loop becomes vector code. Each case is one
/// more loop to compile, for every type and every operation.
template <class Loop>
void with_steps(Size a_step, Size b_step, Loop loop) {
  constexpr std::integral_constant<Size, 0> zero;
  constexpr std::integral_constant<Size, 1> one;
  if (a_step == 1 && b_step == 1) return loop(one, one);
  if (a_step == 1 && b_step == 0) return loop(one, zero);
  loop(a_step, b_step);
}

/// Strided elements are copied in chunks of this many to a buffer on the stack, where the vector loop can read them.
constexpr Size chunk = 256;

/// `count` elements `stride` apart as contiguous ones: in place, or copied to the buffer.
template <class T>
const T* gathered(const T* from, Size stride, Size count, T* buffer) {
  if (stride == 1) return from;
  for (Size i = 0; i < count; ++i) buffer[i] = from[i * stride];
  return buffer;
}

/// to[i · to_step] = from[i · from_step]; where the steps allow it, as a copy or a fill, which are vector code.
template <class T>
void copy_run(const T* from, Size from_step, T* to, Size to_step, Size count) {
  if (from_step == 1 && to_step == 1) {
    std::copy_n(from, count, to);
  } else if (from_step == 0 && to_step == 1) {
    std::fill_n(to, count, *from);
  } else {
    for (Size i = 0; i < count; ++i) to[i * to_step] = from[i * from_step];
  }
}

}  // namespace attend
