// Numbers in another place: rows copied, squares of 16 × 16 transposed in registers.
#include "tensor/inner/avx512.hpp"
#include "tensor/kernels/avx512/registers.hpp"

namespace attend::avx512 {

#ifdef __AVX512F__
namespace {

// Two rows of 16 shuffled like cards, their first halves or their last. To shuffle all rows i and i + 8 moves every bit
// of a number's place by one, from row to column: after four times row and column have changed places.
Vector first_halves(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
Vector last_halves(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

void transpose_square(const float* from, Size from_row, float* to, Size to_row) {
  Vector rows[lanes], shuffled[lanes];
  for (Size i = 0; i < lanes; ++i) rows[i] = _mm512_loadu_ps(from + i * from_row);
  for (Size time = 0; time < 4; ++time) {
    for (Size i = 0; i < lanes / 2; ++i) {
      shuffled[2 * i] = first_halves(rows[i], rows[i + lanes / 2]);
      shuffled[2 * i + 1] = last_halves(rows[i], rows[i + lanes / 2]);
    }
    for (Size i = 0; i < lanes; ++i) rows[i] = shuffled[i];
  }
  for (Size i = 0; i < lanes; ++i) _mm512_storeu_ps(to + i * to_row, rows[i]);
}

}  // namespace

void copy(const float* from, Size from_row, Size rows, Size columns, float* to, Size to_row) {
  for (Size j = 0; j < columns; j += lanes) {
    const __mmask16 inside = first_lanes(columns - j);
    for (Size i = 0; i < rows; ++i) {
      _mm512_mask_storeu_ps(to + i * to_row + j, inside, _mm512_maskz_loadu_ps(inside, from + i * from_row + j));
    }
  }
}

void transpose(const float* from, Size from_row, Size rows, Size columns, float* to, Size to_row) {
  for (Size i = 0; i < rows; i += lanes) {
    for (Size j = 0; j < columns; j += lanes) {
      if (i + lanes <= rows && j + lanes <= columns) {
        transpose_square(from + i * from_row + j, from_row, to + j * to_row + i, to_row);
        continue;
      }
      for (Size r = i; r < i + lanes && r < rows; ++r) {
        for (Size c = j; c < j + lanes && c < columns; ++c) to[c * to_row + r] = from[r * from_row + c];
      }
    }
  }
}

#else

void copy(const float*, Size, Size, Size, float*, Size) {}
void transpose(const float*, Size, Size, Size, float*, Size) {}

#endif

}  // namespace attend::avx512
