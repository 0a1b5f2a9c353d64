#include "nn/position/relative.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

double number(Size n) { return static_cast<double>(n); }

// A table [rows, heads], looked up at [Tq, Tk] -> [1, heads, Tq, Tk].
Var looked_up(const Var& table, const Tensor& rows) { return unsqueeze(permute(take(table, 0, rows), {2, 0, 1}), 0); }

// The size of a layer with tables of 2 · most + 1 distances, refused before the first number is drawn.
Size checked_size(Size size, Size most) {
  if (most >= 0) return size;
  throw std::invalid_argument("relative attention: distances up to " + std::to_string(most));
}

template <class F>
Tensor mapped(const char* op, const Tensor& distance, F f) {
  if (distance.dtype() != DType::int64) {
    throw std::invalid_argument(std::string(op) + ": distances " + text(distance.dtype()) + " " +
                                text(distance.shape()) + "; they are int64");
  }
  std::vector<std::int64_t> values = distance.to_ints();
  for (std::int64_t& value : values) value = f(value);
  return Tensor::from_ints(values, distance.shape());
}

}  // namespace

Tensor relative_distance(Size Tq, Size Tk) {
  if (Tq < 0 || Tk < 0) {
    throw std::invalid_argument("relative_distance: " + std::to_string(Tq) + " queries and " + std::to_string(Tk) +
                                " keys");
  }
  std::vector<std::int64_t> values;
  for (Size i = 0; i < Tq; ++i) {
    for (Size j = 0; j < Tk; ++j) values.push_back(j - i - (Tk - Tq));
  }
  return Tensor::from_ints(values, {Tq, Tk});
}

Tensor clipped_distance(const Tensor& distance, Size most) {
  if (most < 0) {
    throw std::invalid_argument("clipped_distance: " + text(distance.shape()) + " to at most " + std::to_string(most));
  }
  return mapped("clipped_distance", distance, [most](Size d) { return std::clamp(d, -most, most) + most; });
}

Tensor t5_bucket(const Tensor& distance, Size buckets, Size farthest, bool both_directions) {
  const Size per_direction = both_directions ? buckets / 2 : buckets, exact = per_direction / 2;
  if (buckets < 4 || (both_directions && buckets % 2 != 0) || farthest <= exact) {
    throw std::invalid_argument("t5_bucket: " + std::to_string(buckets) + " buckets up to a distance of " +
                                std::to_string(farthest));
  }
  return mapped("t5_bucket", distance, [=](Size d) {
    const Size offset = both_directions && d > 0 ? per_direction : 0;
    const Size far = both_directions ? std::abs(d) : std::max<Size>(0, -d);
    if (far < exact) return offset + far;
    const double share = std::log(number(far) / number(exact)) / std::log(number(farthest) / number(exact));
    return offset + std::min(per_direction - 1, exact + static_cast<Size>(share * number(per_direction - exact)));
  });
}

T5Bias::T5Bias(Size heads, Rng& rng, Size buckets, Size far, bool both) : farthest(far), both_directions(both) {
  if (heads < 1) throw std::invalid_argument("t5 bias: " + std::to_string(heads) + " heads");
  t5_bucket(relative_distance(1, 1), buckets, farthest, both_directions);  // throws for sizes that make no buckets
  table = normal_init({buckets, heads}, 0, 0.02, rng);
}

Var T5Bias::operator()(Size Tq, Size Tk) const {
  return looked_up(table, t5_bucket(relative_distance(Tq, Tk), table.shape()[0], farthest, both_directions));
}

WindowBias::WindowBias(Size heads, Size h, Size w, Rng& rng) : height(h), width(w) {
  if (heads < 1 || h < 1 || w < 1) {
    throw std::invalid_argument("window bias: " + std::to_string(heads) + " heads for a window of " +
                                std::to_string(h) + " x " + std::to_string(w));
  }
  table = normal_init({(2 * h - 1) * (2 * w - 1), heads}, 0, 0.02, rng);
}

Var WindowBias::operator()() const {
  std::vector<std::int64_t> rows;
  const Size n = height * width;
  for (Size i = 0; i < n; ++i) {
    for (Size j = 0; j < n; ++j) {
      const Size dy = j / width - i / width + height - 1, dx = j % width - i % width + width - 1;
      rows.push_back(dy * (2 * width - 1) + dx);
    }
  }
  return looked_up(table, Tensor::from_ints(rows, {n, n}));
}

Tensor alibi_slopes(Size heads) {
  if (heads < 1) throw std::invalid_argument("alibi: " + std::to_string(heads) + " heads");
  Size power = 1;
  while (2 * power <= heads) power *= 2;
  std::vector<double> slopes;
  for (Size h = 1; h <= power; ++h) slopes.push_back(std::exp2(-8 * number(h) / number(power)));
  for (Size h = 1; static_cast<Size>(slopes.size()) < heads; h += 2) {
    slopes.push_back(std::exp2(-8 * number(h) / number(2 * power)));
  }
  return Tensor::from(slopes, {heads}, DType::float64);
}

Var alibi_bias(Size heads, Size Tq, Size Tk, DType dtype) {
  if (!is_floating(dtype)) throw std::invalid_argument(std::string("alibi: a bias of ") + text(dtype));
  const Tensor distance = kernel::abs(kernel::cast(relative_distance(Tq, Tk), DType::float64));
  const Tensor slopes = reshape(alibi_slopes(heads), {1, heads, 1, 1});
  return Var(kernel::cast(kernel::affine(kernel::mul(slopes, distance), -1, 0), dtype));
}

RelativeAttention::RelativeAttention(Size size, Size number_of_heads, Size farthest, Rng& rng)
    : heads(checked_size(size, farthest), number_of_heads, rng), most(farthest) {
  key_table = normal_init({2 * most + 1, size / number_of_heads}, 0, 0.02, rng);
  value_table = normal_init({2 * most + 1, size / number_of_heads}, 0, 0.02, rng);
}

Attended RelativeAttention::operator()(const Var& x, const Mask& mask) const {
  const auto [B, T, size] = dims<3>(x, "relative attention");
  const double scale = 1 / std::sqrt(number(size / heads.heads));
  const Tensor rows = clipped_distance(relative_distance(T, T), most);
  const Var a_key = take(key_table, 0, rows), a_value = take(value_table, 0, rows);  // [T, T, d]
  const Var there = hide_invisible(x, mask);
  const Var q = heads.query_heads(there) * scale;  // [B, H, T, d]
  const Var k = heads.key_heads(there), v = heads.value_heads(there);
  const Var scores = matmul(q, transpose(k)) + einsum("bhid,ijd->bhij", {q, a_key});
  const Var weights = attention_weights(scores, mask);  // [B, H, T, T]
  const Var context = weighted_sum(weights, v, mask) + einsum("bhij,ijd->bhid", {weights, a_value});
  return heads.finish({context, weights});
}

void RelativeAttention::parameters(const Visit& visit) {
  visit("heads", heads);
  visit("key_table", key_table);
  visit("value_table", value_table);
}

}  // namespace attend
