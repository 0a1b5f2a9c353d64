#pragma once
#include "tutorials/08_transformer/transformer.hpp"
#include "tutorials/lesson/claims.hpp"

/// What must hold of a transformer whatever it has learned, and whether its derivatives are right.

namespace attend::chapter08 {

/// In float64: a later word of the target changes no earlier score; what stands behind a text's end, or beside it in
/// its batch, changes nothing; step by step with the cache gives the scores of all steps at once.
void claim_identities(const translation::Task& task, const Transformer& model, lesson::Claims& claims);

/// The gradient checks of the layers and of a whole model, pre- and post-norm, order 1 and 2.
void claim_gradients(lesson::Claims& claims);

}  // namespace attend::chapter08
