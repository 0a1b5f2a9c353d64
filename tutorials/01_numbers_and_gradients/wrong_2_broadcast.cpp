// Wrong answers to exercise 2, each with the bug that the check must name.
#include "autograd/ops.hpp"
#include "tutorials/01_numbers_and_gradients/exercise_2_broadcast.hpp"

namespace attend::chapter01 {
namespace {

// The axes that broadcasting added or stretched, each kind if wanted.
Axes copied_axes(const Var& g, const Shape& shape, bool added_too, bool stretched_too) {
  const Size added = g.rank() - shape.size();
  Axes copied;
  for (Size i = 0; i < g.rank(); ++i) {
    const bool is_added = i < added, is_stretched = !is_added && shape[i - added] == 1 && g.shape()[i] != 1;
    if ((is_added && added_too) || (is_stretched && stretched_too)) copied.push_back(i);
  }
  return copied;
}

namespace unsolved {
Var summed_to(const Var& g, const Shape&) { return g; }
}  // namespace unsolved

namespace added_only {
Var summed_to(const Var& g, const Shape& shape) {
  const Axes axes = copied_axes(g, shape, true, false);
  return axes.empty() ? g : sum(g, axes);
}
}  // namespace added_only

namespace stretched_only {
Var summed_to(const Var& g, const Shape& shape) {
  const Axes axes = copied_axes(g, shape, false, true);
  return axes.empty() ? g : sum(g, axes, true);
}
}  // namespace stretched_only

namespace size_1_dropped {
Var summed_to(const Var& g, const Shape& shape) {
  const Axes axes = copied_axes(g, shape, true, true);
  return axes.empty() ? g : sum(g, axes);
}
}  // namespace size_1_dropped

namespace added_kept {
Var summed_to(const Var& g, const Shape& shape) {
  const Axes axes = copied_axes(g, shape, true, true);
  return axes.empty() ? g : sum(g, axes, true);
}
}  // namespace added_kept

namespace averaged {
Var summed_to(const Var& g, const Shape& shape) {
  const Axes axes = copied_axes(g, shape, true, true);
  return axes.empty() ? g : reshape(mean(g, axes, true), shape);
}
}  // namespace averaged

namespace first_copy {
Var summed_to(const Var& g, const Shape& shape) {
  Var first = g;
  for (Size axis : copied_axes(g, shape, true, true)) first = slice(first, axis, 0, 1);
  return reshape(first, shape);
}
}  // namespace first_copy

namespace aligned_in_front {
Var summed_to(const Var& g, const Shape& shape) {
  Axes axes;
  for (Size i = 0; i < g.rank(); ++i) {
    if (i >= shape.size() || (shape[i] == 1 && g.shape()[i] != 1)) axes.push_back(i);
  }
  return axes.empty() ? g : reshape(sum(g, axes, true), shape);
}
}  // namespace aligned_in_front

namespace history_cut {
Var summed_to(const Var& g, const Shape& shape) {
  const Axes axes = copied_axes(g, shape, true, true);
  return axes.empty() ? g : detach(reshape(sum(g, axes, true), shape));
}
}  // namespace history_cut

}  // namespace

std::vector<BroadcastAnswer> broadcast_answers() {
  return {
      {"the hole is not filled", unsolved::summed_to, "still returns g"},
      {"added axes only", added_only::summed_to, "axes of size 1 that were stretched are not summed"},
      {"stretched axes only", stretched_only::summed_to, "axes that were added in front are not summed"},
      {"axes of size 1 dropped", size_1_dropped::summed_to, "the axes of size 1 are gone"},
      {"added axes kept", added_kept::summed_to, "added axes are still there"},
      {"the mean", averaged::summed_to, "the mean of the copies"},
      {"the first copy", first_copy::summed_to, "the first copy alone"},
      {"aligned in front", aligned_in_front::summed_to, "aligned at their first axes"},
      {"detach", history_cut::summed_to, "cuts the history"},
  };
}

}  // namespace attend::chapter01
