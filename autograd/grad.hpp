// grad: the backward pass.
#pragma once
#include "autograd/var.hpp"

namespace attend {

/// The gradients of y with respect to each of xs:   Σ gy · ∂y/∂x, of the shape of x; zeros where y does not depend on x.
/// `gy` is the cotangent of y, of its shape; without it y must have one element, and gy is 1.
/// With `create_graph` the gradients have a history themselves and can be differentiated again.
/// `grad(std::move(loss), xs)` frees each node of the history as soon as it is passed.
/// Throws std::invalid_argument when gy is missing or has another shape or dtype, or when an x is a constant.
///
/// There is no .grad field: the cotangents live in a map of this call, and there is nothing to set to zero.
Vars grad(Var y, const Vars& xs, Var gy = {}, bool create_graph = false);

/// Adds up a cotangent along the axes that broadcasting had widened, so that it has the given shape.
Var sum_to(const Var& g, const Shape& shape);

}  // namespace attend
