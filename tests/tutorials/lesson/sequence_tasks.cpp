#include "tutorials/lesson/sequence_tasks.hpp"

#include <doctest/doctest.h>

#include <algorithm>

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

TEST_CASE("the copy asks for the symbol some positions before, where there is one") {
  Rng rng(1);
  const SequenceBatch batch = copy_task(3, 7, 4).draw(4, rng);
  for (Size b = 0; b < 4; ++b) {
    const Row input = row_of(batch.input, b), answer = row_of(batch.answer, b);
    for (std::size_t i = 0; i < 7; ++i) CHECK(answer[i] == (i < 3 ? -1 : input[i - 3]));
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
