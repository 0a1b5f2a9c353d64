// From the dtype at run time to the C++ type of an element. Included by .cpp files of tensor/ only.
#pragma once
#include <stdexcept>
#include <string>

#include "tensor/kernels.hpp"
#include "tensor/tensor.hpp"

namespace attend {

/// Calls f with a value of the element type: by_dtype(x.dtype(), [&](auto zero) { using T = decltype(zero); ... }).
template <class F>
auto by_dtype(DType dtype, F f) {
  switch (dtype) {
    case DType::float32:
      return f(float{});
    case DType::float64:
      return f(double{});
    case DType::float16:
      return f(Float16{});
    case DType::bfloat16:
      return f(BFloat16{});
    case DType::int64:
      return f(std::int64_t{});
    case DType::boolean:
      break;
  }
  return f(bool{});
}

/// A kernel that computes begins with a line for operands in half, which leaves the rest of it to float32:
///     if (is_half(x.dtype())) return rounded(cumsum(widened(x), axis), x.dtype());
inline Tensor widened(const Tensor& x) { return kernel::cast(x, DType::float32); }
inline Tensor rounded(const Tensor& result, DType half) { return kernel::cast(result, half); }

/// Calls f with a value of the type to compute in: float or double. Throws std::invalid_argument for int64 and bool.
template <class F>
auto by_floating(const char* op, const Tensor& x, F f) {
  check_floating(op, x);
  return x.dtype() == DType::float32 ? f(float{}) : f(double{});
}

}  // namespace attend
