#include <doctest/doctest.h>

#include "tutorials/08_transformer/halves_lesson.hpp"

using namespace attend;
using namespace attend::chapter08;
using namespace attend::translation;

TEST_CASE("a step with activations of 16 bits remembers less than three quarters, and more than half") {
  const Task task = number_task(split_for(1));
  const Learner<Transformer> learner = learner_of(task, Flaw::none, 1);
  const Size single = kept_by_step(task, learner.model(), DType::float32, 2);
  for (const DType half : {DType::float16, DType::bfloat16}) {
    const Size kept = kept_by_step(task, learner.model(), half, 2);
    CHECK(2 * kept > single);
    CHECK(static_cast<double>(kept) < 0.75 * static_cast<double>(single));
  }
}
