#include "nn/attention/grid.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

std::string sides(Size height, Size width) { return std::to_string(height) + " x " + std::to_string(width); }

ConvOptions without_overlap(Size factor) {
  if (factor < 1) throw std::invalid_argument("attention gate: a factor of " + std::to_string(factor));
  ConvOptions options;
  options.stride = factor;
  options.bias = false;  // that of phi is enough
  return options;
}

// Row i holds the weights of `from` pixels in pixel i of `to`: [to, from].
Tensor interpolation(Size from, Size to, DType dtype) {
  std::vector<double> weights;
  for (Size i = 0; i < to; ++i) {
    const double centre = (static_cast<double>(i) + 0.5) * static_cast<double>(from) / static_cast<double>(to) - 0.5;
    const double place = std::clamp(centre, 0.0, static_cast<double>(from - 1));
    for (Size j = 0; j < from; ++j) weights.push_back(std::max(0.0, 1 - std::abs(place - static_cast<double>(j))));
  }
  return Tensor::from(weights, {to, from}, dtype);
}

}  // namespace

Partition::Partition(Kind window_or_grid, Size h, Size w, Size of_rows, Size of_columns)
    : kind(window_or_grid), height(h), width(w), rows(of_rows), columns(of_columns) {
  const bool sizes = height >= 1 && width >= 1 && rows >= 1 && columns >= 1;
  if (sizes && height % rows == 0 && width % columns == 0) return;
  throw std::invalid_argument(std::string("partition: ") + (kind == Kind::window ? "windows" : "grids") + " of " +
                              sides(rows, columns) + " do not divide an image of " + sides(height, width));
}

Var Partition::cut(const Var& x) const {
  const auto [B, H, T, d] = dims<4>(x, "partition");
  if (T != positions()) {
    throw std::invalid_argument("partition: " + text(x.shape()) + " are not the positions of an image of " +
                                sides(height, width));
  }
  const Size down = height / rows, across = width / columns;
  const Var apart = kind == Kind::window
                        ? permute(reshape(x, {B, H, down, rows, across, columns, d}), {0, 1, 2, 4, 3, 5, 6})
                        : permute(reshape(x, {B, H, rows, down, columns, across, d}), {0, 1, 3, 5, 2, 4, 6});
  return reshape(apart, {B, H, groups(), pixels(), d});  // from [B, H, down, across, rows, columns, d]
}

Var Partition::join(const Var& cut) const {
  const auto [B, H, n, m, d] = dims<5>(cut, "partition");
  if (n != groups() || m != pixels()) {
    throw std::invalid_argument("partition: " + text(cut.shape()) + " are not " + std::to_string(groups()) +
                                " groups of " + sides(rows, columns) + " pixels");
  }
  const Var apart = reshape(cut, {B, H, height / rows, width / columns, rows, columns, d});
  const Var together =
      kind == Kind::window ? permute(apart, {0, 1, 2, 4, 3, 5, 6}) : permute(apart, {0, 1, 4, 2, 5, 3, 6});
  return reshape(together, {B, H, positions(), d});
}

Attended MultiAxisAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("multi-axis attention", q, k, v);
  const Size T = q.shape()[2];
  if (T != partition.positions()) {
    throw std::invalid_argument("multi-axis attention: " + std::to_string(T) + " positions for an image of " +
                                sides(partition.height, partition.width));
  }
  const KeyMask seen = key_mask("multi-axis attention", mask, T, T);
  if (seen.causal) {
    throw std::invalid_argument("multi-axis attention: a causal mask for " + std::to_string(T) +
                                " pixels; an image has no order, take a padding_mask or none");
  }
  // Each group is a head of its own: [B, H · groups, pixels, d].
  const auto as_heads = [&](const Var& x) {
    const Var cut = partition.cut(x);
    return reshape(cut, {x.shape()[0], x.shape()[1] * partition.groups(), partition.pixels(), x.shape()[3]});
  };
  Mask within;
  if (seen.keys.defined()) {
    const Size B = seen.keys.shape()[0], H = q.shape()[1], n = partition.groups(), pixels = partition.pixels();
    const Tensor keys = partition.cut(Var(reshape(seen.keys, {B, 1, T, 1}))).value();  // [B, 1, groups, pixels, 1]
    within = Mask(reshape(broadcast_to(keys, {B, H, n, pixels, 1}), {B, H * n, 1, pixels}));
  }
  const Attended found =
      scaled_dot_attention(as_heads(q), as_heads(hide_invisible(k, mask)), as_heads(hide_invisible(v, mask)), {within});
  Shape cut = v.shape();
  cut[2] = partition.groups();
  cut.insert(3, partition.pixels());
  return {partition.join(reshape(found.context, cut)), Var()};
}

AxialAttention::AxialAttention(Size height, Size width, Order in_order)
    : rows(Partition(Partition::Kind::window, height, width, 1, width)),
      columns(Partition(Partition::Kind::window, height, width, height, 1)),
      order(in_order) {}

Attended AxialAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  switch (order) {
    case Order::rows:
      return rows(q, k, v, mask);
    case Order::columns:
      return columns(q, k, v, mask);
    case Order::sequence:
      return columns(q, k, rows(q, k, v, mask).context, mask);
    case Order::sum:
      return {rows(q, k, v, mask).context + columns(q, k, v, mask).context, Var()};
  }
  throw std::invalid_argument("axial attention: an order that there is not");
}

AttentionGate::AttentionGate(Size channels, Size gate_channels, Size inner, Size factor, Rng& rng)
    : theta(channels, inner, factor, rng, without_overlap(factor)),
      phi(gate_channels, inner, 1, rng),
      psi(inner, 1, 1, rng) {}

Attended AttentionGate::operator()(const Var& x, const Var& g) const {
  const auto [B, C, H, W] = dims<4>(x, "attention gate");
  const auto [gate_B, gate_C, h, w] = dims<4>(g, "attention gate");
  const Size factor = theta.options.stride;
  if (gate_B != B || H != factor * h || W != factor * w) {
    throw std::invalid_argument("attention gate: x " + text(x.shape()) + " and g " + text(g.shape()) +
                                "; x has as many images, and is " + std::to_string(factor) +
                                " times as high and as wide");
  }
  const Var coarse = sigmoid(psi(relu(theta(x) + phi(g))));  // [B, 1, h, w]
  const Var alpha = upsample(coarse, H, W);                  // [B, 1, H, W]
  return {alpha * x, alpha};
}

void AttentionGate::parameters(const Visit& visit) {
  visit("theta", theta);
  visit("phi", phi);
  visit("psi", psi);
}

Var upsample(const Var& x, Size height, Size width) {
  const auto [B, C, H, W] = dims<4>(x, "upsample");
  if (H < 1 || W < 1 || height < 1 || width < 1) {
    throw std::invalid_argument("upsample: " + text(x.shape()) + " to " + sides(height, width));
  }
  const Var down(interpolation(H, height, x.dtype())), across(interpolation(W, width, x.dtype()));
  return matmul(matmul(down, x), transpose(across));
}

}  // namespace attend
