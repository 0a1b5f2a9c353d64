// What every attention returns, and the two steps that all of them share: weights from scores, and their weighted sum.
#pragma once
#include "autograd/ops.hpp"
#include "nn/mask.hpp"

namespace attend {

/// context = Σ weights · value. The weights are undefined where a variant never forms them.
struct Attended {
  Var context;  // [B, Tq, Dv]
  Var weights;  // [B, Tq, Tk], or [B, H, Tq, Tk]
};

/// Softmax over the keys, of the scores [B, Tq, Tk] or [B, H, Tq, Tk]. A query that may attend to nothing has weights
/// 0. Throws std::invalid_argument when the mask does not fit.
Var attention_weights(const Var& scores, const Mask& mask);

/// weights [..., Tq, Tk] · value [..., Tk, Dv] -> [..., Tq, Dv]. A value that a query may not attend to has no part in
/// its result nor in a derivative, not even NaN. (One that is not finite makes NaN of the results it does have a part
/// in.)
Var weighted_sum(const Var& weights, const Var& value, const Mask& mask);

/// Keys [B, Tk, D], or [B, H, Tk, D], with zeros where no query may attend, in any head. Padding may then hold
/// anything, NaN included, and reaches neither a score nor a derivative. (A key that is hidden from some queries only
/// must be finite for the derivatives of the others to be.) Throws std::invalid_argument when the mask does not fit.
Var hide_invisible(const Var& key, const Mask& mask);

/// parts / total, and `parts` itself where the total is 0: what has no weight stays 0, in value and derivative.
Var divided_by_total(const Var& parts, const Var& total);

/// x / ‖x‖ over the last axis; 0 for a vector of 0. The squares of very large and very small numbers do not overflow.
Var unit_length(const Var& x);

}  // namespace attend
