#include "tutorials/16_conditional_and_learned/few_shot_learning.hpp"

namespace attend::chapter16 {

FewShotData few_shot_data(bool turned, Rng& rng) {
  const lesson::Images digits = lesson::digits8x8();
  const std::vector<std::int64_t> order = rng.permutation(digits.size());
  const auto four_fifths = order.begin() + digits.size() * 4 / 5;
  return {classes_of(digits.select({order.begin(), four_fifths}), 0, 4, turned),
          classes_of(digits.select({four_fifths, order.end()}), 0, 4, false), classes_of(digits, 5, 9, false)};
}

}  // namespace attend::chapter16
