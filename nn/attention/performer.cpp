#include "nn/attention/performer.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nn/attention/feature_sums.hpp"
#include "tensor/kernels.hpp"
#include "tensor/random.hpp"

namespace attend {
namespace {

// d orthogonal unit vectors as rows [d, d], distributed as if turned at random (Haar).
Tensor orthogonal_block(Size d, Rng& rng) {
  const auto [q, r] = kernel::qr(rng.normal({d, d}, 0, 1, DType::float64));
  const Tensor zero = Tensor::zeros({}, DType::float64), one = Tensor::ones({}, DType::float64);
  const Tensor diagonal = attend::diagonal(r, 0, 1);
  const Tensor signs = kernel::where(kernel::less(diagonal, zero), kernel::affine(one, -1, 0), one);
  return transpose(kernel::mul(q, signs));
}

// φ(x) = factor · exp(exponent), but for its 1/√m. All that can become large or small is in the exponent, of which a
// number may be taken off: it cancels between the sums and their normaliser.
struct RawFeatures {
  Var exponent;  // [..., m or 2m], or [..., 1]
  Var factor;    // [..., 2m], or undefined: 1

  Var lowered_by(const Tensor& number) const {
    const Var raised = exp(exponent - Var(number));
    return factor.defined() ? factor * raised : raised;
  }
};

RawFeatures raw_features(const Var& x, const Var& directions, SoftmaxFeatures kind) {
  const Var along = matmul(x, transpose(directions));    // [..., m]
  const Var half_square = 0.5 * sum(x * x, {-1}, true);  // [..., 1]
  if (kind == SoftmaxFeatures::trigonometric) return {half_square, concat({sin(along), cos(along)}, -1)};
  if (kind == SoftmaxFeatures::positive) return {along - half_square, Var()};
  return {concat({along, -along}, -1) - half_square, Var()};
}

// The scale 1/√d of the scores, half of it at either side.
Var scaled(const Var& x) { return std::pow(static_cast<double>(x.shape().back()), -0.25) * x; }

// A query's own largest exponent cancels in its own quotient.
Var query_features(const RawFeatures& raw) { return raw.lowered_by(kernel::max(raw.exponent.value(), {3}, true)); }

// For keys it must be one number for all that a query sums over: one for each key would change the weights. It may not
// be one for the whole batch either, else the largest sequence would underflow the others. The maximum is over the keys
// that are there; later ones are among them, and move a causal result in its last digits only.
Var key_features(RawFeatures raw, const Mask& mask) {
  if (!mask.allows_all()) {
    // Hidden exponents become the smallest of all, so that they neither are the largest nor overflow.
    const Tensor visible = mask.visible_keys();  // [B or 1, T or 1]
    const Tensor there = reshape(visible, {visible.shape()[0], 1, visible.shape()[1], 1});
    raw.exponent = where(there, raw.exponent, kernel::min(raw.exponent.value(), {2, 3}, true));
  }
  const Var features = raw.lowered_by(kernel::max(raw.exponent.value(), {2, 3}, true));
  return hide_invisible(features, mask);  // φ(0) is not 0, so that it is not enough to hide the key
}

void check_sizes(Size width, Size directions, Size chunk) {
  if (width >= 1 && directions >= 1 && chunk >= 1) return;
  throw std::invalid_argument("performer: " + std::to_string(directions) + " directions of width " +
                              std::to_string(width) + ", chunks of " + std::to_string(chunk) +
                              " positions; each is at least 1");
}

// The width, once all is checked, before the first number is drawn.
Size checked_width(Size width, Size directions, Size chunk) {
  check_sizes(width, directions, chunk);
  return width;
}

double size_of(const Tensor& x) { return std::sqrt(kernel::sum(kernel::mul(x, x), {0, 1, 2, 3}, false).item()); }

}  // namespace

Tensor orthogonal_directions(Size m, Size d, Rng& rng) {
  check_sizes(d, m, 1);
  std::vector<Tensor> blocks;
  for (Size drawn = 0; drawn < m; drawn += d) {
    const Tensor block = orthogonal_block(d, rng);
    const Tensor normal = rng.normal({d, d}, 0, 1, DType::float64);
    const Tensor lengths = kernel::sqrt(kernel::sum(kernel::mul(normal, normal), {1}, true));  // [d, 1]
    blocks.push_back(slice(kernel::mul(block, lengths), 0, 0, std::min(d, m - drawn)));
  }
  return kernel::concat(blocks, 0);
}

Var softmax_features(const Var& x, const Var& directions, SoftmaxFeatures kind) {
  const double features = static_cast<double>(directions.shape()[0]) * (kind == SoftmaxFeatures::hyperbolic ? 2 : 1);
  return 1 / std::sqrt(features) * raw_features(x, directions, kind).lowered_by(Tensor::zeros({}, x.dtype()));
}

Performer::Performer(Size width, Size number_of_directions, Rng& rng, SoftmaxFeatures features,
                     Size positions_per_chunk)
    : directions(
          kernel::cast(orthogonal_directions(number_of_directions,
                                             checked_width(width, number_of_directions, positions_per_chunk), rng),
                       DType::float32)),
      kind(features),
      chunk(positions_per_chunk) {}

Attended Performer::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("performer", q, k, v);
  if (q.shape()[3] != directions.shape()[1]) {
    throw std::invalid_argument("performer: queries " + text(q.shape()) + " for directions " +
                                text(directions.shape()) + "; their width is the last size of both");
  }
  const KeyMask seen = key_mask("performer", mask, q.shape()[2], k.shape()[2]);
  if (q.shape()[2] == 0) return {v, Var()};  // no key has the largest exponent
  const Var w = cast(Var(directions), q.dtype());
  const Var fq = query_features(raw_features(scaled(q), w, kind));
  const Var fk = key_features(raw_features(scaled(hide_invisible(k, mask)), w, kind), mask);
  const Var there = hide_invisible(v, mask);
  return {seen.causal ? sums_by_chunks(fq, fk, there, chunk) : sums_of_all(fq, fk, there), Var()};
}

