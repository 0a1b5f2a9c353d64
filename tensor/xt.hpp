// The bridge to xtensor, for a reader who wants to write an expression of their own. Nothing else needs this header,
// and it is the only public one that includes xtensor: a file that includes it compiles in seconds rather than one.
//
//   const Tensor x = ...;
//   const auto a = as_xtensor<double>(x);                         // a view of x's memory, not a copy
//   const Tensor y = from_xtensor(xt::sin(a) * xt::sin(a) / 2.0); // evaluated here, once
//
// Three traps of xtensor, each of which compiles, and often seems to work:
//
// 1. Expressions are lazy and hold references. `auto e = xt::exp(a) + b` computes nothing; it looks at a and b when it
//    is read. Return it from a function and it looks at variables that are gone. So a function returns the Tensor that
//    from_xtensor makes, never an expression, and `auto` never names one that outlives its line.
// 2. A reduction that keeps its axes reads out of bounds as an operand: in xtensor 0.24.3
//    `a - xt::amax(a, {1}, xt::keep_dims)` is wrong from 2 x 2 on. Evaluate it first:
//    `const xt::xarray<double> top = xt::amax(a, {1}, xt::keep_dims);   from_xtensor(a - top)`. It is also faster: the
//    lazy one reduces its row anew for every element.
// 3. `xt::random::...` is lazy too and draws again whenever it is read: a dropout mask would differ between its two
//    uses. Draw with Rng (tensor/random.hpp), which is the same on every machine besides.
//
// What passes through here has no history: inside an op, give the result to `record` together with its derivative rule.
#pragma once
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "tensor/tensor.hpp"
#include "tensor/xtensor.hpp"

namespace attend {

/// The numbers of x as an xtensor expression that can only be read. It looks at the memory of x and does not keep it
/// alive, so x must outlive it: of a temporary, such as transpose(x), there is no such view; name it first.
/// Throws std::invalid_argument when T is not the element type of x, and when x is not contiguous (a transposed or
/// broadcast view): `const Tensor dense = contiguous(x);` comes first then.
template <class T>
auto as_xtensor(const Tensor& x) {
  if (x.dtype() != dtype_of<T>()) {
    throw std::invalid_argument(std::string("as_xtensor: the elements of ") + text(x.shape()) + " are " +
                                text(x.dtype()) + ", not " + text(dtype_of<T>()));
  }
  if (!x.contiguous()) {
    throw std::invalid_argument("as_xtensor: " + text(x.shape()) +
                                " is a view with strides; take contiguous(x) first, and keep it");
  }
  const std::vector<std::size_t> shape(x.shape().begin(), x.shape().end());
  return xt::adapt<xt::layout_type::row_major>(x.data<T>(), static_cast<std::size_t>(x.size()), xt::no_ownership(),
                                               shape);
}
template <class T>
auto as_xtensor(const Tensor&& x) = delete;

/// Evaluates an expression, once, into a new Tensor: float, double and bool keep their type, every integer becomes
/// int64. Throws std::invalid_argument for more than 8 axes.
template <class E>
Tensor from_xtensor(const xt::xexpression<E>& expression) {
  using Element = std::decay_t<typename E::value_type>;
  static_assert(std::is_arithmetic_v<Element>, "from_xtensor: the elements must be numbers or bool");
  using T = std::conditional_t<std::is_integral_v<Element> && !std::is_same_v<Element, bool>, std::int64_t, Element>;
  const E& values = expression.derived_cast();
  Shape shape;
  std::vector<std::size_t> sizes;
  for (std::size_t size : values.shape()) {
    shape.push_back(static_cast<Size>(size));
    sizes.push_back(size);
  }
  Tensor out = Tensor::uninitialized(shape, dtype_of<T>());
  auto memory = xt::adapt<xt::layout_type::row_major>(out.writable<T>(), static_cast<std::size_t>(out.size()),
                                                      xt::no_ownership(), sizes);
  memory.assign(values);
  return out;
}

}  // namespace attend
