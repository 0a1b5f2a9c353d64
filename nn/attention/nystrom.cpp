#include "nn/attention/nystrom.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nn/init.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

constexpr const char* name = "Nyström attention";

// The positions that are there, in each sequence cut into segments, one for each landmark. Where they are fewer than
// landmarks, each has a segment of its own.
struct Segments {
  Tensor of_position;  // int64 [B or 1, T]; 0 for a position that is not there, which is 0 itself
  Tensor shares;       // [B or 1, m]: 1 / the number of positions of a segment, 0 for one that has none
};

Segments cut(const Tensor& there, Size m) {
  const auto [B, T] = dims<2>(there, name);
  const std::vector<double> seen = there.to_vector();
  std::vector<std::int64_t> of_position;
  std::vector<double> lengths(static_cast<std::size_t>(B * m), 0.0);
  for (Size b = 0; b < B; ++b) {
    const auto first = seen.begin() + b * T;
    const Size n = std::count(first, first + T, 1.0);
    for (Size j = 0, place = 0; j < T; ++j) {
      const bool is_there = first[j] != 0;
      of_position.push_back(is_there ? place++ * m / n : 0);
      if (is_there) ++lengths[static_cast<std::size_t>(b * m + of_position.back())];
    }
  }
  for (double& length : lengths) length = length > 0 ? 1 / length : 0;
  return {Tensor::from_ints(of_position, {B, T}), Tensor::from(lengths, {B, m}, DType::float64)};
}

// The mean of each segment of x, which is 0 where nothing is there: [B, H, T, d] -> [B, H, m, d]
Var segment_means(const Var& x, const Segments& segments) {
  const auto [B, H, T, d] = dims<4>(x, name);
  const Size rows = segments.shares.shape()[0], m = segments.shares.shape()[1];
  const Tensor index = broadcast_to(reshape(segments.of_position, {rows, 1, T, 1}), {B, H, T, d});
  const Tensor shares = kernel::cast(reshape(segments.shares, {rows, 1, m, 1}), x.dtype());
  return shares * scatter_add(Tensor::zeros({B, H, m, d}, x.dtype()), 2, index, x);
}

// factor · I [m, m]
Tensor diagonal_of(double factor, Size m, DType dtype) {
  return kernel::where(one_hot(Tensor::arange(m), m, DType::boolean), Tensor::full({}, factor, dtype),
                       Tensor::zeros({}, dtype));
}

// softmax(q̃ k̃ᵀ) [B, H, m, m], where 1 stands on the diagonal for a landmark without positions, apart from all others:
// the inverse is that of the others then, with a 1 that nothing reads.
Var between_landmarks(const Var& scores, const Tensor& filled) {
  const Size B = filled.shape()[0], m = filled.shape()[1];
  const Tensor row = reshape(filled, {B, 1, m, 1}), column = reshape(filled, {B, 1, 1, m});
  const Tensor eye = one_hot(Tensor::arange(m), m, DType::boolean);
  const Tensor alone = kernel::logical_and(eye, kernel::logical_not(column));
  return where(alone, Tensor::ones({}, scores.dtype()), masked_softmax(scores, kernel::logical_and(row, column)));
}

}  // namespace

Var iterated_inverse(const Var& A, Size steps) {
  if (A.rank() < 2 || A.shape()[A.rank() - 2] != A.shape().back() || steps < 0) {
    throw std::invalid_argument("iterated_inverse: " + std::to_string(steps) + " steps for matrices " +
                                text(A.shape()) + "; they are square, with 0 steps or more");
  }
  const Size m = A.shape().back();
  const Tensor I7 = diagonal_of(7, m, A.dtype()), I13 = diagonal_of(13, m, A.dtype()),
               I15 = diagonal_of(15, m, A.dtype());
  const Var norm_1 = max(sum(abs(A), {-2}, true), {-1}, true);         // [..., 1, 1]
  const Var norm_infinity = max(sum(abs(A), {-1}, true), {-2}, true);  // [..., 1, 1]
  Var Z = transpose(A) / (norm_1 * norm_infinity);                     // [..., m, m]
  for (Size step = 0; step < steps; ++step) {
    const Var AZ = matmul(A, Z);
    Z = 0.25 * matmul(Z, I13 - matmul(AZ, I15 - matmul(AZ, I7 - AZ)));
  }
  return Z;
}

