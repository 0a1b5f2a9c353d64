// Pitfall O-59: models of this chapter, trained with one thread and with several.
#include "tests/support/threads.hpp"

#include <doctest/doctest.h>

#include "tests/support/tensors.hpp"
#include "tutorials/10_attention_and_convolution/learning.hpp"

using namespace attend;
using namespace attend::chapter10;

namespace {

// Images of noise: what they show does not matter here.
lesson::Images noise(Size count, Size side) {
  Rng rng(3);
  std::vector<std::int64_t> labels;
  for (Size i = 0; i < count; ++i) labels.push_back(rng.below(10));
  return {test::random({count, 1, side, side}, DType::float32), Tensor::from_ints(labels, {count})};
}

// After `epochs` of two steps each.
Vars trained(Kind kind, const lesson::Images& images, Size epochs) {
  Rng rng(1);
  Recipe recipe = recipe_of(kind, images.size());
  recipe.epochs = epochs;
  const ImageForm form{images.pixels.shape()[2], images.pixels.shape()[3]};
  return parameters(learn(Model(kind, form, rng), images, recipe, rng).model);
}

}  // namespace

TEST_CASE("50 steps with 1, 2 and 3 threads give the same parameters to the last bit (O-59)") {
  constexpr Size epochs = 25, steps = 2 * epochs;
  const lesson::Images digits = noise(128, 8);
  test::check_threads_change_no_bit([&] { return trained(Kind::vision, digits, epochs); }, 2 * steps);
  test::check_threads_change_no_bit([&] { return trained(Kind::attention, digits, epochs); }, 2 * steps);
}
