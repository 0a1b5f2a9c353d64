// Loops whose sums stay in registers: what the files of this folder share. They are compiled for AVX-512, and include
// nothing that others include too, for the linker would give its functions to everyone.
#pragma once
#ifdef __AVX512F__
#include <immintrin.h>  // and not xsimd, whose fma is two instructions here

#include <utility>

#include "tensor/inner/avx512.hpp"

namespace attend::avx512 {

using Vector = __m512;

constexpr Size most_sums = 14;  // for each vector of outputs: with two vectors, 28 of the 32 registers hold sums

// Lanes that are in use: the first `count`, or all.
inline __mmask16 first_lanes(Size count) { return static_cast<__mmask16>(count >= lanes ? 0xffff : (1 << count) - 1); }

// body(0), body(1), ..., body(count − 1), one after the other and in no loop: an array stays in registers where all of
// its indices are constants.
template <Size... i, class Body>
void each_of(std::integer_sequence<Size, i...>, Body body) {
  (body(std::integral_constant<Size, i>()), ...);
}
template <Size count, class Body>
void each(Body body) {
  each_of(std::make_integer_sequence<Size, count>(), body);
}

// Sums<vectors, count>::run(arguments...): the sizes are part of the type, for only then do the sums stay in registers.
template <template <Size, Size> class Sums, Size vectors, Size most = most_sums, class... Arguments>
void run(Size count, Arguments... arguments) {
  if (count == most) {
    Sums<vectors, most>::run(arguments...);
  } else if constexpr (most > 1) {
    run<Sums, vectors, most - 1>(count, arguments...);
  }
}

// Calls body(first, count) for parts of 0 .. total − 1 that are as equal as can be, none larger than `most`.
template <class Body>
void each_part(Size total, Size most, Body body) {
  const Size parts = (total + most - 1) / most;
  for (Size i = 0; i < parts; ++i) {
    const Size first = i * total / parts;
    body(first, (i + 1) * total / parts - first);
  }
}

}  // namespace attend::avx512
#endif
