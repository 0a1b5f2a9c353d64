#pragma once
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/translation/recurrent_translator.hpp"

/// What must hold of additive attention whatever it has learned, and whether its derivatives are right.

namespace attend::chapter03 {

/// Properties of the formula, measured on random numbers in float64 and claimed; and that a text is translated the same
/// alone as beside a longer one, with this between reader and writer.
void claim_identities(translation::Bridge bridge, lesson::Claims& claims);

/// The gradient checks of every part of the model, order 1 and 2, as a table, worst first, and the claim that all pass.
void claim_gradients(lesson::Claims& claims);

}  // namespace attend::chapter03
