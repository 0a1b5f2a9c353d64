#include "tutorials/lesson/core_transformer.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "nn/attention/local.hpp"
#include "tests/support/compare.hpp"

using namespace attend;
using namespace attend::lesson;

namespace {

using Row = std::vector<double>;

Row row_of(const Tensor& x, Size b) {
  const Row all = x.to_vector();
  const auto first = all.begin() + b * x.shape()[1];
  return Row(first, first + x.shape()[1]);
}

}  // namespace

TEST_CASE("reversal and sorting ask for the input backwards and in order") {
  Rng rng(1);
  const SequenceBatch backwards = reversal_task(7, 4).draw(3, rng), sorted = sorting_task(7, 4).draw(3, rng);
  CHECK(backwards.input.shape() == Shape{3, 7});
  for (Size b = 0; b < 3; ++b) {
    Row row = row_of(backwards.input, b);
    CHECK(*std::max_element(row.begin(), row.end()) < 4);
    std::reverse(row.begin(), row.end());
    CHECK(row == row_of(backwards.answer, b));
    row = row_of(sorted.input, b);
    std::sort(row.begin(), row.end());
    CHECK(row == row_of(sorted.answer, b));
  }
}

TEST_CASE("recall asks every key once for the value that stood behind it") {
  Rng rng(2);
  const SequenceTask task = recall_task(5, 20);
  CHECK(task.length == 15);
  const SequenceBatch batch = task.draw(4, rng);
  for (Size b = 0; b < 4; ++b) {
    const Row input = row_of(batch.input, b), answer = row_of(batch.answer, b);
    for (std::size_t i = 0; i < 10; ++i) CHECK(answer[i] == -1);
    for (std::size_t i = 10; i < 15; ++i) {
      const auto key = std::find(input.begin(), input.begin() + 10, input[i]);
      CHECK((key - input.begin()) % 2 == 0);
      CHECK(answer[i] == *(key + 1));
      CHECK(answer[i] >= 10);
      CHECK(std::count(input.begin() + 10, input.end(), input[i]) == 1);
    }
  }
}

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
