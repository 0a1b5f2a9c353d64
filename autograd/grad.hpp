// grad: the backward pass.
#pragma once
#include <functional>

#include "autograd/var.hpp"

namespace attend {

/// The gradients of y with respect to each of xs:   Σ gy · ∂y/∂x, of the shape of x; zeros where y does not
/// depend on x. `gy` is the cotangent of y, of its shape; without it y must have one element, and gy is 1.
/// With `create_graph` the gradients have a history themselves and can be differentiated again.
/// `grad(std::move(loss), xs)` frees each node of the history as soon as it is passed.
/// Throws std::invalid_argument when gy is missing or has another shape or dtype, or when an x is a constant.
///
/// There is no .grad field: the cotangents live in a map of this call, and there is nothing to set to zero.
Vars grad(Var y, const Vars& xs, Var gy = {}, bool create_graph = false);

/// One step of a backward pass: a node that has received all of its cotangents, and what its rule makes of them.
struct BackwardStep {
  const Node& node;
  const Vars& cotangents;  // summed, one per output of the node; undefined where none has come
  const Vars& results;     // what the rule gives for each input; empty for a leaf, and where nothing is wanted
  const Vars& sent;        // the results, summed to the shapes of the inputs
};

/// The same, and `observe` is called at each step: to show a backward pass, or to find where a NaN first appears in it.
Vars grad(Var y, const Vars& xs, Var gy, bool create_graph, const std::function<void(const BackwardStep&)>& observe);

/// The gradients of Σ gys[i] · ys[i] for a rule that has run a part of a program again: the pass goes through nodes
/// that are no older than `oldest` (an id) and stops at those that are. A gy may be undefined, and so is the gradient
/// of an x that nothing reaches. Each y goes as it is passed.
Vars grad_within(Vars ys, const Vars& gys, const Vars& xs, std::uint64_t oldest, bool create_graph);

/// Adds up a cotangent along the axes that broadcasting had widened, so that it has the given shape.
Var sum_to(const Var& g, const Shape& shape);

}  // namespace attend