void Performer::redraw(Rng& rng) {
  const auto [m, d] = dims<2>(Var(directions));
  directions = kernel::cast(orthogonal_directions(m, d, rng), directions.dtype());
}

Var Performer::features(const Var& x) const {
  return softmax_features(scaled(x), cast(Var(directions), x.dtype()), kind);
}

Size performer_directions(Size d) {
  const double width = static_cast<double>(d);
  return std::max<Size>(1, std::llround(width * std::log(width)));
}

Size performer_multiplications(Size T, Size d, Size m, SoftmaxFeatures kind) {
  const bool two = kind != SoftmaxFeatures::positive, times_factor = kind == SoftmaxFeatures::trigonometric;
  const Size features = two ? 2 * m : m;
  const Size maps = 2 * T * (d + d * m + d + 1 + (times_factor ? features : 0));  // scale, w · x, |x|²/2, factor
  return maps + sums_multiplications(T, features, d);
}

std::vector<PerformerError> performer_errors(const std::vector<double>& deviations, const std::vector<Size>& directions,
                                             Size draws, Rng& rng) {
  constexpr Size T = 64, d = 16;
  const auto normal = [&](double deviation) { return Var(rng.normal({1, 1, T, d}, 0, deviation, DType::float64)); };
  std::vector<PerformerError> rows;
  for (const double deviation : deviations) {
    const Var q = normal(deviation), k = normal(deviation), v = normal(1);
    const Tensor exact = SoftmaxAttention()(q, k, v).context.value();
    for (const Size m : directions) {
      double total = 0;
      for (Size draw = 0; draw < draws; ++draw) {
        const Tensor found = Performer(d, m, rng)(q, k, v).context.value();
        total += size_of(kernel::sub(found, exact)) / size_of(exact);
      }
      rows.push_back({deviation, m, total / static_cast<double>(draws)});
    }
  }
  return rows;
}

}  // namespace attend
