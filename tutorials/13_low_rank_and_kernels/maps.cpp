#include "tutorials/13_low_rank_and_kernels/maps.hpp"

#include <cmath>
#include <stdexcept>

#include "nn/attention/linformer.hpp"
#include "nn/attention/nystrom.hpp"
#include "nn/attention/spectrum.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter13 {
namespace {

double size_of(const Var& x) { return norm(x, all_axes(x.rank())).item(); }

// Each head's share of what `look` says of its queries and keys [T, d].
template <class Look>
void for_each_head(const Pairs& pairs, Look look) {
  const auto [B, H, T, d] = dims<4>(pairs.q);
  for (Size h = 0; h < B * H; ++h) {
    const auto of = [&, T = T, d = d](const Var& x) { return reshape(slice(x, 1, h, 1), {T, d}); };
    look(attention_spectrum(of(pairs.q), of(pairs.k)));
  }
}

// √2 sin(phase + T-th part of a way · speed), of variance 1 over the phases.
Var waves(Size heads, Size T, Size d, Rng& rng) {
  constexpr double circle = 6.283185307179586;
  const Var phase = rng.uniform({1, heads, 1, d}, 0, circle, DType::float64);
  const Var speed = rng.normal({1, heads, 1, d}, 0, 4, DType::float64);
  const Var way = kernel::cast(reshape(Tensor::arange(T), {1, 1, T, 1}), DType::float64);
  return std::sqrt(2.0) * sin(phase + (1 / static_cast<double>(T)) * way * speed);
}

AttentionCore nystrom_with(Size landmarks, const NystromOptions& options) {
  Rng unused(1);  // what would be drawn is the convolution, and there is none
  return NystromAttention(landmarks, unused, options);
}

}  // namespace

std::vector<Pairs> three_maps(Size heads, Size T, Size d, std::uint64_t seed) {
  Rng rng(seed);
  const auto normal = [&] { return Var(rng.normal({1, heads, T, d}, 0, 1, DType::float64)); };
  const Var smooth_q = waves(heads, T, d, rng), smooth_k = waves(heads, T, d, rng);
  const Var random_q = normal(), random_k = normal(), peaked_k = normal();
  return {
      {"smooth", smooth_q, smooth_k}, {"random", random_q, random_k}, {"peaked", 3.0 * flip(peaked_k, {2}), peaked_k}};
}

double map_error(const AttentionCore& core, const Pairs& pairs) {
  const Var exact = attention_map(SoftmaxAttention(), pairs.q, pairs.k);
  return size_of(attention_map(core, pairs.q, pairs.k) - exact) / size_of(exact);
}

double best_error(const Pairs& pairs, Size rank) {
  double all = 0, left = 0;
  for_each_head(pairs, [&](const AttentionSpectrum& spectrum) {
    const std::vector<double> values = spectrum.weights.to_vector();
    for (std::size_t i = 0; i < values.size(); ++i) {
      all += values[i] * values[i];
      if (static_cast<Size>(i) >= rank) left += values[i] * values[i];
    }
  });
  return std::sqrt(left / all);
}

Ranks ranks(const Pairs& pairs) {
  Ranks mean{0, 0, 0};
  const double share = 1 / static_cast<double>(pairs.q.shape()[1]);
  for_each_head(pairs, [&](const AttentionSpectrum& spectrum) {
    mean.scores += share * static_cast<double>(rank_of(spectrum.scores));
    mean.weights += share * static_cast<double>(rank_of(spectrum.weights));
    mean.energy += share * static_cast<double>(energy_rank(spectrum.weights, 0.99));
  });
  return mean;
}

AttentionCore nystrom(Size landmarks, Size steps) { return nystrom_with(landmarks, {steps}); }

std::optional<double> exact_nystrom_error(const Pairs& pairs, Size landmarks) {
  NystromOptions options;
  options.exact = true;
  try {
    return map_error(nystrom_with(landmarks, options), pairs);
  } catch (const std::invalid_argument& error) {
    if (std::string(error.what()).find("singular") == std::string::npos) throw;
    return std::nullopt;
  }
}

AttentionCore linformer_of_means(Size T, Size k) {
  if (k < 1 || T % k != 0) {
    throw std::invalid_argument("linformer_of_means: " + std::to_string(T) + " positions in " + std::to_string(k) +
                                " segments; the first is a multiple of the second");
  }
  Rng unused(1);
  LinformerAttention linformer(T, k, unused, true);
  std::vector<double> means(static_cast<std::size_t>(k * T), 0.0);
  const Size length = T / k;
  for (Size t = 0; t < T; ++t) means[static_cast<std::size_t>(t / length * T + t)] = 1 / static_cast<double>(length);
  linformer.E = Var(Tensor::from(means, {k, T}, DType::float64));
  return linformer;
}

AttentionCore linformer_drawn(Size T, Size k, std::uint64_t seed) {
  Rng rng(seed);
  return cast(LinformerAttention(T, k, rng), DType::float64);
}

}  // namespace attend::chapter13
