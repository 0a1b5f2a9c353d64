// Wrong answers to exercise 1, each with the bug that the check must name.
#include <functional>

#include "tensor/tensor.hpp"
#include "tutorials/08_transformer/exercise_1_forcing.hpp"

namespace attend::chapter08 {
namespace {

Size places(const Tensor& target) { return target.shape()[1] - 1; }
Tensor without_end(const Tensor& target) { return slice(target, 1, 0, places(target)); }
Tensor without_begin(const Tensor& target) { return slice(target, 1, 1, places(target)); }

Forced masked(const Tensor& target, const std::function<bool(Size i, Size j)>& sees) {
  const Size n = places(target);
  std::vector<bool> allowed;
  for (Size i = 0; i < n; ++i) {
    for (Size j = 0; j < n; ++j) allowed.push_back(sees(i, j));
  }
  return {without_end(target), without_begin(target), Mask(Tensor::from_bools(allowed, {n, n}))};
}

Forced unsolved(const Tensor&) { return {}; }

Forced not_cut(const Tensor& target) { return {target, target, causal_mask(places(target) + 1, places(target) + 1)}; }

Forced not_shifted(const Tensor& target) {
  return {without_end(target), without_end(target), causal_mask(places(target), places(target))};
}

Forced exchanged(const Tensor& target) {
  return {without_begin(target), without_end(target), causal_mask(places(target), places(target))};
}

Forced no_begin(const Tensor& target) {
  return {without_begin(target), without_begin(target), causal_mask(places(target), places(target))};
}

Forced no_mask(const Tensor& target) { return {without_end(target), without_begin(target), {}}; }

Forced sees_the_future(const Tensor& target) {
  return masked(target, [](Size i, Size j) { return j >= i; });
}

Forced not_itself(const Tensor& target) {
  return masked(target, [](Size i, Size j) { return j < i; });
}

Forced one_too_far(const Tensor& target) {
  return masked(target, [](Size i, Size j) { return j <= i + 1; });
}

Forced true_hides(const Tensor& target) {
  return masked(target, [](Size i, Size j) { return j > i; });
}

Forced itself_alone(const Tensor& target) {
  return masked(target, [](Size i, Size j) { return j == i; });
}

}  // namespace

std::vector<ForcingAnswer> forcing_answers() {
  return {{"nothing", unsolved, "never assigned"},
          {"both whole", not_cut, "both have all T columns"},
          {"not shifted", not_shifted, "the same word is read and wanted"},
          {"given and wanted exchanged", exchanged, "the word before"},
          {"no begin", no_begin, "begin is never read"},
          {"no mask", no_mask, "there is no mask"},
          {"the mask transposed", sees_the_future, "looks ahead"},
          {"without itself", not_itself, "does not see itself"},
          {"one too far", one_too_far, "one place too far"},
          {"true hides", true_hides, "true means"},
          {"itself alone", itself_alone, "nothing but itself"}};
}

}  // namespace attend::chapter08