NystromAttention::NystromAttention(Size number_of_landmarks, Rng& rng, const NystromOptions& how)
    : landmarks(number_of_landmarks), options(how) {
  if (landmarks < 1 || options.steps < 0) {
    throw std::invalid_argument(std::string(name) + ": " + std::to_string(landmarks) + " landmarks and " +
                                std::to_string(options.steps) + " steps; at least 1 and 0");
  }
  if (options.convolution == 0) return;
  if (options.convolution % 2 != 1 || options.convolution < 0 || options.heads < 1) {
    throw std::invalid_argument(std::string(name) + ": a convolution over " + std::to_string(options.convolution) +
                                " positions of " + std::to_string(options.heads) +
                                " heads; their number is odd, and there is a head");
  }
  const double bound = 1 / std::sqrt(static_cast<double>(options.convolution));
  convolution = uniform_init({options.heads, 1, options.convolution, 1}, -bound, bound, rng);
}

Attended NystromAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads(name, q, k, v);
  const Size T = q.shape()[2];
  const KeyMask seen = key_mask(name, mask, T, T);
  if (seen.causal) {
    throw std::invalid_argument(std::string(name) + ": a landmark is a mean of positions, so it has no causal form");
  }
  if (landmarks > T) {
    throw std::invalid_argument(std::string(name) + ": " + std::to_string(landmarks) + " landmarks for " +
                                std::to_string(T) + " positions; take at most as many");
  }
  const Var scaled = (1 / std::sqrt(static_cast<double>(q.shape()[3]))) * q;
  const Var keys = hide_invisible(k, mask), values = hide_invisible(v, mask);

  const Tensor there = seen.keys.defined() ? seen.keys : Tensor::ones({1, T}, DType::boolean);
  const Segments segments = cut(there, landmarks);
  const Tensor filled = segments.shares > 0.0;                                    // [B or 1, m]
  const Var q_landmarks = segment_means(hide_invisible(scaled, mask), segments);  // [B, H, m, d]
  const Var k_landmarks = segment_means(keys, segments);                          // [B, H, m, d]
  const auto over = [](const Tensor& keys_there) { return unsqueeze(unsqueeze(keys_there, 1), 1); };
  const Var F = masked_softmax(matmul(scaled, transpose(k_landmarks)), over(filled));    // [B, H, T, m]
  const Var A = between_landmarks(matmul(q_landmarks, transpose(k_landmarks)), filled);  // [B, H, m, m]
  const Var B = masked_softmax(matmul(q_landmarks, transpose(keys)), over(there));       // [B, H, m, T]
  const Var inverted = options.exact ? inverse(A) : iterated_inverse(A, options.steps);
  const Var context = matmul(F, matmul(inverted, matmul(B, values)));  // [B, H, T, dv]
  if (!convolution.defined()) return {context, Var()};
  const Size side = options.convolution / 2;
  return {context + conv(pad(values, 2, side, side), convolution, {1, 0, 1, options.heads}), Var()};
}

Size nystrom_multiplications(Size T, Size d, Size landmarks, const NystromOptions& options) {
  const Size m = landmarks;
  const Size kernels = 2 * (T * m * d + T * m) + m * m * d + m * m;  // the softmax of each with its division
  const Size inverted = options.exact ? m * m * m : 1 + m * m + options.steps * (4 * m * m * m + m * m);
  const Size products = 2 * T * m * d + m * m * d;
  return T * d + 2 * m * d + kernels + inverted + products;  // the scale and the means first
}

}  // namespace attend
