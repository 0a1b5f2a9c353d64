#include "tutorials/lesson/core_transformer.hpp"

#include <doctest/doctest.h>

#include "nn/attention/local.hpp"

using namespace attend;
using namespace attend::lesson;

TEST_CASE("a small transformer learns to reverse with softmax attention, and cannot within a window of 1") {
  const SequenceTask task = reversal_task(8, 5);
  const CoreTransformerOptions small{32, 4, 2};
  const TrainingPlan plan{250, 32, 5e-3, 128};
  const auto learned = [&](const AttentionCore& core) {
    Rng rng(3);
    CoreTransformer model(
        task, [&](Rng&) { return core; }, rng, small);
    return train_and_test(model, task, 3, plan).accuracy;
  };
  CHECK(learned(SoftmaxAttention()) > 0.95);
  // Two layers of a window of 1 see 2 positions in each direction: the 4 in the middle at most, and the other 4 by
  // chance.
  CHECK(learned(LocalAttention(1, 1)) < 0.65);
}
