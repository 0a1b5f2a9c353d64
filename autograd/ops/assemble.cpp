#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

std::vector<Tensor> values_of(const Vars& vars) {
  std::vector<Tensor> values;
  for (V var : vars) values.push_back(var.value());
  return values;
}

// The cotangents of several outputs, with zeros for those that were not used.
Vars filled_in(const Vars& gs, const std::vector<Tensor>& zeros) {
  Vars all = gs;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].defined()) all[i] = zeros[i];
  }
  return all;
}

}  // namespace

Var concat(const Vars& parts, Size axis) {
  if (autocast::meet(parts)) return concat(autocast::half(parts), axis);
  Tensor value = kernel::concat(values_of(parts), axis);
  return record_joint("concat", value, parts, [axis](V g, Shapes parts) {
    std::vector<Size> sizes;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      sizes.push_back(parts[i][normal_axis("concat", axis, parts[i].size())]);
    }
    return split(g, sizes, axis);
  });
}

Var stack(const Vars& parts, Size axis) {
  if (parts.empty()) throw std::invalid_argument("stack: no tensors to join");
  axis = normal_axis("stack", axis, parts[0].rank() + 1);
  Vars wide;
  for (V part : parts) {
    if (part.shape() != parts[0].shape()) {
      throw std::invalid_argument("stack: shapes differ: " + text(parts[0].shape()) + " and " + text(part.shape()));
    }
    wide.push_back(unsqueeze(part, axis));
  }
  return concat(wide, axis);
}

Vars split(V x, const std::vector<Size>& sizes, Size axis) {
  axis = normal_axis("split", axis, x.rank());
  const Size total = std::accumulate(sizes.begin(), sizes.end(), Size{0});
  const bool negative = std::any_of(sizes.begin(), sizes.end(), [](Size size) { return size < 0; });
  if (sizes.empty() || negative || total != x.shape()[axis]) {
    throw std::invalid_argument("split: " + std::to_string(sizes.size()) + " parts of " + std::to_string(total) +
                                " in all" + (negative ? ", some negative," : "") + " for axis " + std::to_string(axis) +
                                " of " + text(x.shape()));
  }
  const Tensor zero = Tensor::zeros({}, x.dtype());
  std::vector<Tensor> values, zeros;
  Size begin = 0;
  for (Size size : sizes) {
    values.push_back(slice(x.value(), axis, begin, size));
    zeros.push_back(broadcast_to(zero, values.back().shape()));
    begin += size;
  }
  return record_outputs("split", values, {x},
                        [axis, zeros](const Vars& gs) { return Vars{concat(filled_in(gs, zeros), axis)}; });
}

Vars unstack(V x, Size axis) {
  axis = normal_axis("unstack", axis, x.rank());
  const Tensor zero = Tensor::zeros({}, x.dtype());
  std::vector<Tensor> values, zeros;
  for (Size i = 0; i < x.shape()[axis]; ++i) {
    values.push_back(squeeze(slice(x.value(), axis, i, 1), {axis}));
    zeros.push_back(broadcast_to(zero, values.back().shape()));
  }
  return record_outputs("unstack", values, {x},
                        [axis, zeros](const Vars& gs) { return Vars{stack(filled_in(gs, zeros), axis)}; });
}

Var pad(V x, Size axis, Size before, Size after, double value) {
  axis = normal_axis("pad", axis, x.rank());
  if (before < 0 || after < 0) {
    throw std::invalid_argument("pad: " + std::to_string(before) + " before and " + std::to_string(after) +
                                " after on axis " + std::to_string(axis) + " of " + text(x.shape()));
  }
  Shape shape = x.shape();
  shape[axis] += before + after;
  Axes start = Sizes::repeat(x.rank(), 0);
  start[axis] = before;
  return record("pad", kernel::embed(x.value(), shape, start, Sizes::repeat(x.rank(), 1), value), {x},
                [axis, before](V g, Shapes x) { return slice(g, axis, before, x[0][axis]); });
}

}  // namespace attend
