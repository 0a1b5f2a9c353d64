#include "tutorials/12_sparse/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "nn/attention/big_bird.hpp"
#include "nn/attention/dilated.hpp"
#include "nn/attention/local.hpp"
#include "nn/attention/strided.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter12 {
namespace {

Size window(Size T) { return std::max<Size>(1, T / 8); }
Size root(Size T) { return static_cast<Size>(std::lround(std::sqrt(static_cast<double>(T)))); }
BigBirdOptions big_bird(Size T, Size random) { return {std::max<Size>(1, T / 16), 1, random, 1}; }

AttentionCore local(Size T, bool wraps_around) {
  if (wraps_around) return WrappedWindow{window(T)};
  return LocalAttention(window(T), window(T));
}
AttentionCore dilated(Size T, Size gap) { return DilatedAttention(window(T), window(T), gap); }

}  // namespace

std::vector<Contender> contenders(bool wraps_around) {
  const auto near = [wraps_around](Size T) { return local(T, wraps_around); };
  return {
      {"softmax", [](Size, Size, Rng&) { return AttentionCore(SoftmaxAttention()); }},
      {"local window", [near](Size, Size T, Rng&) { return near(T); }},
      {"dilated window", [](Size, Size T, Rng&) { return dilated(T, 2); }},
      {"window, then dilated",
       [near](Size layer, Size T, Rng&) { return layer % 2 == 0 ? near(T) : dilated(T, 2 * window(T)); }},
      {"strided", [](Size, Size T, Rng&) { return AttentionCore(StridedAttention(root(T))); }},
      {"BigBird without random",
       [](Size, Size T, Rng& rng) { return AttentionCore(BigBirdAttention(T, big_bird(T, 0), rng)); }},
      {"BigBird", [](Size, Size T, Rng& rng) { return AttentionCore(BigBirdAttention(T, big_bird(T, 3), rng)); }},
  };
}

const Contender& contender(const std::vector<Contender>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Contender& one) { return one.name == name; });
  if (found == all.end()) throw std::invalid_argument("chapter 12: no contender '" + name + "'");
  return *found;
}

std::vector<AttentionCore> stack(const Contender& of, Size T, Size layers, Rng& rng) {
  std::vector<AttentionCore> cores;
  for (Size layer = 0; layer < layers; ++layer) cores.push_back(of.make(layer, T, rng));
  return cores;
}

Tensor pattern(const AttentionCore& core, Size T, const Mask& mask) {
  const Var none = Tensor::zeros({1, 1, T, 1}, DType::float64);  // all scores 0: a weight for all that is seen
  const Tensor map = reshape(attention_map(core, none, none, mask).value(), {T, T});
  return above_zero(map);
}

Tensor above_zero(const Tensor& x) {
  return kernel::cast(kernel::greater(x, Tensor::zeros({}, DType::float64)), DType::float64);
}

Size pairs(const Tensor& pattern) {
  return static_cast<Size>(std::llround(kernel::sum(pattern, {0, 1}, false).item()));
}

Attended MaskedWindow::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  const Size T = q.shape()[2];
  return SoftmaxAttention()(q, k, v, mask & band_mask(T, T, before, after));
}

Attended WrappedWindow::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  const Size T = q.shape()[2];
  std::vector<bool> near;
  for (Size i = 0; i < T; ++i) {
    for (Size j = 0; j < T; ++j) {
      const Size apart = std::abs(i - j);
      near.push_back(std::min(apart, T - apart) <= side);
    }
  }
  return SoftmaxAttention()(q, k, v, mask & Mask(Tensor::from_bools(near, {T, T})));
}

Attended RedrawnBigBird::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  return BigBirdAttention(positions, big_bird(positions, 3), *rng)(q, k, v, mask);
}

}  // namespace attend::chapter12
