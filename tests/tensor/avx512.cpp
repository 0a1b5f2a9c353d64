// The loops for AVX-512 against loops as simple as can be, at sizes around those of vectors and tiles. On a processor
// without it there is nothing to test, and all cases are skipped.
#include "tensor/inner/avx512.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/support/special.hpp"

using namespace attend;
using avx512::Size;

namespace {

const auto without_avx512 = doctest::skip(!avx512::available());

using Floats = std::vector<float>;

Floats numbers(Size count, float from = 1) {
  Floats all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = from + static_cast<float>(i * 7 % 13) / 8;
  return all;
}

float& at(Floats& x, Size i) { return x[static_cast<std::size_t>(i)]; }

// A matrix [rows, columns] in memory, by rows or by columns, with a gap behind each.
struct Laid {
  Floats memory;
  avx512::Matrix matrix;
  Laid(Size rows, Size columns, bool transposed, float from) {
    const Size step = (transposed ? rows : columns) + 3;
    memory = numbers(step * (transposed ? columns : rows) + 1, from);
    matrix = transposed ? avx512::Matrix{memory.data(), 1, step} : avx512::Matrix{memory.data(), step, 1};
  }
  double operator()(Size i, Size j) const { return matrix.first[i * matrix.row + j * matrix.column]; }
};

bool same_bits(const float* a, const float* b, Size count) {
  return std::memcmp(a, b, static_cast<std::size_t>(count) * sizeof(float)) == 0;
}

}  // namespace

TEST_CASE("a small product is that of its elements, whatever is transposed, and writes nothing else" * without_avx512) {
  for (Size m : {1, 2, 5, 6, 7, 12, 14, 15, 29, 130}) {
    for (Size n : {1, 8, 15, 16, 17, 31, 33, 48, 63, 64, 65, 100}) {
      for (Size k : {0, 1, 3, 16, 33, 256}) {
        for (int transposed = 0; transposed < 4; ++transposed) {
          INFO(m, " x ", k, " x ", n, ", transposed: ", transposed);
          const Laid a(m, k, transposed % 2 == 1, -0.5f), b(k, n, transposed / 2 == 1, -0.75f);
          const Size row = n + 2;
          Floats c(static_cast<std::size_t>(m * row), std::numeric_limits<float>::quiet_NaN());
          avx512::multiply(m, n, k, a.matrix, b.matrix, c.data(), row, 2, 0);
          bool good = true;
          for (Size i = 0; i < m; ++i) {
            for (Size j = 0; j < row; ++j) {
              double sum = 0;
              for (Size l = 0; j < n && l < k; ++l) sum += a(i, l) * b(l, j);
              const float found = at(c, i * row + j);
              good = good && (j < n ? std::fabs(found - 2 * sum) <= 1e-5 * (1 + std::fabs(sum)) : std::isnan(found));
            }
          }
          CHECK(good);
        }
      }
    }
  }
}

TEST_CASE("a small product can be added to what stands there, and a row has the same bits wherever it is" *
          without_avx512) {
  const Size m = 29, n = 45, k = 20;
  const Laid a(m, k, false, -0.5f), b(k, n, true, -0.75f);
  Floats product(static_cast<std::size_t>(m * n)), added(static_cast<std::size_t>(m * n), 8);
  avx512::multiply(m, n, k, a.matrix, b.matrix, product.data(), n, 1, 0);
  avx512::multiply(m, n, k, a.matrix, b.matrix, added.data(), n, 1, 0.5f);
  bool good = true;
  for (std::size_t i = 0; i < added.size(); ++i) good = good && std::fabs(added[i] - (product[i] + 4)) <= 1e-5;
  CHECK(good);
  for (Size i = 0; i < m; ++i) {
    Floats alone(n + 1);
    const avx512::Matrix row{a.matrix.first + i * a.matrix.row, a.matrix.row, 1};
    avx512::multiply(1, n, k, row, b.matrix, alone.data() + 1, n, 1, 0);
    CHECK(same_bits(alone.data() + 1, product.data() + i * n, n));
  }
}

TEST_CASE("a product of more than one block is added to what stands there once, and a row has the same bits alone" *
          without_avx512) {
  const Size m = 200, n = 530, k = 300;
  for (int transposed = 0; transposed < 4; ++transposed) {
    INFO("transposed: ", transposed);
    const Laid a(m, k, transposed % 2 == 1, -0.5f), b(k, n, transposed / 2 == 1, -0.75f);
    Floats c(static_cast<std::size_t>(m * n), 8), alone(static_cast<std::size_t>(n), 8);
    avx512::multiply(m, n, k, a.matrix, b.matrix, c.data(), n, 2, 0.5f);
    double worst = 0;
    for (Size i = 0; i < m; ++i) {
      for (Size j = 0; j < n; ++j) {
        double sum = 0, size = 1;
        for (Size l = 0; l < k; ++l) sum += a(i, l) * b(l, j), size += std::fabs(a(i, l) * b(l, j));
        worst = std::max(worst, std::fabs(at(c, i * n + j) - (2 * sum + 4)) / size);
      }
    }
    CHECK(worst < 1e-6);
    for (Size i : {0, 7, 191, 192, 199}) {
      const avx512::Matrix row{a.matrix.first + i * a.matrix.row, a.matrix.row, a.matrix.column};
      alone.assign(alone.size(), 8);
      avx512::multiply(1, n, k, row, b.matrix, alone.data(), n, 2, 0.5f);
      CHECK(same_bits(alone.data(), c.data() + i * n, n));
    }
  }
}

