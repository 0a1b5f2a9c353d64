#pragma once
#include "tutorials/lesson/translation/recurrent_translator.hpp"

/// Is the weight an explanation? Hide what the model looks at, and see what its answer loses.

namespace attend::chapter03 {

/// The probability of the right symbol at one step of one example.
struct Occlusion {
  Size looked_at;        // the position with the largest weight
  double with_all;       // nothing hidden
  double without_it;     // that position hidden from the attention, at this step and all before
  double without_other;  // another position hidden, drawn at random
};

/// One for each step of the example's target. The reader still reads the hidden character, so its neighbours' states
/// know of it: the attention alone loses sight of it.
std::vector<Occlusion> occlude(const translation::Task& task, const translation::RecurrentTranslator& model,
                               const translation::Example& example, Rng& rng);

}  // namespace attend::chapter03
