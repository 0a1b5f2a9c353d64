#include "nn/position/rotary.hpp"

#include <cmath>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {

Var rotary_at(const Var& x, const Tensor& positions, double base) {
  const Size rank = x.rank();
  if (rank < 2 || x.shape().back() % 2 != 0 || positions.shape() != Shape{x.shape()[rank - 2]}) {
    throw std::invalid_argument("rotary: x " + text(x.shape()) + " with positions " + text(positions.shape()) +
                                "; they are [..., T, d] with an even d, and [T]");
  }
  if (!(base > 0)) {
    throw std::invalid_argument("rotary: base " + std::to_string(base) + " for x " + text(x.shape()) +
                                "; it is above 0");
  }
  const Size T = x.shape()[rank - 2], d = x.shape()[rank - 1];
  std::vector<double> angles;
  for (double p : positions.to_vector()) {
    for (Size i = 0; i < d / 2; ++i) {
      angles.push_back(p * std::pow(base, -static_cast<double>(2 * i) / static_cast<double>(d)));
    }
  }
  const Tensor angle = Tensor::from(angles, {T, d / 2}, DType::float64);
  const Var cosine(kernel::cast(kernel::cos(angle), x.dtype())), sine(kernel::cast(kernel::sin(angle), x.dtype()));

  const Var even = slice(x, -1, 0, d / 2, 2), odd = slice(x, -1, 1, d / 2, 2);  // [..., T, d/2]
  const Var turned = stack({even * cosine - odd * sine, even * sine + odd * cosine}, -1);
  return reshape(turned, x.shape());
}

Var rotary(const Var& x, Size first, double base) {
  if (x.rank() < 2) throw std::invalid_argument("rotary: x " + text(x.shape()) + "; it is [..., T, d]");
  const Tensor places = kernel::cast(Tensor::arange(x.shape()[x.rank() - 2]), DType::float64);
  return rotary_at(x, kernel::affine(places, 1, static_cast<double>(first)), base);
}

}  // namespace attend
