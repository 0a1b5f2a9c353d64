#pragma once
#include <functional>

#include "nn/attention/adaptive_span.hpp"
#include "tutorials/lesson/core_transformer.hpp"

/// Copies over a distance, and a head that learns how far it has to look for them.

namespace attend::chapter16 {

constexpr Size symbols = 10, length = 48, largest = 24;  // largest: the widest that a span can be

/// The symbol `lag` positions before, causal; at the first `lag` positions nothing is asked.
lesson::SequenceTask lagged_copy(Size lag);
/// A copy with a lag for each position: its symbol says which of the two. Symbols 0 … 9 ask for the nearer one and 10 …
/// 19 for the farther; the answer is the symbol found there, less 10 where it is 10 or more. Causal; at the first `far`
/// positions nothing is asked.
lesson::SequenceTask two_lags(Size near, Size far);

struct SpanPlan {
  Size heads = 1, steps = 500, batch = 32;
  double ramp = 1;        // of a key only: a span then ends within 1 of the farthest key that is needed
  double penalty = 0.01;  // λ: what one key more in the mean of the spans costs in the loss
  Size spans_from = 250;  // the step from which on the spans move; before, they stay at their widest
  double span_rate = 14;  // of plain gradient descent on the spans; Adam trains all else
};

/// Called after each step with z of each head.
using AtStep = std::function<void(Size step, double loss, const std::vector<double>& spans)>;

/// A transformer of one layer with any attention in it.
lesson::CoreTransformer one_layer(const lesson::SequenceTask& task, const AttentionCore& core, Size heads, Rng& rng);

/// Trains one with adaptive spans, that begin as wide as they can be. Throws std::invalid_argument, from the layer, for
/// a ramp that is not positive.
lesson::CoreTransformer train_span(const lesson::SequenceTask& task, const SpanPlan& plan, std::uint64_t seed,
                                   const AtStep& at_step = {});
/// z of each head.
std::vector<double> spans_of(const lesson::CoreTransformer& model);

/// The farthest key to which a head with this z gives a weight.
Size farthest_key(double z, double ramp);
/// The model with blocks as narrow as its widest span: what is beyond has the weight 0, and the answers are the same.
lesson::CoreTransformer cut_to_span(lesson::CoreTransformer model, double ramp);

/// The multiplications of its attention for one sequence, projections left out.
Size multiplications(const AttentionCore& core, Size heads);

}  // namespace attend::chapter16
