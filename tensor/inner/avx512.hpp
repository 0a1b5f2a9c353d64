// The inner loops of matrix products, of a convolution without columns, of the softmax and of GELU, for processors with
// AVX-512. What stands in kernels/avx512/ is compiled for them, and called where available() says so. No function of
// another header may be compiled there, for the linker would give it to everyone; so this one includes nothing of ours.
#pragma once
#include <cstddef>

namespace attend::avx512 {

using Size = std::ptrdiff_t;

constexpr Size lanes = 16;        // float32 numbers in a vector
constexpr Size most_vectors = 2;  // of outputs, that a convolution computes at once

/// Whether this processor has AVX-512, and kernels/avx512/ was compiled for it; false where the environment says
/// ATTEND_AVX512=off.
bool available();

/// A matrix whose element (i, j) is first[i · row + j · column].
struct Matrix {
  const float* first;
  Size row, column;
};

/// c [m, n] = factor · a [m, k] · b [k, n] + keep · c; the rows of c are c_row apart. The rows or the columns of b are
/// neighbours. With keep 0, c is not read. Each thread keeps half a mebibyte for it, which live() does not count.
/// Throws std::bad_alloc where there is none.
void multiply(Size m, Size n, Size k, const Matrix& a, const Matrix& b, float* c, Size c_row, float factor, float keep);

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

/// to[i] = exp(x[i] − shift), within 2 units in the last place, and the sum of what was written.
float exp_shifted(const float* x, float shift, float* to, Size count);

/// to[i] = x[i] Φ(x[i]), and to[i] = g[i] times its derivative at x[i]; a step is 1, or 0 where one number stands for
/// all. The bits are those of special.hpp.
void gelu(const float* x, float* to, Size count);
void gelu_backward(const float* g, Size g_step, const float* x, Size x_step, float* to, Size count);

/// to[i, j] = from[i, j]: for rows so short that a call of memcpy for each takes longer than to copy it.
void copy(const float* from, Size from_row, Size rows, Size columns, float* to, Size to_row);

/// to[j, i] = from[i, j]; both have rows of their own distance.
void transpose(const float* from, Size from_row, Size rows, Size columns, float* to, Size to_row);

}  // namespace attend::avx512
