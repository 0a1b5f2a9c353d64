// Factorisations, by LAPACK. xtensor-blas's xlinalg.hpp takes ten seconds to compile, so it is included here alone.
#include "tensor/dispatch.hpp"
#include "tensor/kernels.hpp"
#include "tensor/xlinalg.hpp"

namespace attend::kernel {
namespace {

template <class T>
xt::xarray<T, xt::layout_type::row_major> to_xtensor(const Tensor& x) {
  const Tensor dense = contiguous(x);
  std::vector<std::size_t> shape(x.shape().begin(), x.shape().end());
  xt::xarray<T, xt::layout_type::row_major> out = xt::empty<T>(shape);
  std::copy(dense.data<T>(), dense.data<T>() + x.size(), out.data());
  return out;
}

template <class Array>
Tensor from_xtensor(const Array& x) {
  using T = typename Array::value_type;
  Shape shape;
  for (std::size_t size : x.shape()) shape.push_back(static_cast<Size>(size));
  Tensor out = Tensor::uninitialized(shape, dtype_of<T>());
  std::copy(x.template begin<xt::layout_type::row_major>(), x.template end<xt::layout_type::row_major>(),
            out.writable<T>());
  return out;
}

}  // namespace

std::pair<Tensor, Tensor> qr(const Tensor& x) {
  if (x.rank() != 2 || x.shape()[0] < x.shape()[1] || x.size() == 0) {
    throw std::invalid_argument("qr: needs a matrix with at least as many rows as columns, not " + text(x.shape()));
  }
  return by_floating("qr", x, [&](auto zero) {
    auto [q, r] = xt::linalg::qr(to_xtensor<decltype(zero)>(x), xt::linalg::qrmode::reduced);
    return std::make_pair(from_xtensor(q), from_xtensor(r));
  });
}

}  // namespace attend::kernel
