#pragma once
#include <functional>

#include "nn/attention/additive.hpp"
#include "tutorials/lesson/heatmap.hpp"

/// A task that an attention learns in a second, for the checks of the exercises.

namespace attend::chapter03 {

/// Texts of five of six symbols, each with an answer beside it, and three questions: which answer stands beside this
/// symbol? All are one-hot.
struct Lookup {
  Tensor query;               // [B, 3, 6]
  Tensor key;                 // [B, 5, 6]
  Tensor value;               // [B, 5, 4]
  Tensor wanted;              // int64 [B, 3]
  std::vector<Size> lengths;  // of the B texts
};

enum class Padding { none, traps };

/// With `traps` texts have 2 to 5 symbols, and the padding behind them holds the symbol that the first question asks for,
/// beside a wrong answer.
Lookup draw_lookup(Size batch, Padding padding, Rng& rng);

using LookupAttention = std::function<Attended(const AdditiveAttention&, const Lookup&)>;

struct Learned {
  double right;            // the share of new questions that are answered right
  lesson::HeatMap looked;  // the weights of one new text
};

/// Trains W_q, W_k and v for `steps` steps.
Learned learn_lookup(const LookupAttention& attention, Padding padding, Size steps = 150);

}  // namespace attend::chapter03
