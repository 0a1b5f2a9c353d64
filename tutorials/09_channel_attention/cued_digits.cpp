#include "tutorials/09_channel_attention/cued_digits.hpp"

#include "tensor/kernels.hpp"

namespace attend::chapter09 {
namespace {

constexpr Size training_digits = 1000, validation_digits = 297;
constexpr Size pairs_to_look_at = 1000;

std::vector<std::int64_t> draw_ids(Size among, Size count, Rng& rng) {
  std::vector<std::int64_t> ids;
  for (Size i = 0; i < count; ++i) ids.push_back(rng.below(among));
  return ids;
}

// 0 but for the pixel in the upper left corner: [N, 1, height, width].
Tensor cue_channel(const Tensor& plus, Size height, Size width) {
  const Size N = plus.size();
  const Tensor sign = kernel::affine(kernel::cast(plus, DType::float32), 2, -1);
  return kernel::embed(reshape(sign, {N, 1, 1, 1}), {N, 1, height, width}, {0, 0, 0, 0}, {1, 1, 1, 1}, 0);
}

}  // namespace

Split split_digits(const lesson::Images& digits, Rng& rng) {
  const std::vector<std::int64_t> order = rng.permutation(digits.size());
  const auto second = order.begin() + training_digits, third = second + validation_digits;
  return {digits.select({order.begin(), second}), digits.select({second, third}), digits.select({third, order.end()})};
}

CuedDigits draw_cued(const lesson::Images& digits, Size count, Rng& rng) {
  const lesson::Images first = digits.select(draw_ids(digits.size(), count, rng));
  const lesson::Images second = digits.select(draw_ids(digits.size(), count, rng));
  const Tensor plus = rng.bernoulli({count}, 0.5);
  const Tensor cue = cue_channel(plus, digits.pixels.shape()[2], digits.pixels.shape()[3]);
  return {kernel::concat({first.pixels, second.pixels, cue}, 1), plus, kernel::where(plus, first.labels, second.labels),
          kernel::where(plus, second.labels, first.labels)};
}

CuedDigits turned(const CuedDigits& pairs) {
  const Tensor digits = slice(pairs.pixels, 1, 0, 2), cue = slice(pairs.pixels, 1, 2, 1);
  return {kernel::concat({digits, kernel::affine(cue, -1, 0)}, 1), kernel::logical_not(pairs.plus), pairs.other,
          pairs.meant};
}

CuedTask cued_task(const Split& split, Rng& rng) {
  CuedTask task;
  task.channels = 3;
  task.draw = [digits = split.training](Size count, Rng& stream) {
    const CuedDigits drawn = draw_cued(digits, count, stream);
    return Examples{drawn.pixels, drawn.meant};
  };
  const CuedDigits validation = draw_cued(split.validation, pairs_to_look_at, rng);
  task.cued_test = draw_cued(split.test, pairs_to_look_at, rng);
  task.validation = {validation.pixels, validation.meant};
  task.test = {task.cued_test.pixels, task.cued_test.meant};
  return task;
}

Task plain_task(const Split& split) {
  const auto draw = [digits = split.training](Size count, Rng& rng) {
    const lesson::Images drawn = digits.select(draw_ids(digits.size(), count, rng));
    return Examples{drawn.pixels, drawn.labels};
  };
  return {1, draw, {split.validation.pixels, split.validation.labels}, {split.test.pixels, split.test.labels}};
}

}  // namespace attend::chapter09
