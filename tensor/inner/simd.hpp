// Vector loops that no xtensor expression can say: sums and maxima of a run. Included by tensor/kernels/*.cpp only.
#pragma once
#include <cmath>
#include <type_traits>

#include "tensor/inner/avx512.hpp"
#include "tensor/inner/run.hpp"
#include "tensor/xtensor.hpp"

namespace attend::simd {

template <class T>
using Batch = xsimd::batch<T>;

template <class T>
constexpr Size lanes() {
  return static_cast<Size>(Batch<T>::size);
}

/// The sum of the lanes; xsimd renamed it.
template <class T>
T horizontal_sum(const Batch<T>& x) {
#if XSIMD_VERSION_MAJOR >= 9
  return xsimd::reduce_add(x);
#else
  return xsimd::hadd(x);
#endif
}

/// Σ x[i], in two interleaved vectors of partial sums.
template <class T>
T sum(const T* x, Size count) {
  constexpr Size step = lanes<T>();
  Batch<T> even(T(0)), odd(T(0));
  Size i = 0;
  for (; i + 2 * step <= count; i += 2 * step) {
    even += Batch<T>::load_unaligned(x + i);
    odd += Batch<T>::load_unaligned(x + i + step);
  }
  T total = horizontal_sum<T>(even + odd);
  for (; i < count; ++i) total += x[i];
  return total;
}

/// The largest element of a run of at least one. NaNs may get lost.
template <class T>
T max(const T* x, Size count) {
  constexpr Size step = lanes<T>();
  T largest = x[0];
  Size i = 0;
  if (count >= step) {
    Batch<T> candidates = Batch<T>::load_unaligned(x);
    for (i = step; i + step <= count; i += step) {
      candidates = xsimd::max(candidates, Batch<T>::load_unaligned(x + i));
    }
    T each[step];
    candidates.store_unaligned(each);
    for (T candidate : each) largest = std::max(largest, candidate);
  }
  for (; i < count; ++i) largest = std::max(largest, x[i]);
  return largest;
}

/// Σ a[i] · b[i].
template <class T>
T dot(const T* a, const T* b, Size count) {
  constexpr Size step = lanes<T>();
  Batch<T> partial(T(0));
  Size i = 0;
  for (; i + step <= count; i += step) partial += Batch<T>::load_unaligned(a + i) * Batch<T>::load_unaligned(b + i);
  T total = horizontal_sum<T>(partial);
  for (; i < count; ++i) total += a[i] * b[i];
  return total;
}

/// to[i] = exp(x[i] − shift), and the sum of what was written. A short rest goes through a full vector too, so that an
/// element's bits do not depend on its place.
template <class T>
T exp_shifted(const T* x, T shift, T* to, Size count) {
  if constexpr (std::is_same_v<T, float>) {
    if (avx512::available()) return avx512::exp_shifted(x, shift, to, count);
  }
  constexpr Size step = lanes<T>();
  const Batch<T> shifts(shift);
  Batch<T> partial(T(0));
  Size i = 0;
  for (; i + step <= count; i += step) {
    const Batch<T> e = xsimd::exp(Batch<T>::load_unaligned(x + i) - shifts);
    partial += e;
    e.store_unaligned(to + i);
  }
  T total = horizontal_sum<T>(partial);
  if (i == count) return total;
  T rest[step];
  for (Size j = 0; j < step; ++j) rest[j] = i + j < count ? x[i + j] : shift;
  xsimd::exp(Batch<T>::load_unaligned(rest) - shifts).store_unaligned(rest);
  for (Size j = 0; i + j < count; ++j) total += to[i + j] = rest[j];
  return total;
}

/// to[i] = x[i] · factor.
template <class T>
void scale(const T* x, T factor, T* to, Size count) {
  for (Size i = 0; i < count; ++i) to[i] = x[i] * factor;
}

}  // namespace attend::simd
