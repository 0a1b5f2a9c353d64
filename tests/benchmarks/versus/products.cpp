#include <cblas.h>

#include <memory>
#include <vector>

#include "tests/benchmarks/versus/sides.hpp"

namespace versus::products {
namespace {

constexpr auto plain = CblasNoTrans, turned = CblasTrans;
using Numbers = std::vector<float>;

Numbers numbers(long n) { return Numbers(static_cast<std::size_t>(n), 0.01f); }

// c [m, n] = a · b with the given leading dimensions.
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, long m, long n, long k, const float* a, long lda, const float* b,
          long ldb, float* c, long ldc) {
  cblas_sgemm(CblasRowMajor, ta, tb, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), 1, a,
              static_cast<int>(lda), b, static_cast<int>(ldb), 0, c, static_cast<int>(ldc));
}

// y = x W and its two derivatives, x [n, in], W [in, out].
void linear(long n, long in, long out, const Numbers& x, const Numbers& w, Numbers& y) {
  gemm(plain, plain, n, out, in, x.data(), in, w.data(), out, y.data(), out);
}
void linear_backward(long n, long in, long out, const Numbers& x, const Numbers& w, const Numbers& gy, Numbers& gx,
                     Numbers& gw) {
  gemm(turned, plain, in, out, n, x.data(), in, gy.data(), out, gw.data(), out);
  gemm(plain, turned, n, in, out, gy.data(), out, w.data(), out, gx.data(), in);
}

}  // namespace

void use_threads(int n) { openblas_set_num_threads(n); }

Step multi_head(HeadSizes s) {
  struct Memory {
    Numbers x, w_qkv, w_o, qkv, context, y, g_y, g_context, g_qkv, g_x, g_w_qkv, g_w_o, weights, g_weights;
  };
  const long n = s.B * s.T, D = s.D, T = s.T, d = s.D / s.H;
  const auto m = std::make_shared<Memory>(Memory{numbers(n * D), numbers(3 * D * D), numbers(D * D), numbers(3 * n * D),
                                                 numbers(n * D), numbers(n * D), numbers(n * D), numbers(n * D),
                                                 numbers(3 * n * D), numbers(n * D), numbers(3 * D * D), numbers(D * D),
                                                 numbers(s.B * s.H * T * T), numbers(T * T)});
  return [=] {
    linear(n, D, 3 * D, m->x, m->w_qkv, m->qkv);
    for (long head = 0; head < s.B * s.H; ++head) {
      const float* q = m->qkv.data() + head / s.H * T * 3 * D + head % s.H * d;
      float* p = m->weights.data() + head * T * T;
      gemm(plain, turned, T, T, d, q, 3 * D, q + D, 3 * D, p, T);
      gemm(plain, plain, T, d, T, p, T, q + 2 * D, 3 * D, m->context.data() + head / s.H * T * D + head % s.H * d, D);
    }
    linear(n, D, D, m->context, m->w_o, m->y);
    linear_backward(n, D, D, m->context, m->w_o, m->g_y, m->g_context, m->g_w_o);
    for (long head = 0; head < s.B * s.H; ++head) {
      const long at = head / s.H * T * 3 * D + head % s.H * d;
      const float *q = m->qkv.data() + at, *p = m->weights.data() + head * T * T;
      const float* go = m->g_context.data() + head / s.H * T * D + head % s.H * d;
      float *gq = m->g_qkv.data() + at, *gp = m->g_weights.data();
      gemm(turned, plain, T, d, T, p, T, go, D, gq + 2 * D, 3 * D);
      gemm(plain, turned, T, T, d, go, D, q + 2 * D, 3 * D, gp, T);
      gemm(plain, plain, T, d, T, gp, T, q + D, 3 * D, gq, 3 * D);
      gemm(turned, plain, T, d, T, gp, T, q, 3 * D, gq + D, 3 * D);
    }
    linear_backward(n, D, 3 * D, m->x, m->w_qkv, m->g_qkv, m->g_x, m->g_w_qkv);
  };
}

Step feed_forward() {
  struct Memory {
    Numbers x, w, h, v, y, g_y, g_h, g_v, g_x, g_w;
  };
  const auto m = std::make_shared<Memory>(Memory{numbers(rows * width), numbers(width * hidden), numbers(rows * hidden),
                                                 numbers(hidden * width), numbers(rows * width), numbers(rows * width),
                                                 numbers(rows * hidden), numbers(hidden * width), numbers(rows * width),
                                                 numbers(width * hidden)});
  return [=] {
    linear(rows, width, hidden, m->x, m->w, m->h);
    linear(rows, hidden, width, m->h, m->v, m->y);
    linear_backward(rows, hidden, width, m->h, m->v, m->g_y, m->g_h, m->g_v);
    linear_backward(rows, width, hidden, m->x, m->w, m->g_h, m->g_x, m->g_w);
  };
}

}  // namespace versus::products
