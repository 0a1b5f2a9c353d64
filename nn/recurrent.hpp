// What the recurrent layers share: walking a batch of sequences of different lengths.
#pragma once
#include <vector>

#include "autograd/ops.hpp"
#include "nn/init.hpp"

namespace attend {

/// Which way a sequence is read.
enum class Direction { forward, backward };

/// The hidden size. Throws std::invalid_argument when it or the size of the input is below 1.
Size checked_hidden(const char* op, Size input, Size hidden);

/// PyTorch's initialisation of recurrent layers, weights and biases alike: uniform within ±1/√hidden.
Var recurrent_init(const Shape& shape, Size hidden, Rng& rng);

/// A batch of sequences on their way through a recurrent layer. All steps' inputs are projected by one product; what
/// lies past the end of a sequence, NaN included, reaches neither a state nor a derivative.
class TimeSteps {
 public:
  /// x [B, T, input]; lengths of the B sequences, or none: all have T. Throws std::invalid_argument for an x without
  /// steps or that does not fit the weight, and when there are not B lengths within 0 .. T.
  TimeSteps(const char* op, const Var& x, const Var& weight, const Var& bias, const std::vector<Size>& lengths,
            Direction direction);

  /// Calls step(projected, keep) for every time step in the order of reading, with x W + b [B, gates] of that step, and
  /// stacks the states [B, hidden] that it returns: [B, T, hidden]. keep(next, old) is `next` within a sequence, and
  /// `old` past its end.
  template <class Step>
  Var walk(Step step) const {
    const std::size_t T = projected_.size();
    Vars states(T);
    for (std::size_t i = 0; i < T; ++i) {
      const std::size_t t = direction_ == Direction::forward ? i : T - 1 - i;
      const auto keep = [&](const Var& next, const Var& old) {
        return inside_.empty() ? next : where(inside_[t], next, old);
      };
      states[t] = step(projected_[t], keep);
    }
    return stack(states, 1);
  }

 private:
  Vars projected_;              // of each time step, [B, gates]
  std::vector<Tensor> inside_;  // of each time step, [B, 1]: true where the sequence goes on; none when all are full
  Direction direction_;
};

}  // namespace attend
