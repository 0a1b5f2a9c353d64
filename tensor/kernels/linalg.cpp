// Factorisations, by LAPACK. xtensor-blas's xlinalg.hpp takes ten seconds to compile, so it is included here alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tensor/cost.hpp"
#include "tensor/inner/dispatch.hpp"
#include "tensor/inner/xlinalg.hpp"
#include "tensor/kernels.hpp"
#include "tensor/xt.hpp"

namespace attend::kernel {
namespace {

[[noreturn]] void fail_singular(const Tensor& x, double nearness) {
  throw std::invalid_argument("inverse: a matrix of " + text(x.shape()) + " is singular (1 / condition " +
                              std::to_string(nearness) + "); it has no inverse");
}

// ‖A‖₁, the largest sum of a column.
template <class M>
double norm_1(const M& matrix) {
  double largest = 0;
  for (std::size_t j = 0; j < matrix.shape()[1]; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < matrix.shape()[0]; ++i) sum += std::fabs(static_cast<double>(matrix(i, j)));
    largest = std::max(largest, sum);
  }
  return largest;
}

// LAPACK alone stops only at a pivot that is exactly 0, which rounding hides.
template <class T>
Tensor inverse_of_one(const Tensor& matrix, const Tensor& x) {
  if (!all_finite(matrix)) {
    return Tensor::full(matrix.shape(), std::numeric_limits<double>::quiet_NaN(), x.dtype());
  }
  const auto A = as_xtensor<T>(matrix);
  try {
    const auto inverted = xt::linalg::inv(A);
    const double nearness = 1 / (norm_1(A) * norm_1(inverted));
    if (!(nearness >= static_cast<double>(std::numeric_limits<T>::epsilon()))) fail_singular(x, nearness);
    return from_xtensor(inverted);
  } catch (const std::runtime_error&) {
    fail_singular(x, 0);
  }
}

// f of every matrix of x [..., m, n], side by side on a new first axis.
template <class F>
Tensor each_matrix(const Tensor& x, F f) {
  const Tensor matrices = contiguous(reshape(x, {-1, x.shape()[x.rank() - 2], x.shape().back()}));
  std::vector<Tensor> results;
  for (Size i = 0; i < matrices.shape()[0]; ++i) {
    results.push_back(unsqueeze(f(contiguous(squeeze(slice(matrices, 0, i, 1), {0}))), 0));
  }
  return concat(results, 0);
}

}  // namespace

std::pair<Tensor, Tensor> qr(const Tensor& x) {
  if (x.rank() != 2 || x.shape()[0] < x.shape()[1] || x.size() == 0) {
    throw std::invalid_argument("qr: needs a matrix with at least as many rows as columns, not " + text(x.shape()));
  }
  if (is_half(x.dtype())) {
    const auto [q, r] = qr(widened(x));
    return {rounded(q, x.dtype()), rounded(r, x.dtype())};
  }
  const Tensor dense = contiguous(x);
  return by_floating("qr", x, [&](auto zero) {
    const auto [q, r] = xt::linalg::qr(as_xtensor<decltype(zero)>(dense), xt::linalg::qrmode::reduced);
    return std::make_pair(from_xtensor(q), from_xtensor(r));
  });
}

Tensor inverse(const Tensor& x) {
  if (x.rank() < 2 || x.shape()[x.rank() - 2] != x.shape().back()) {
    throw std::invalid_argument("inverse: needs square matrices, not " + text(x.shape()));
  }
  check_floating("inverse", x);
  if (is_half(x.dtype())) return rounded(inverse(widened(x)), x.dtype());
  note_cost("inverse", {x.size() * x.shape().back(), x.size() * width(x.dtype()), x.size() * width(x.dtype())});
  if (x.size() == 0) return x;
  return by_floating("inverse", x, [&](auto zero) {
    const auto invert = [&](const Tensor& matrix) { return inverse_of_one<decltype(zero)>(matrix, x); };
    return reshape(each_matrix(x, invert), x.shape());
  });
}

Tensor singular_values(const Tensor& x) {
  if (x.rank() < 2) throw std::invalid_argument("singular_values: needs matrices, not " + text(x.shape()));
  check_floating("singular_values", x);
  if (is_half(x.dtype())) return rounded(singular_values(widened(x)), x.dtype());
  if (!all_finite(x)) throw std::invalid_argument("singular_values: numbers that are not finite in " + text(x.shape()));
  Shape shape = x.shape();
  shape.erase(shape.size() - 1);
  shape.back() = std::min(shape.back(), x.shape().back());
  if (x.size() == 0) return Tensor::zeros(shape, x.dtype());
  return by_floating("singular_values", x, [&](auto zero) {
    const auto values = [](const Tensor& matrix) {
      return from_xtensor(std::get<1>(xt::linalg::svd(as_xtensor<decltype(zero)>(matrix), false, false)));
    };
    return reshape(each_matrix(x, values), shape);
  });
}

}  // namespace attend::kernel
