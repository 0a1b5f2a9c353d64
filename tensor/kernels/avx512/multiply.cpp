// Small matrix products, by panels of b that are at most four vectors wide: a column in each lane, and a number of a is
// sent to all lanes. The sums of some rows stay in registers for the whole inner loop.
#include "tensor/avx512.hpp"
#include "tensor/kernels/avx512/registers.hpp"

namespace attend::avx512 {

#ifdef __AVX512F__
namespace {

constexpr Size widest_panel = 4 * lanes;

// What the rows of a product have in common: b is [k, n], its columns are neighbours, and at most four vectors wide.
struct Panel {
  Size k, n, b_row, c_row;
  float factor, keep;
};

// Some rows of factor · a · b + keep · c.
template <Size vectors, Size rows>
struct SumsOfRows {
  [[gnu::flatten]] static void run(const Panel& panel, const Matrix& a, const float* b, float* c) {
    const __mmask16 of_last = first_lanes(panel.n - (vectors - 1) * lanes);
    const auto inside = [=](Size v) { return v + 1 < vectors ? __mmask16(0xffff) : of_last; };
    Vector sum[rows][vectors];
    each<rows>([&](auto i) { each<vectors>([&](auto v) { sum[i][v] = _mm512_setzero_ps(); }); });
    const float* column = a.first;
    const Size inner = panel.k, a_row = a.row, a_column = a.column, b_row = panel.b_row;
    for (Size k = 0; k < inner; ++k, column += a_column, b += b_row) {
      Vector of_b[vectors];
      each<vectors>([&](auto v) { of_b[v] = _mm512_maskz_loadu_ps(inside(v), b + v * lanes); });
      each<rows>([&](auto i) {
        const Vector x = _mm512_set1_ps(column[i * a_row]);
        each<vectors>([&](auto v) { sum[i][v] = _mm512_fmadd_ps(x, of_b[v], sum[i][v]); });
      });
    }
    const Vector factor = _mm512_set1_ps(panel.factor), keep = _mm512_set1_ps(panel.keep);
    each<rows>([&](auto i) {
      each<vectors>([&](auto v) {
        float* to = c + i * panel.c_row + v * lanes;
        const __mmask16 read = panel.keep == 0 ? __mmask16(0) : inside(v);
        const Vector kept = _mm512_mul_ps(keep, _mm512_maskz_loadu_ps(read, to));
        _mm512_mask_storeu_ps(to, inside(v), _mm512_fmadd_ps(factor, sum[i][v], kept));
      });
    });
  }
};

template <Size vectors>
void multiply_panel(Size m, const Matrix& a, const Panel& panel, const float* b, float* c) {
  constexpr Size most = vectors == 1 ? most_sums : 24 / vectors;
  each_part(m, most, [&](Size first, Size count) {
    const Matrix rows{a.first + first * a.row, a.row, a.column};
    run<SumsOfRows, vectors, most, const Panel&, const Matrix&>(count, panel, rows, b, c + first * panel.c_row);
  });
}

}  // namespace

void multiply(Size m, Size n, Size k, const Matrix& a, const Matrix& b, float* c, Size c_row, float factor,
              float keep) {
  constexpr Size fewest_rows = 128;  // for which it is worth laying rows of b together
  alignas(64) float arranged[most_inner * widest_panel];
  for (Size j = 0; j < n; j += widest_panel) {
    Panel panel{k, n - j < widest_panel ? n - j : widest_panel, b.row, c_row, factor, keep};
    const float* columns = b.first + j * b.column;
    if (b.column != 1) {
      transpose(columns, b.column, panel.n, k, arranged, widest_panel);
    } else if (m >= fewest_rows) {
      copy(columns, b.row, k, panel.n, arranged, widest_panel);
    }
    if (b.column != 1 || m >= fewest_rows) columns = arranged, panel.b_row = widest_panel;
    constexpr decltype(&multiply_panel<1>) by_vectors[] = {multiply_panel<1>, multiply_panel<2>, multiply_panel<3>,
                                                           multiply_panel<4>};
    by_vectors[(panel.n - 1) / lanes](m, a, panel, columns, c + j);
  }
}

#else

void multiply(Size, Size, Size, const Matrix&, const Matrix&, float*, Size, float, float) {}

#endif

}  // namespace attend::avx512
