// From the dtype at run time to the C++ type of an element. Included by .cpp files of tensor/ only.
#pragma once
#include <stdexcept>
#include <string>

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
    case DType::int64:
      return f(std::int64_t{});
    case DType::boolean:
      break;
  }
  return f(bool{});
}

/// The same for the two types that carry derivatives. Throws std::invalid_argument for the others.
template <class F>
auto by_floating(const char* op, const Tensor& x, F f) {
  check_floating(op, x);
  return x.dtype() == DType::float32 ? f(float{}) : f(double{});
}

}  // namespace attend
