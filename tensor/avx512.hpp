// The inner loops of a convolution without columns, for processors with AVX-512: kernels/avx512.cpp alone is compiled
// for them, and called where available() says so. No function of another header may be compiled there, for the linker
// would give it to everyone; so this one includes nothing of ours.
#pragma once
#include <cstddef>

namespace attend::avx512 {

using Size = std::ptrdiff_t;

constexpr Size lanes = 16;        // float32 numbers in a vector
constexpr Size most_vectors = 2;  // of outputs, that are computed at once

/// Whether this processor has AVX-512, and kernels/avx512.cpp was compiled for it.
bool available();

/// The windows of an image: element k of the window at place (i, j) is image[i · row + j + offsets[k]].
struct Windows {
  const float* image;
  Size rows, columns, row;
  const Size* offsets;
  Size K;
};

/// y[place, o] = Σ_k window(place)[k] · weight[k, o], for 16 · vectors outputs o.
void convolve(const Windows& windows, const float* weight, Size vectors, float* y);

/// dw[k, o] += Σ_place window(place)[k] · g[place, o], for 16 · vectors outputs o.
void add_to_weight(const Windows& windows, const float* g, Size vectors, float* dw);

/// to[i, j] = from[i, j]: for rows so short that a call of memcpy for each takes longer than to copy it.
void copy(const float* from, Size from_row, Size rows, Size columns, float* to, Size to_row);

/// to[j, i] = from[i, j]; both have rows of their own distance.
void transpose(const float* from, Size from_row, Size rows, Size columns, float* to, Size to_row);

}  // namespace attend::avx512
