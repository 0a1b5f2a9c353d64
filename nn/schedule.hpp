// Learning-rate schedules: plain functions of the step t = 1, 2, ...
//     optimizer.learning_rate = cosine_rate(t, 1e-3, 1000);
// Each throws std::invalid_argument for a t below 1 and for a number of steps below 1.
#pragma once
#include "tensor/shape.hpp"

namespace attend {

/// The rate times `factor` after every `every` steps.
double step_rate(Size t, double rate, Size every, double factor);

/// From `rate` at step 1 along half a cosine to `last` at step `steps`, and `last` from then on. Loshchilov and Hutter
/// 2016 (arXiv:1608.03983), without restarts.
double cosine_rate(Size t, double rate, Size steps, double last = 0);

/// A factor that rises linearly to 1 over the first `steps` steps:   min(t / steps, 1)
double warm_up(Size t, Size steps);

/// width^−½ · min(t^−½, t · warm^−³ᐟ²): a linear rise over `warm` steps, then a fall with 1/√t. Vaswani et al. 2017
/// (arXiv:1706.03762), section 5.3. The peak, at t = warm, is (width · warm)^−½. Throws for
/// a width below 1 too.
double inverse_square_root_rate(Size t, Size width, Size warm);

}  // namespace attend
