#include "tensor/inner/run.hpp"

#include <cstdlib>
#include <utility>

namespace attend {
namespace {

// Whether axis i belongs outside axis j: the larger stride decides, operand 0 first.
bool outside(std::initializer_list<Strides> operands, Size i, Size j) {
  for (const Strides& strides : operands) {
    const Size a = std::abs(strides[i]), b = std::abs(strides[j]);
    if (a != b) return a > b;
  }
  return i < j;
}

// Whether the axis can be walked as the continuation of the plan's last axis.
bool merges(const Plan& plan, std::initializer_list<Strides> operands, Size axis, Size extent) {
  if (plan.axes == 0) return false;
  Size k = 0;
  for (const Strides& strides : operands) {
    if (plan.stride[k++][plan.axes - 1] != strides[axis] * extent) return false;
  }
  return true;
}

}  // namespace

Plan plan(const Shape& shape, std::initializer_list<Strides> operands) {
  Plan plan;
  plan.operands = static_cast<Size>(operands.size());

  Size order[max_rank], count = 0;
  for (Size axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != 1) order[count++] = axis;
  }
  for (Size i = 1; i < count; ++i) {  // insertion sort, of at most eight
    for (Size j = i; j > 0 && outside(operands, order[j], order[j - 1]); --j) std::swap(order[j], order[j - 1]);
  }

  bool empty = false;
  for (Size i = 0; i < count; ++i) {
    const Size axis = order[i], extent = shape[axis];
    empty = empty || extent == 0;
    const bool merge = merges(plan, operands, axis, extent);
    if (!merge) plan.extent[plan.axes++] = 1;
    plan.extent[plan.axes - 1] *= extent;
    Size k = 0;
    for (const Strides& strides : operands) plan.stride[k++][plan.axes - 1] = strides[axis];
  }
  if (plan.axes == 0) {  // a single element
    plan.axes = 1;
    plan.extent[0] = 1;
    for (Size k = 0; k < plan.operands; ++k) plan.stride[k][0] = 1;
  }
  if (empty) plan.extent[plan.axes - 1] = 0;
  return plan;
}

}  // namespace attend
