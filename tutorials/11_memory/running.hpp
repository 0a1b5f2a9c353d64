#pragma once
#include <string>
#include <vector>

#include "autograd/ops.hpp"

/// The running softmax: attention over keys that come block by block, without the row of all scores.

namespace attend::chapter11 {

/// What is known of Tq queries after some of the keys. Milakov and Gimelshein 2018 (arXiv:1805.02867).
struct Running {
  Var highest;     // [Tq, 1]   the largest score so far; −∞ before the first block
  Var normaliser;  // [Tq, 1]   Σ exp(score − highest)
  Var sum;         // [Tq, Dv]  Σ exp(score − highest) · value
};

/// Before the first key.
Running nothing_yet(Size Tq, Size Dv, DType dtype);

/// What the program breaks on purpose: the old normaliser and sum go on with the new maximum as they are.
enum class Rescale { yes, forgotten };

/// The scores [Tq, n] of n more keys and their values [n, Dv].
Running with_block(const Running& so_far, const Var& scores, const Var& values, Rescale rescale = Rescale::yes);

/// softmax(scores) · values, of all keys so far [Tq, Dv].
Var context(const Running& all);

/// q [Tq, d], k [Tk, d], v [Tk, Dv] -> softmax(q kᵀ / √d) v, with the keys in blocks.
Var running_attention(const Var& q, const Var& k, const Var& v, Size block, Rescale rescale = Rescale::yes);

/// One step of the example on paper: a query, three blocks of two keys, one number as a value.
struct PaperStep {
  std::vector<double> scores, values;
  double factor;  // by which the old normaliser and sum are multiplied
  double highest, normaliser, sum;
};
/// With `shift` added to all scores.
std::vector<PaperStep> on_paper(double shift = 0, Rescale rescale = Rescale::yes);

}  // namespace attend::chapter11
