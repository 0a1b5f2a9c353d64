// Convolution without columns: an output in each lane. The weight [K, outputs] is read in whole vectors, and a number
// of the image is sent to all lanes. The sums of some places, or of some elements of the windows, stay in registers for
// the whole inner loop.
#include "tensor/inner/avx512.hpp"
#include "tensor/kernels/avx512/registers.hpp"

namespace attend::avx512 {

#ifdef __AVX512F__
namespace {

// The sums of `places` neighbours of one row, over all of their windows.
template <Size vectors, Size places>
struct SumsOfPlaces {
  [[gnu::flatten]] static void run(const Windows& windows, const float* image, const float* weight, float* y) {
    Vector sum[places][vectors];
    each<places>([&](auto p) { each<vectors>([&](auto v) { sum[p][v] = _mm512_setzero_ps(); }); });
    for (Size k = 0; k < windows.K; ++k, weight += vectors * lanes) {
      const float* element = image + windows.offsets[k];
      Vector w[vectors];
      each<vectors>([&](auto v) { w[v] = _mm512_loadu_ps(weight + v * lanes); });
      each<places>([&](auto p) {
        const Vector x = _mm512_set1_ps(element[p]);
        each<vectors>([&](auto v) { sum[p][v] = _mm512_fmadd_ps(x, w[v], sum[p][v]); });
      });
    }
    each<places>(
        [&](auto p) { each<vectors>([&](auto v) { _mm512_storeu_ps(y + (p * vectors + v) * lanes, sum[p][v]); }); });
  }
};

// The sums of `elements` neighbours of a window, over all places.
template <Size vectors, Size elements>
struct SumsOfElements {
  [[gnu::flatten]] static void run(const Windows& windows, const Size* offsets, const float* g, float* dw) {
    Vector sum[elements][vectors];
    each<elements>(
        [&](auto k) { each<vectors>([&](auto v) { sum[k][v] = _mm512_loadu_ps(dw + (k * vectors + v) * lanes); }); });
    for (Size i = 0; i < windows.rows; ++i) {
      const float* place = windows.image + i * windows.row;
      for (Size j = 0; j < windows.columns; ++j, ++place, g += vectors * lanes) {
        Vector of_place[vectors];
        each<vectors>([&](auto v) { of_place[v] = _mm512_loadu_ps(g + v * lanes); });
        each<elements>([&](auto k) {
          const Vector x = _mm512_set1_ps(place[offsets[k]]);
          each<vectors>([&](auto v) { sum[k][v] = _mm512_fmadd_ps(x, of_place[v], sum[k][v]); });
        });
      }
    }
    each<elements>(
        [&](auto k) { each<vectors>([&](auto v) { _mm512_storeu_ps(dw + (k * vectors + v) * lanes, sum[k][v]); }); });
  }
};

template <Size vectors>
void convolve(const Windows& windows, const float* weight, float* y) {
  constexpr Size outputs = vectors * lanes;
  for (Size i = 0; i < windows.rows; ++i) {
    each_part(windows.columns, most_sums, [&](Size first, Size count) {
      const float* image = windows.image + i * windows.row + first;
      float* to = y + (i * windows.columns + first) * outputs;
      run<SumsOfPlaces, vectors, most_sums, const Windows&>(count, windows, image, weight, to);
    });
  }
}

template <Size vectors>
void add_to_weight(const Windows& windows, const float* g, float* dw) {
  each_part(windows.K, most_sums, [&](Size first, Size count) {
    run<SumsOfElements, vectors, most_sums, const Windows&>(count, windows, windows.offsets + first, g,
                                                            dw + first * vectors * lanes);
  });
}

}  // namespace

void convolve(const Windows& windows, const float* weight, Size vectors, float* y) {
  vectors == 1 ? convolve<1>(windows, weight, y) : convolve<2>(windows, weight, y);
}

void add_to_weight(const Windows& windows, const float* g, Size vectors, float* dw) {
  vectors == 1 ? add_to_weight<1>(windows, g, dw) : add_to_weight<2>(windows, g, dw);
}

#else

void convolve(const Windows&, const float*, Size, float*) {}
void add_to_weight(const Windows&, const float*, Size, float*) {}

#endif

}  // namespace attend::avx512
