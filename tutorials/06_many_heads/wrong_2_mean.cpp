// Wrong answers to exercise 2, each with the bug that the check must name.
#include "tutorials/06_many_heads/exercise_2_mean.hpp"

namespace attend::chapter06 {
namespace {

Var flags(const Var& x, const Tensor& there) { return cast(Var(there), x.dtype()); }  // [B, T]
Var words(const Var& x, const Tensor& there) { return where(unsqueeze(there, 2), x, Tensor::zeros({}, x.dtype())); }

Var unsolved(const Var&, const Tensor&) { return {}; }
Var all_places(const Var& x, const Tensor&) { return mean(x, {1}); }
Var divided_by_places(const Var& x, const Tensor& there) { return mean(words(x, there), {1}); }
Var only_summed(const Var& x, const Tensor& there) { return sum(words(x, there), {1}); }
Var multiplied(const Var& x, const Tensor& there) {
  return sum(x * unsqueeze(flags(x, there), 2), {1}) / sum(flags(x, there), {1}, true);
}
Var the_padding(const Var& x, const Tensor& there) {
  const Tensor other = equal(flags(x, there), Var(Tensor::zeros({}, x.dtype())));
  return sum(words(x, other), {1}) / sum(flags(x, there), {1}, true);
}
Var one_count_for_all(const Var& x, const Tensor& there) {
  const double B = static_cast<double>(x.shape()[0]);
  return sum(words(x, there), {1}) * B / sum(flags(x, there));
}
Var over_the_batch(const Var& x, const Tensor& there) {
  return sum(words(x, there), {0}) / static_cast<double>(x.shape()[0]);
}
Var history_cut(const Var& x, const Tensor& there) {
  return detach(sum(words(x, there), {1}) / sum(flags(x, there), {1}, true));
}

}  // namespace

std::vector<MeanAnswer> mean_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"the mean of all places", all_places, "all places count"},
      {"divided by the number of places", divided_by_places, "divided by T"},
      {"sum without division", only_summed, "not divided"},
      {"multiplied by 0 and 1", multiplied, "0 · NaN"},
      {"padding summed", the_padding, "what was summed is the padding"},
      {"one count for all", one_count_for_all, "mean number of words"},
      {"over the batch", over_the_batch, "axis 0"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter06
