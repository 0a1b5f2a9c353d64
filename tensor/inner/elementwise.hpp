// Element by element: map (one operand) and zip (two, with broadcasting) turn one xtensor expression over contiguous
// pieces, or one function of vector registers, into a kernel for tensors of any strides. Included by
// tensor/kernels/*.cpp only.
#pragma once
#include <algorithm>
#include <tuple>

#include "tensor/cost.hpp"
#include "tensor/inner/run.hpp"
#include "tensor/xtensor.hpp"

namespace attend {

/// `count` contiguous elements as an xtensor expression that owns nothing.
template <class T>
auto piece(const T* first, Size count) {
  return xt::adapt(first, static_cast<std::size_t>(count), xt::no_ownership(),
                   std::array<std::size_t, 1>{static_cast<std::size_t>(count)});
}

/// As many elements as a vector register holds.
template <class T>
using Lanes = std::array<T, xsimd::batch<T>::size>;

/// An operand of a run: a vector of elements, or one element that stands for all.
template <class T>
struct Elements {
  const T* first;
  auto expression(Size count) const { return piece(first, count); }
  xsimd::batch<T> vector(Size i) const { return xsimd::batch<T>::load_unaligned(first + i); }
  Lanes<T> last(Size from, Size count) const {  // elements from .. count − 1, the last one repeated
    Lanes<T> lanes;
    for (Size i = 0; i < static_cast<Size>(lanes.size()); ++i) lanes[i] = first[std::min(from + i, count - 1)];
    return lanes;
  }
};
template <class T>
struct Repeated {
  T value;
  auto expression(Size) const { return xt::xscalar<T>(value); }
  xsimd::batch<T> vector(Size) const { return xsimd::batch<T>(value); }
  Lanes<T> last(Size, Size) const {
    Lanes<T> lanes;
    lanes.fill(value);
    return lanes;
  }
};

/// out[i] = f(operands)[i] for one run. The last elements go through a full vector too: xtensor's own loop computes
/// them one by one, with other rounding, so that an element's bits would depend on its place.
template <class T, class F, class... Operand>
void run_expression(T* out, Size count, const F& f, Operand... operand) {
  constexpr Size lanes = xsimd::batch<T>::size;
  Size i = 0;
  if (count >= lanes) {
    auto pieces = std::make_tuple(operand.expression(count)...);
    auto expression = std::apply(f, pieces);
    for (; i + lanes <= count; i += lanes) {
      expression.template load_simd<xt_simd::unaligned_mode, T>(static_cast<std::size_t>(i)).store_unaligned(out + i);
    }
  }
  if (i == count) return;
  auto padded = std::make_tuple(operand.last(i, count)...);
  auto pieces = std::apply([](const auto&... p) { return std::make_tuple(piece(p.data(), lanes)...); }, padded);
  auto expression = std::apply(f, pieces);
  Lanes<T> last;
  expression.template load_simd<xt_simd::unaligned_mode, T>(0).store_unaligned(last.data());
  std::copy(last.begin(), last.begin() + (count - i), out + i);
}

/// A function of vector registers (xsimd::batch) that map and zip take in the place of one of expressions: for what
/// xtensor cannot say, and for operations on short runs, where it counts that this one needs no setting up.
template <class F>
struct OnVectors {
  F f;
};
template <class F>
OnVectors(F) -> OnVectors<F>;

template <class T, class F, class... Operand>
void run_expression(T* out, Size count, const OnVectors<F>& on, Operand... operand) {
  constexpr Size lanes = xsimd::batch<T>::size;
  Size i = 0;
  for (; i + lanes <= count; i += lanes) on.f(operand.vector(i)...).store_unaligned(out + i);
  if (i == count) return;
  Lanes<T> last;
  on.f(xsimd::batch<T>::load_unaligned(operand.last(i, count).data())...).store_unaligned(last.data());
  std::copy_n(last.begin(), count - i, out + i);
}

// The walk over runs (elementwise.cpp) is compiled once and calls the vector loop of an operation through a pointer.
enum class Operands { vectors, first_is_scalar, second_is_scalar };
using Run = void (*)(void* out, Size count, const void* a, const void* b, Operands operands, const void* f);
Tensor map_runs(const char* op, const Tensor& x, Run run32, Run run64, const void* f);
Tensor zip_runs(const char* op, const Tensor& a, const Tensor& b, Run run32, Run run64, const void* f);

template <class T, class F>
void run_map(void* out, Size count, const void* a, const void*, Operands, const void* f) {
  run_expression(static_cast<T*>(out), count, *static_cast<const F*>(f), Elements<T>{static_cast<const T*>(a)});
}

template <class T, class F>
void run_zip(void* out_, Size count, const void* a_, const void* b_, Operands operands, const void* f_) {
  T* out = static_cast<T*>(out_);
  const T *a = static_cast<const T*>(a_), *b = static_cast<const T*>(b_);
  const F& f = *static_cast<const F*>(f_);
  switch (operands) {
    case Operands::vectors:
      return run_expression(out, count, f, Elements<T>{a}, Elements<T>{b});
    case Operands::first_is_scalar:
      return run_expression(out, count, f, Repeated<T>{*a}, Elements<T>{b});
    case Operands::second_is_scalar:
      return run_expression(out, count, f, Elements<T>{a}, Repeated<T>{*b});
  }
}

/// f(x) for every element of a float32 or float64 tensor; f takes and returns an xtensor expression. The result keeps
/// the memory order of x.
template <class F>
Tensor map(const char* op, const Tensor& x, F f) {
  return map_runs(op, x, run_map<float, F>, run_map<double, F>, &f);
}

/// f(a, b) for every pair of elements, with broadcasting.
template <class F>
Tensor zip(const char* op, const Tensor& a, const Tensor& b, F f) {
  return zip_runs(op, a, b, run_zip<float, F>, run_zip<double, F>, &f);
}

/// The element type of an xtensor expression, for the constants in it.
template <class E>
using element_of = typename std::decay_t<E>::value_type;

}  // namespace attend
