// An output in each lane: a weight [K, outputs] is read in whole vectors, and a number of the image is sent to all
// lanes. The sums of some places, or of some elements of the windows, stay in registers for the whole inner loop: 28 of
// the 32 that there are, with two vectors of outputs.
#include "tensor/avx512.hpp"

#ifdef __AVX512F__
#include <immintrin.h>  // and not xsimd, whose fma is two instructions here
#endif

namespace attend::avx512 {

#ifdef __AVX512F__
namespace {

using Vector = __m512;

constexpr Size most_sums = 14;  // of each vector of outputs

// The sums of `places` neighbours of one row, over all of their windows.
template <Size vectors, Size places>
struct SumsOfPlaces {
  static void run(const Windows& windows, const float* image, const float* weight, float* y) {
    Vector sum[places][vectors];
    for (auto& of_place : sum) {
      for (Vector& some : of_place) some = _mm512_setzero_ps();
    }
    for (Size k = 0; k < windows.K; ++k, weight += vectors * lanes) {
      const float* element = image + windows.offsets[k];
      Vector w[vectors];
      for (Size v = 0; v < vectors; ++v) w[v] = _mm512_loadu_ps(weight + v * lanes);
      for (Size p = 0; p < places; ++p) {
        const Vector x = _mm512_set1_ps(element[p]);
        for (Size v = 0; v < vectors; ++v) sum[p][v] = _mm512_fmadd_ps(x, w[v], sum[p][v]);
      }
    }
    for (Size p = 0; p < places; ++p) {
      for (Size v = 0; v < vectors; ++v) _mm512_storeu_ps(y + (p * vectors + v) * lanes, sum[p][v]);
    }
  }
};

// The sums of `elements` neighbours of a window, over all places.
template <Size vectors, Size elements>
struct SumsOfElements {
  static void run(const Windows& windows, const Size* offsets, const float* g, float* dw) {
    Vector sum[elements][vectors];
    for (Size k = 0; k < elements; ++k) {
      for (Size v = 0; v < vectors; ++v) sum[k][v] = _mm512_loadu_ps(dw + (k * vectors + v) * lanes);
    }
    for (Size i = 0; i < windows.rows; ++i) {
      const float* place = windows.image + i * windows.row;
      for (Size j = 0; j < windows.columns; ++j, ++place, g += vectors * lanes) {
        Vector of_place[vectors];
        for (Size v = 0; v < vectors; ++v) of_place[v] = _mm512_loadu_ps(g + v * lanes);
        for (Size k = 0; k < elements; ++k) {
          const Vector x = _mm512_set1_ps(place[offsets[k]]);
          for (Size v = 0; v < vectors; ++v) sum[k][v] = _mm512_fmadd_ps(x, of_place[v], sum[k][v]);
        }
      }
    }
    for (Size k = 0; k < elements; ++k) {
      for (Size v = 0; v < vectors; ++v) _mm512_storeu_ps(dw + (k * vectors + v) * lanes, sum[k][v]);
    }
  }
};

// Sums<vectors, count>::run(arguments...): the sizes are part of the type, for only then do the sums stay in registers.
template <template <Size, Size> class Sums, Size vectors, Size most = most_sums, class... Arguments>
void run(Size count, Arguments... arguments) {
  if (count == most) {
    Sums<vectors, most>::run(arguments...);
  } else if constexpr (most > 1) {
    run<Sums, vectors, most - 1>(count, arguments...);
  }
}

// Calls body(first, count) for parts of 0 .. total − 1 that are as equal as can be, none larger than most_sums.
template <class Body>
void each_part(Size total, Body body) {
  const Size parts = (total + most_sums - 1) / most_sums;
  for (Size i = 0; i < parts; ++i) {
    const Size first = i * total / parts;
    body(first, (i + 1) * total / parts - first);
  }
}

template <Size vectors>
void convolve(const Windows& windows, const float* weight, float* y) {
  constexpr Size outputs = vectors * lanes;
  for (Size i = 0; i < windows.rows; ++i) {
    each_part(windows.columns, [&](Size first, Size count) {
      const float* image = windows.image + i * windows.row + first;
      float* to = y + (i * windows.columns + first) * outputs;
      run<SumsOfPlaces, vectors, most_sums, const Windows&>(count, windows, image, weight, to);
    });
  }
}

template <Size vectors>
void add_to_weight(const Windows& windows, const float* g, float* dw) {
  each_part(windows.K, [&](Size first, Size count) {
    run<SumsOfElements, vectors, most_sums, const Windows&>(count, windows, windows.offsets + first, g,
                                                            dw + first * vectors * lanes);
  });
}

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

bool available() {
  static const bool has = __builtin_cpu_supports("avx512f");
  return has;
}

void convolve(const Windows& windows, const float* weight, Size vectors, float* y) {
  vectors == 1 ? convolve<1>(windows, weight, y) : convolve<2>(windows, weight, y);
}

void add_to_weight(const Windows& windows, const float* g, Size vectors, float* dw) {
  vectors == 1 ? add_to_weight<1>(windows, g, dw) : add_to_weight<2>(windows, g, dw);
}

void copy(const float* from, Size from_row, Size rows, Size columns, float* to, Size to_row) {
  for (Size j = 0; j < columns; j += lanes) {
    const __mmask16 inside = columns - j >= lanes ? 0xffff : (1 << (columns - j)) - 1;
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

bool available() { return false; }
void convolve(const Windows&, const float*, Size, float*) {}
void add_to_weight(const Windows&, const float*, Size, float*) {}
void copy(const float*, Size, Size, Size, float*, Size) {}
void transpose(const float*, Size, Size, Size, float*, Size) {}

#endif

}  // namespace attend::avx512
