#include "tests/support/tensors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

namespace attend::test {
namespace {

Tensor transposed_copy(const Tensor& x) {
  Axes reversed = all_axes(x.rank());
  std::reverse(reversed.begin(), reversed.end());
  return permute(contiguous(permute(x, reversed)), reversed);
}

// Every second element of a larger tensor, whose others must not be read.
Tensor stepped(const Tensor& x) {
  Shape large;
  for (Size size : x.shape()) large.push_back(2 * size + 1);
  const double filler = is_floating(x.dtype()) ? std::numeric_limits<double>::quiet_NaN() : 0;
  std::vector<double> values(static_cast<std::size_t>(element_count(large)), filler);
  const std::vector<double> of_x = x.to_vector();
  for (std::size_t i = 0; i < of_x.size(); ++i) {
    Size rest = static_cast<Size>(i), place = 0, step = 1;
    for (Size axis = x.rank(); axis-- > 0;) {
      place += (2 * (rest % x.shape()[axis]) + 1) * step;
      rest /= x.shape()[axis];
      step *= large[axis];
    }
    values[static_cast<std::size_t>(place)] = of_x[i];
  }
  Tensor view = Tensor::from(values, large, x.dtype());
  for (Size axis = 0; axis < x.rank(); ++axis) view = slice(view, axis, 1, x.shape()[axis], 2);
  return view;
}

Tensor flipped(const Tensor& x) {
  std::vector<double> values = x.to_vector();
  std::reverse(values.begin(), values.end());
  return flip(Tensor::from(values, x.shape(), x.dtype()), all_axes(x.rank()));
}

Tensor at_odd_address(const Tensor& x) {
  std::vector<double> values = x.to_vector();
  values.insert(values.begin(), 0);
  const Size count = x.size();
  return reshape(slice(Tensor::from(values, {count + 1}, x.dtype()), 0, 1, count), x.shape());
}

Tensor of_shared_copies(const Tensor& x) {
  Shape copies = x.shape();
  copies.insert(0, 3);
  Tensor view = squeeze(slice(broadcast_to(unsqueeze(contiguous(x), 0), copies), 0, 1, 1), {0});
  for (Size axis = 0; axis < x.rank(); ++axis) {
    if (x.shape()[axis] != 1) continue;
    Shape wide = x.shape();  // stride 0 on an axis of size 1
    wide[axis] = 2;
    view = slice(broadcast_to(view, wide), axis, 1, 1);
  }
  return view;
}

}  // namespace

Tensor numbers(const std::vector<double>& values, const Shape& shape) {
  return Tensor::from(values, shape, DType::float64);
}

Tensor random(const Shape& shape, DType dtype, std::uint64_t seed) {
  Rng rng(seed);
  return rng.normal(shape, 0, 1, dtype);
}

std::vector<View> views_of(const Tensor& x) {
  return {{"transposed", transposed_copy(x)},
          {"stepped", stepped(x)},
          {"flipped", flipped(x)},
          {"at an odd address", at_odd_address(x)},
          {"one of shared copies", of_shared_copies(x)}};
}

std::string text(const Counts& counts) {
  return std::to_string(counts.nodes) + " nodes and " + std::to_string(counts.blocks) + " blocks";
}

void check_nothing_left(const Counts& before, const char* file, int line) {
  const Counts now;
  if (now == before) return;
  ADD_FAIL_CHECK_AT(file, line, "alive are " << text(now) << ", but before there were " << text(before));
}

}  // namespace attend::test
