#include "autograd/autocast.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

// The value in half, made once for each node.
Tensor shared_copy(const Var& x) {
  static std::mutex several_threads_may_use_one_parameter;
  const std::lock_guard<std::mutex> alone(several_threads_may_use_one_parameter);
  std::vector<Tensor>& copies = x.node()->halves;
  if (copies.size() <= x.output()) copies.resize(x.output() + 1);
  Tensor& copy = copies[x.output()];
  if (!copy.defined() || copy.dtype() != Autocast::dtype()) copy = kernel::cast(x.value(), Autocast::dtype());
  return copy;
}

}  // namespace

Autocast::Autocast(DType half) : before_(dtype_) {
  if (!is_half(half) && half != DType::float32) {
    throw std::invalid_argument(std::string("autocast: to ") + text(half) + "; it is float16 or bfloat16, or float32");
  }
  dtype_ = half;
}

bool autocast::to_half(const Var& a, const Var& b) {
  const auto fits = [](const Var& x) { return x.dtype() == DType::float32 || x.dtype() == Autocast::dtype(); };
  return fits(a) && fits(b) && (a.dtype() == DType::float32 || b.dtype() == DType::float32);
}

Var autocast::down(const Var& x) {
  if (x.dtype() != DType::float32) return x;
  if (!x.needs_grad()) return half(x);
  return record("cast", shared_copy(x), {x}, [](V g) { return cast(g, DType::float32); });
}

Var autocast::half(const Var& x) { return x.dtype() == DType::float32 ? cast(x, Autocast::dtype()) : x; }

bool autocast::meet(const Vars& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const Var& part) { return meet(parts[0], part); });
}

Vars autocast::half(const Vars& parts) {
  Vars halves;
  for (const Var& part : parts) halves.push_back(half(part));
  return halves;
}

Var autocast::up(const Var& x) { return takes_up(x) ? cast(x, DType::float32) : x; }

}  // namespace attend
