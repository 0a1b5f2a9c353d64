#include "nn/init.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

void check_sizes(const char* op, Size in, Size out) {
  if (in > 0 && out > 0) return;
  throw std::invalid_argument(std::string(op) + ": sizes in " + std::to_string(in) + " and out " + std::to_string(out) +
                              " must be positive");
}

Var uniform_within(double bound, Size in, Size out, Rng& rng) { return uniform_init({in, out}, -bound, bound, rng); }

}  // namespace

Var normal_init(const Shape& shape, double mean, double deviation, Rng& rng) {
  return Var::parameter(rng.normal(shape, mean, deviation));
}

Var uniform_init(const Shape& shape, double low, double high, Rng& rng) {
  return Var::parameter(rng.uniform(shape, low, high));
}

Var xavier_uniform(Size in, Size out, Rng& rng) {
  check_sizes("xavier_uniform", in, out);
  return uniform_within(std::sqrt(6.0 / static_cast<double>(in + out)), in, out, rng);
}

Var xavier_normal(Size in, Size out, Rng& rng) {
  check_sizes("xavier_normal", in, out);
  return normal_init({in, out}, 0, std::sqrt(2.0 / static_cast<double>(in + out)), rng);
}

Var kaiming_uniform(Size in, Size out, Rng& rng) {
  check_sizes("kaiming_uniform", in, out);
  return uniform_within(std::sqrt(6.0 / static_cast<double>(in)), in, out, rng);
}

Var kaiming_normal(Size in, Size out, Rng& rng) {
  check_sizes("kaiming_normal", in, out);
  return normal_init({in, out}, 0, std::sqrt(2.0 / static_cast<double>(in)), rng);
}

Var orthogonal(Size in, Size out, Rng& rng) {
  check_sizes("orthogonal", in, out);
  const Size rows = std::max(in, out), columns = std::min(in, out);
  const auto [q, r] = kernel::qr(rng.normal({rows, columns}, 0, 1, DType::float64));
  const Tensor positive = kernel::greater_equal(diagonal(r, 0, 1), Tensor::zeros({}, DType::float64));
  const Tensor sign = kernel::affine(kernel::cast(positive, DType::float64), 2, -1);  // [columns]
  const Tensor haar = kernel::mul(q, sign);
  return Var::parameter(contiguous(kernel::cast(in < out ? transpose(haar) : haar, DType::float32)));
}

}  // namespace attend
