// Where did the first NaN come from? A watch that stops at the op that made it.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "autograd/var.hpp"

namespace attend {

/// The passes of a training step.
enum class Pass { forward, backward, update };
/// "forward pass", "backward pass", "update".
const char* text(Pass pass);

/// A value that is not finite, and where it appeared.
struct NotFinite : std::runtime_error {
  Pass pass = Pass::forward;
  std::string op;             // of the backward pass: the op whose derivative it is; empty when no op was found
  std::vector<Shape> inputs;  // the shapes of the op's inputs
  Shape output;               // and of its output
  bool inputs_finite = true;  // whether all that went into it was finite still
  Size step = 0;              // of the training, from 1; 0 when unknown
  std::string parameter;      // the first parameter that is affected, by its name; empty when none is known

  using std::runtime_error::runtime_error;
};

/// Whether no element is NaN or infinite.
bool all_finite(const Tensor& x);

/// While one lives, the first op whose value is not finite throws NotFinite, which names the op and its shapes:
///
///     { FiniteWatch watch;  loss_of(model); }
///     in the forward pass, log [2, 3] -> [2, 3] gave inf from finite inputs
///
/// In the forward pass NaN always counts, and an infinity counts unless an input of the op holds one too: scores of −∞
/// may go on through a logsumexp. In the backward pass every cotangent that is not finite counts, and the op is the one
/// whose derivative it is. A NaN that a mask would hide further on counts as well.
/// The watch is per thread, nests, and ends with its scope even when that is left by an exception. An op that nobody
/// watches pays one test of a flag; a watched one, a pass over its numbers.
class FiniteWatch {
 public:
  explicit FiniteWatch(bool on = true) : before_(on_) { on_ = on; }
  ~FiniteWatch() { on_ = before_; }
  FiniteWatch(const FiniteWatch&) = delete;
  FiniteWatch& operator=(const FiniteWatch&) = delete;

  static bool on() { return on_; }

 private:
  static inline thread_local bool on_ = false;
  bool before_;
};

namespace detail {

// Throw NotFinite when what they are shown is not finite: the values of an op, the cotangent that a node's rule has
// made for one of its inputs, the sums of all cotangents of a node's outputs.
void check_values(const char* op, const std::vector<Tensor>& values, const Vars& inputs);
void check_derivative(const Node& node, std::size_t input, const Var& cotangent);
void check_cotangents(const Node& node, const Vars& cotangents);

}  // namespace detail
}  // namespace attend
