#include "tutorials/lesson/core_transformer.hpp"

#include <doctest/doctest.h>

#include "nn/attention/local.hpp"
#include "tensor/difference.hpp"

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

TEST_CASE("answers of -1 are not asked, and a mask hides what it hides from a whole transformer") {
  const Tensor scores = Tensor::from({0, 1, 1, 0, 1, 0}, {1, 3, 2}, DType::float64);  // the symbols 1, 0, 0
  CHECK(accuracy(scores, Tensor::from_ints({1, 1, -1}, {1, 3})) == 0.5);
  Rng rng(4);
  const SequenceTask task = reversal_task(4, 5);
  const CoreTransformer model(task, [](Rng&) { return SoftmaxAttention(); }, rng, {16, 2, 2});
  const auto first = [&](std::int64_t last_symbol, const Mask& mask) {
    return slice(model(Tensor::from_ints({1, 2, 3, last_symbol}, {1, 4}), mask), 1, 0, 1).value();
  };
  const Mask three = padding_mask({3}, 4);
  CHECK(largest_difference(first(0, three), first(4, three)) == 0);
  CHECK(largest_difference(first(0, {}), first(4, {})) > 1e-6);
}
