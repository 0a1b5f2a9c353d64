#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "autograd/ops.hpp"
#include "tensor/cost.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/op_table.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// Gauss and Jordan: the rows of [A | 1] are combined until the left half is 1; the right half is A⁻¹ then.
std::vector<double> eliminated(const std::vector<double>& A, Size n) {
  std::vector<std::vector<double>> rows;
  for (Size i = 0; i < n; ++i) {
    rows.emplace_back(A.begin() + i * n, A.begin() + (i + 1) * n);
    for (Size j = 0; j < n; ++j) rows.back().push_back(i == j ? 1 : 0);
  }
  const auto count = static_cast<std::size_t>(n);
  for (std::size_t column = 0; column < count; ++column) {
    const double pivot = rows[column][column];
    for (double& x : rows[column]) x /= pivot;
    for (std::size_t i = 0; i < count; ++i) {
      const double factor = i == column ? 0 : rows[i][column];
      for (std::size_t j = 0; j < 2 * count; ++j) rows[i][j] -= factor * rows[column][j];
    }
  }
  std::vector<double> inverted;
  for (const std::vector<double>& row : rows) inverted.insert(inverted.end(), row.begin() + n, row.end());
  return inverted;
}

Numbers by_elimination(const std::vector<Numbers>& inputs) {
  Numbers out = inputs[0];
  const Size n = out.shape.back();
  for (auto first = out.values.begin(); first != out.values.end(); first += n * n) {
    const std::vector<double> inverted = eliminated({first, first + n * n}, n);
    std::copy(inverted.begin(), inverted.end(), first);
  }
  return out;
}

// Matrices [n, n] whose diagonal is larger than the rest of its row: far from singular, no pivot near 0.
Domain dominated(Size n) {
  return [n](Size count, Rng& rng) {
    std::vector<double> values = between(-1, 1)(count, rng);
    for (Size i = 0; i < count; ++i) {
      if (i / n % n == i % n) values[static_cast<std::size_t>(i)] += 1.5 * static_cast<double>(n);
    }
    return values;
  };
}

Var inverse_of(const Vars& x) { return inverse(x[0]); }

const std::vector<Row> rows = {
    {"inverse(Var)", "", inverse_of, by_elimination, {{{3, 3}, dominated(3)}}},
    {"inverse(Var)", "two batch axes", inverse_of, by_elimination, {{{2, 3, 2, 2}, dominated(2)}}},
    {"inverse(Var)", "a number", inverse_of, by_elimination, {{{1, 1}, dominated(1)}}},
    {"inverse(Var)", "no matrices", inverse_of, by_elimination, {{{0, 2, 2}}}},
    {"inverse(Var)",
     "matrices without rows",
     inverse_of,
     [](const std::vector<Numbers>& x) { return x[0]; },
     {{{2, 0, 0}}}},
};

}  // namespace

TEST_CASE("every row of ops/linalg.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/linalg.cpp has a row") { check_complete("ops/linalg.cpp", rows); }

TEST_CASE("a matrix that needs its rows exchanged has an inverse") {
  check_close(inverse(numbers({0, 2, 1, 0}, {2, 2})), {2, 2}, {0, 1, 0.5, 0}, 0);
}

TEST_CASE("a singular matrix is refused, also where rounding hides it, and one of any scale is not") {
  check_throws_with([] { inverse(numbers({1, 2, 2, 4}, {2, 2})); }, {"inverse", "[2, 2]", "singular"});
  check_throws_with([] { inverse(Tensor::zeros({3, 1, 1})); }, {"inverse", "[3, 1, 1]", "singular"});
  // Rank 2; the last pivot of its elimination is 1e-16 and not 0.
  check_throws_with(
      [] {
        inverse(numbers({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}, {3, 3}));
      },
      {"inverse", "singular"});
  check_close(inverse(numbers({1e-150, 0, 0, 1e-149}, {2, 2})), {2, 2}, {1e150, 0, 0, 1e149}, 0, 1e-15);
  check_throws_with([] { inverse(Tensor::ones({2, 3})); }, {"inverse", "square", "[2, 3]"});
  check_throws_with([] { inverse(Tensor::ones({3})); }, {"inverse", "square", "[3]"});
  check_throws_with([] { inverse(Tensor::ones({2, 2}, DType::int64)); }, {"inverse", "int64"});
}

TEST_CASE("a matrix that is not finite has an inverse of NaN, and its neighbour has its own") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor found = inverse(numbers({nan, 0, 0, 1, 2, 0, 0, 4}, {2, 2, 2})).value();
  CHECK_FALSE(kernel::any(kernel::is_finite(slice(found, 0, 0, 1))));
  check_close(slice(found, 0, 1, 1), {1, 2, 2}, {0.5, 0, 0, 0.25}, 0);
}

TEST_CASE("an inverse counts n³ multiplications for each matrix") {
  CostCounter counter;
  inverse(numbers({1, 0, 0, 1, 1, 0, 0, 1}, {2, 2, 2}));
  CHECK(counter.total().multiplications == 2 * 8);
}

TEST_CASE("singular values come largest first, of matrices of any shape and any strides") {
  const Tensor x = numbers({3, 0, 0, 0, -5, 0}, {2, 3});
  check_close(kernel::singular_values(x), {2}, {5, 3}, 1e-15);
  check_close(kernel::singular_values(transpose(x)), {2}, {5, 3}, 1e-15);
  check_close(kernel::singular_values(broadcast_to(x, {2, 2, 3})), {2, 2}, {5, 3, 5, 3}, 1e-15);
  check_close(kernel::singular_values(Tensor::zeros({0, 2, 3})), {0, 2}, {}, 0);
  check_throws_with([] { kernel::singular_values(Tensor::ones({3})); }, {"singular_values", "[3]"});
  check_throws_with(
      [] {
        kernel::singular_values(numbers({1, std::numeric_limits<double>::infinity()}, {1, 2}));
      },
      {"singular_values", "not finite", "[1, 2]"});
}
