#include "nn/pool.hpp"

#include <limits>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

void check_image(const char* op, const Var& x) {
  if (x.rank() == 3 || x.rank() == 4) return;
  throw std::invalid_argument(std::string(op) + ": x " + text(x.shape()) + "; it is [B, C, T] or [B, C, H, W]");
}

// How far the last window of one axis reaches past the padded end.
Size overhang(const char* op, const Var& x, Size length, const PoolOptions& options, Size stride) {
  const auto [kernel, unused, padding, ceil_mode] = options;
  if (kernel < 1 || stride < 1 || padding < 0 || 2 * padding > kernel || kernel > length + 2 * padding || length < 1) {
    throw std::invalid_argument(std::string(op) + ": kernel " + std::to_string(kernel) + ", stride " +
                                std::to_string(stride) + " and padding " + std::to_string(padding) + " do not fit x " +
                                text(x.shape()) + "; every window must hold an element");
  }
  const Size room = length + 2 * padding - kernel, rest = room % stride;
  const bool begins_within = room - rest < length + padding - stride;  // of one window more
  return ceil_mode && rest > 0 && begins_within ? stride - rest : 0;
}

// All windows: [B, C, T', kernel] or [B, C, H', W', kernel, kernel]; `fill` stands in the padding, `beyond` past it.
Var pooled_windows(const char* op, Var x, const PoolOptions& options, double fill, double beyond) {
  const Size stride = options.stride == 0 ? options.kernel : options.stride, axes = x.rank();
  std::vector<Size> overhangs;
  for (Size axis = 2; axis < axes; ++axis) overhangs.push_back(overhang(op, x, x.shape()[axis], options, stride));
  for (Size axis = 2; axis < axes && options.padding > 0; ++axis) {
    x = pad(x, axis, options.padding, options.padding, fill);
  }
  // Only now, for what is past the padding along one axis is past it all along the other.
  for (Size axis = 2; axis < axes; ++axis) {
    const Size more = overhangs[static_cast<std::size_t>(axis - 2)];
    if (more > 0) x = pad(x, axis, 0, more, beyond);
  }
  for (Size axis = 2; axis < axes; ++axis) x = windows(x, axis, options.kernel, stride);
  return x;
}

// The windows' elements on one last axis.
Var joined(const Var& windowed, Size image_axes) {
  Shape shape;
  Size elements = 1;  // told, for −1 says nothing where the batch is empty
  for (Size axis = 0; axis < 2 + image_axes; ++axis) shape.push_back(windowed.shape()[axis]);
  for (Size axis = 2 + image_axes; axis < windowed.rank(); ++axis) elements *= windowed.shape()[axis];
  shape.push_back(elements);
  return reshape(windowed, shape);
}

// The first of the largest elements of the last axis.
Var first_largest(const Var& x) { return squeeze(gather(x, -1, argmax(x, -1, true)), {-1}); }

// The same among those that are there, not padding: `there` is 1 or 0 and broadcasts to x. Where all that is there is
// −∞, like the padding, the first of it is taken.
Var first_largest_of(const Var& x, const Tensor& there) {
  const Tensor all = broadcast_to(there, x.shape()), place = argmax(x, -1, true);
  const Tensor wins = kernel::cast(kernel::gather(all, -1, place), DType::boolean);
  return squeeze(gather(x, -1, kernel::where(wins, place, kernel::argmax(all, -1, true))), {-1});
}

// Ones in the form of one image of x.
Var one_image(const Var& x) {
  Shape shape = x.shape();
  shape[0] = shape[1] = 1;
  return Var(Tensor::ones(shape, x.dtype()));
}

// An image's positions on one axis: [B, C, n].
Var all_positions(const char* op, const Var& x) {
  check_image(op, x);
  const Size n = x.shape()[2] * (x.rank() == 4 ? x.shape()[3] : 1);
  if (n < 1) throw std::invalid_argument(std::string(op) + ": x " + text(x.shape()) + " has no positions");
  return reshape(x, {x.shape()[0], x.shape()[1], n});
}

template <class Pool>
Var adaptive(const char* op, const Var& x, const Shape& sizes, Pool pool) {
  check_image(op, x);
  if (sizes.size() != x.rank() - 2) {
    throw std::invalid_argument(std::string(op) + ": sizes " + text(sizes) + " for x " + text(x.shape()));
  }
  Var y = x;
  // The mean of means over equal parts, and the maximum of maxima; rows first, so that the first of equal ones wins.
  for (Size i = sizes.size() - 1; i >= 0; --i) {
    const Size axis = 2 + i, n = x.shape()[axis], out = sizes[i];
    if (out < 1 || n < 1) {
      throw std::invalid_argument(std::string(op) + ": sizes " + text(sizes) + " for x " + text(x.shape()));
    }
    Vars parts;
    for (Size k = 0; k < out; ++k) {
      const Size first = k * n / out, last = ((k + 1) * n + out - 1) / out;
      parts.push_back(pool(slice(y, axis, first, last - first), axis));
    }
    y = concat(parts, axis);
  }
  return y;
}

}  // namespace

Var max_pool(const Var& x, const PoolOptions& options) {
  check_image("max_pool", x);
  constexpr double lowest = -std::numeric_limits<double>::infinity();
  const Var elements = joined(pooled_windows("max_pool", x, options, lowest, lowest), x.rank() - 2);
  if (options.padding == 0 && !options.ceil_mode) return first_largest(elements);
  const Var there = joined(pooled_windows("max_pool", one_image(x), options, 0, 0), x.rank() - 2);
  return first_largest_of(elements, there.value());
}

Var average_pool(const Var& x, const PoolOptions& options, bool count_padding) {
  check_image("average_pool", x);
  const auto total = [&](const Var& image, double fill) {
    return sum(joined(pooled_windows("average_pool", image, options, fill, 0), x.rank() - 2), {-1});
  };
  const Var sums = total(x, 0), counts = total(one_image(x), count_padding ? 1 : 0);
  return sums / counts;
}

Var adaptive_average_pool(const Var& x, const Shape& sizes) {
  return adaptive("adaptive_average_pool", x, sizes,
                  [](const Var& part, Size axis) { return mean(part, {axis}, true); });
}

Var adaptive_max_pool(const Var& x, const Shape& sizes) {
  return adaptive("adaptive_max_pool", x, sizes,
                  [](const Var& part, Size axis) { return gather(part, axis, argmax(part, axis, true)); });
}

Var global_average_pool(const Var& x) { return mean(all_positions("global_average_pool", x), {-1}); }

Var global_max_pool(const Var& x) { return first_largest(all_positions("global_max_pool", x)); }

}  // namespace attend
