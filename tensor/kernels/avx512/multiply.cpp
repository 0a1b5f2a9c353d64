// Matrix products. A block of b that the caches hold is laid together in panels at most four vectors wide, a column in
// each lane, and goes past all rows of a, which stay where they are: a number of a is sent to all lanes, and the sums
// of some rows stay in registers for all of the block. Where a has few rows, b stays where it is, too. After Goto and
// van de Geijn (2008), Anatomy of High-Performance Matrix Multiplication, who lay a together as well.
#include "tensor/inner/avx512.hpp"
#include "tensor/kernels/avx512/registers.hpp"

namespace attend::avx512 {

#ifdef __AVX512F__
namespace {

constexpr Size widest_panel = 4 * lanes;
constexpr Size most_inner = 256, most_columns = 512;  // of a block of b: 512 KiB
constexpr Size most_rows = 192;  // of a, that go past a whole block before the next ones do: 192 KiB

// std::min belongs to another header, of which nothing may be compiled here (avx512.hpp).
Size smaller(Size x, Size y) { return x < y ? x : y; }

// What is common to all rows of c [m, n] = factor · a [m, k] · b [k, n] + keep · c, where b is one panel: n is at most
// `widest_panel`, and the numbers of a row of b are neighbours. b_row and c_row lead from one row to the next.
struct Panel {
  Size k, n, b_row, c_row;
  float factor, keep;
};

// `rows` rows of c, which are `vectors` vectors wide, the last of them perhaps in part.
template <Size vectors, Size rows>
struct SumsOfRows {
  [[gnu::flatten]] static void run(const Panel& panel, const Matrix& a, const float* b, float* c) {
    const __mmask16 of_last = first_lanes(panel.n - (vectors - 1) * lanes);
    const auto inside = [=](Size v) { return v + 1 < vectors ? __mmask16(0xffff) : of_last; };
    Vector sum[rows][vectors];
    each<rows>([&](auto i) { each<vectors>([&](auto v) { sum[i][v] = _mm512_setzero_ps(); }); });
    const float* column = a.first;
    const Size inner = panel.k, a_row = a.row, a_column = a.column, b_row = panel.b_row;
#pragma GCC unroll 4  // Clang knows it too
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
  // Rows at once. With four vectors: 24 sums, 4 vectors of b and one number of a, in 29 of the 32 registers.
  constexpr Size most = vectors == 1 ? most_sums : 24 / vectors;
  each_part(m, most, [&](Size first, Size count) {
    const Matrix rows{a.first + first * a.row, a.row, a.column};
    run<SumsOfRows, vectors, most, const Panel&, const Matrix&>(count, panel, rows, b, c + first * panel.c_row);
  });
}

// A block of b [k, n] by panels.
struct Block {
  const float* first;
  Size panel, row;  // how far it is from one to the next, in numbers
};

// Room for a block of b, one for each thread. Not on the stack, for a caller's thread may have less than that.
float* room() {
  struct alignas(64) Numbers {
    float first[most_inner * most_columns];
  };
  struct Owner {
    Numbers* const numbers = new Numbers;
    ~Owner() { delete numbers; }
  };
  thread_local const Owner owner;
  return owner.numbers->first;
}

Block laid_together(const Matrix& b, Size k, Size n, float* memory) {
  for (Size j = 0; j < n; j += widest_panel) {
    const Size columns = smaller(n - j, widest_panel);
    const float* from = b.first + j * b.column;
    if (b.column == 1) {
      copy(from, b.row, k, columns, memory + j * k, widest_panel);
    } else {
      transpose(from, b.column, columns, k, memory + j * k, widest_panel);
    }
  }
  return {memory, widest_panel * k, widest_panel};
}

void multiply_block(Size m, Size n, Size k, const Matrix& a, const Block& b, float* c, Size c_row, float factor,
                    float keep) {
  constexpr decltype(&multiply_panel<1>) by_vectors[] = {multiply_panel<1>, multiply_panel<2>, multiply_panel<3>,
                                                         multiply_panel<4>};
  for (Size i = 0; i < m; i += most_rows) {
    const Matrix rows{a.first + i * a.row, a.row, a.column};
    for (Size j = 0; j < n; j += widest_panel) {
      const Panel panel{k, smaller(n - j, widest_panel), b.row, c_row, factor, keep};
      by_vectors[(panel.n - 1) / lanes](smaller(m - i, most_rows), rows, panel, b.first + j / widest_panel * b.panel,
                                        c + i * c_row + j);
    }
  }
}

}  // namespace

void multiply(Size m, Size n, Size k, const Matrix& a, const Matrix& b, float* c, Size c_row, float factor,
              float keep) {
  constexpr Size fewest_rows = 128;  // for which it is worth laying rows of b together
  for (Size j = 0; j < n; j += most_columns) {
    for (Size l = 0; l == 0 || l < k; l += most_inner) {
      const Size columns = smaller(n - j, most_columns), inner = smaller(k - l, most_inner);
      const Matrix of_a{a.first + l * a.column, a.row, a.column};
      const Matrix of_b{b.first + l * b.row + j * b.column, b.row, b.column};
      const bool in_place = b.column == 1 && m < fewest_rows;
      const Block block =
          in_place ? Block{of_b.first, widest_panel, b.row} : laid_together(of_b, inner, columns, room());
      multiply_block(m, columns, inner, of_a, block, c + j, c_row, factor, l == 0 ? keep : 1);
    }
  }
}

#else

void multiply(Size, Size, Size, const Matrix&, const Matrix&, float*, Size, float, float) {}  // available() is false

#endif

}  // namespace attend::avx512
