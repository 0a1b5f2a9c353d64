#pragma once
#include <string>
#include <vector>

#include "nn/attention/core.hpp"

/// Patterns of sparse attention: which query sees which key, and one of them for each layer of a stack.

namespace attend::chapter12 {

/// The positions of the stacks whose reach is measured, and of what is learned.
constexpr Size length = 32;

/// What stands in the layers of a small transformer. Its settings follow from the length T: windows of T / 8 keys on
/// each side, blocks of T / 16.
struct Contender {
  std::string name;
  std::function<AttentionCore(Size layer, Size T, Rng& rng)> make;
};

/// softmax, local window, dilated window, window then dilated, strided, BigBird without and with random blocks.
/// With `wraps_around` the windows are wrong: see WrappedWindow.
std::vector<Contender> contenders(bool wraps_around = false);
const Contender& contender(const std::vector<Contender>& all, const std::string& name);

/// The cores of so many layers, each with draws of its own.
std::vector<AttentionCore> stack(const Contender& of, Size T, Size layers, Rng& rng);

/// Which keys each query has a weight for: float64 [T, T], row = query, 1 or 0.
Tensor pattern(const AttentionCore& core, Size T, const Mask& mask = {});
/// 1 where x is above 0, else 0: float64.
Tensor above_zero(const Tensor& x);
/// How many pairs that are.
Size pairs(const Tensor& pattern);

/// A local window as many write it: all T² scores, and a mask. The same numbers as LocalAttention, at the price of
/// softmax attention.
struct MaskedWindow {
  Size before, after;

  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// A local window on a circle: what lies before the first position is taken from the end. That is what becomes of
/// windows that are cut from a rolled tensor.
struct WrappedWindow {
  Size side;
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// BigBird whose random blocks are drawn anew at every call. It is wrong: a second forward pass is another function.
struct RedrawnBigBird {
  Size positions;
  std::shared_ptr<Rng> rng;

  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

}  // namespace attend::chapter12