TEST_CASE("what is not finite reaches its row or its column, and nothing else" * without_avx512) {
  struct Sizes {
    Size m, n, k;
  };
  for (const Sizes& sizes : {Sizes{9, 21, 5}, {200, 530, 300}}) {  // within one block, and more than one
    const Size m = sizes.m, n = sizes.n, k = sizes.k;
    for (double bad : {test::infinity, test::not_a_number}) {
      Laid a(m, k, false, 1), b(k, n, false, 1);
      const Size row = m - 5, column = n - 4;
      at(a.memory, row * a.matrix.row + 2) = static_cast<float>(bad);
      at(b.memory, (k - 2) * b.matrix.row + column) = static_cast<float>(bad);
      Floats c(static_cast<std::size_t>(m * n), 1);
      avx512::multiply(m, n, k, a.matrix, b.matrix, c.data(), n, 2, 0.5f);
      bool good = true;
      for (Size i = 0; i < m; ++i) {
        for (Size j = 0; j < n; ++j) good = good && std::isfinite(at(c, i * n + j)) == (i != row && j != column);
      }
      INFO(m, " x ", k, " x ", n, " with ", bad);
      CHECK(good);
    }
  }
}

TEST_CASE("the exponential is within two units in the last place of the exact one, everywhere" * without_avx512) {
  const auto ulps = [](float x) {
    float e = 0;
    avx512::exp_shifted(&x, 0, &e, 1);
    const double exact = std::exp(static_cast<double>(x));
    const double unit = std::nextafter(static_cast<float>(exact), 1e38f) - static_cast<float>(exact);
    return std::fabs(e - exact) / unit;
  };
  double worst = 0;
  for (float x = -87; x < 88; x += 0.00731f) worst = std::max(worst, ulps(x));
  CHECK(worst < 2);
  for (float x = -103; x < -87; x += 0.0131f) CHECK(ulps(x) <= 2);  // results with fewer digits
}

TEST_CASE("the exponential of what is not finite, or too large or small for a result, is as of std::exp" *
          without_avx512) {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Floats x = {inf, -inf, 89, 1e30f, -104, -1e30f, 0, -0.f};
  Floats e(x.size());
  const float sum = avx512::exp_shifted(x.data(), 0, e.data(), static_cast<Size>(x.size()));
  CHECK(e == Floats{inf, 0, inf, inf, 0, 0, 1, 1});
  CHECK(sum == inf);
  float of_nan = 0;
  CHECK(std::isnan(avx512::exp_shifted(&nan, 0, &of_nan, 1)));
  CHECK(std::isnan(of_nan));
}

TEST_CASE("exponentials have the same bits at every place, their sum counts each once, and nothing else is written" *
          without_avx512) {
  for (Size count = 0; count <= 50; ++count) {
    const Floats x = numbers(count + 3, -2);
    Floats e(static_cast<std::size_t>(count + 6), -1);
    const float sum = avx512::exp_shifted(x.data() + 3, 0.5f, e.data() + 2, count);
    double expected = 0;
    for (Size i = 0; i < count; ++i) {
      float alone = 0;
      avx512::exp_shifted(x.data() + 3 + i, 0.5f, &alone, 1);
      CHECK(same_bits(&alone, &at(e, 2 + i), 1));
      expected += alone;
    }
    CHECK(std::fabs(sum - expected) <= 1e-6 * expected);
    for (Size i : {Size{0}, Size{1}, count + 2, count + 3}) CHECK(at(e, i) == -1);
  }
}

TEST_CASE("GELU and its derivative have the same bits at every place, and nothing else is written" * without_avx512) {
  for (Size count = 0; count <= 50; ++count) {
    const Floats x = numbers(count + 3, -2), g = numbers(count + 3, 1);
    const auto filled = [&] { return Floats(static_cast<std::size_t>(count + 6), -9); };
    Floats y = filled(), dx = filled();
    avx512::gelu(x.data() + 3, y.data() + 2, count);
    avx512::gelu_backward(g.data() + 3, 1, x.data() + 3, 1, dx.data() + 2, count);
    for (Size i = 0; i < count; ++i) {
      float y_alone = 0, dx_alone = 0;
      avx512::gelu(x.data() + 3 + i, &y_alone, 1);
      avx512::gelu_backward(g.data() + 3 + i, 0, x.data() + 3 + i, 0, &dx_alone, 1);
      CHECK(same_bits(&y_alone, &at(y, 2 + i), 1));
      CHECK(same_bits(&dx_alone, &at(dx, 2 + i), 1));
    }
    for (Size i : {Size{0}, Size{1}, count + 2, count + 3}) CHECK((at(y, i) == -9 && at(dx, i) == -9));
  }
}

TEST_CASE("short rows are copied, and matrices transposed, as far as they go and no further" * without_avx512) {
  for (Size rows : {0, 1, 3, 15, 16, 17, 33}) {
    for (Size columns : {0, 1, 7, 15, 16, 17, 31, 32, 35}) {
      INFO(rows, " x ", columns);
      const Size from_row = columns + 2, to_row = rows + columns + 3;
      Floats from = numbers(rows * from_row + 1), copied(40 * 80, -1), transposed = copied;
      Floats expected_copy = copied, expected = copied;
      for (Size i = 0; i < rows; ++i) {
        for (Size j = 0; j < columns; ++j) {
          at(expected_copy, 5 + i * to_row + j) = at(expected, 5 + j * to_row + i) = at(from, i * from_row + j);
        }
      }
      avx512::copy(from.data(), from_row, rows, columns, copied.data() + 5, to_row);
      avx512::transpose(from.data(), from_row, rows, columns, transposed.data() + 5, to_row);
      CHECK(copied == expected_copy);
      CHECK(transposed == expected);
    }
  }
}
