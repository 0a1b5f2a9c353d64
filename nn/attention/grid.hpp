// Attention between the pixels of an image that looks at some of them only: along rows and columns, in windows, and in
// grids. Position i of T = height · width is the pixel at row i / width and column i % width.
#pragma once
#include "nn/attention/core.hpp"
#include "nn/conv.hpp"

namespace attend {

/// The image cut into groups of pixels, [B, H, T, d] -> [B, H, groups, pixels of a group, d], and back. The groups, and
/// the pixels of a group, are in the order of rows.
/// A window has rows · columns pixels side by side; a grid has as many, spread evenly over the whole image, height /
/// rows and width / columns apart. (The two differ by the order of the same reshaping.)
/// Throws std::invalid_argument for sides below 1 and for rows and columns that do not divide those of the image.
struct Partition {
  enum class Kind { window, grid };
  Kind kind;
  Size height, width, rows, columns;

  Partition(Kind kind, Size height, Size width, Size rows, Size columns);
  Size positions() const { return height * width; }
  Size pixels() const { return rows * columns; }
  Size groups() const { return positions() / pixels(); }
  Var cut(const Var& x) const;
  Var join(const Var& groups) const;
};

/// Softmax attention within each group of a partition. Tu et al. 2022 (arXiv:2204.01697), MaxViT: windows ("block
/// attention"), then grids; their layers add a relative bias, and both to the input, these do not.
///   context_i = Σ over the group of i of softmax(q kᵀ / √d) · value
/// q, k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv], no weights; T · pixels of a group products.
/// Throws std::invalid_argument for T other than height · width and for a mask other than padding_mask: there is no
/// first pixel that must not see a later one.
struct MultiAxisAttention {
  Partition partition;

  explicit MultiAxisAttention(const Partition& groups) : partition(groups) {}
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// Axial attention. Ho et al. 2019 (arXiv:1912.12180).
///   rows:      each pixel sees its row          columns:  each pixel sees its column
///   sequence:  columns(q, k, rows(q, k, v))     sum:      rows(q, k, v) + columns(q, k, v)
/// The paper's layers are `rows` and `columns`, each with projections of its own, in turn. In `sequence` both have the
/// same queries and keys, so that one core reaches every pixel; in `sum` a pixel sees its own cross, itself twice, and
/// its weights add up to 2. T · (height + width) products. Shapes and errors are those of MultiAxisAttention.
struct AxialAttention {
  enum class Order { rows, columns, sequence, sum };
  MultiAxisAttention rows, columns;
  Order order;

  AxialAttention(Size height, Size width, Order order);
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// The gate on the way from a finer grid x to a decoder that knows the coarser grid g. Oktay et al. 2018
/// (arXiv:1804.03999), Attention U-Net.
///   α = σ(ψ(relu(θ x + φ g)))        y = upsample(α) · x
/// θ is a convolution whose kernel and stride are `factor`, without bias; φ and ψ are 1 × 1, with bias. The upsampling
/// is bilinear. The released code projects and normalises y; this leaves that to what follows.
/// x [B, C, H, W], g [B, gate_channels, H / factor, W / factor] -> context y [B, C, H, W], weights upsample(α)
/// [B, 1, H, W], of which each lies within 0 .. 1 by itself: they do not add up to 1.
struct AttentionGate {
  Conv2d theta, phi, psi;

  AttentionGate(Size channels, Size gate_channels, Size inner, Size factor, Rng& rng);
  /// Throws std::invalid_argument when x is not `factor` times as high and as wide as g.
  Attended operator()(const Var& x, const Var& g) const;
  void parameters(const Visit& visit);
};

/// Bilinear interpolation between the centres of pixels; beyond the outermost centres it is constant.
/// x [B, C, H, W] -> [B, C, height, width]. Throws std::invalid_argument for sides below 1.
Var upsample(const Var& x, Size height, Size width);

}  // namespace attend
