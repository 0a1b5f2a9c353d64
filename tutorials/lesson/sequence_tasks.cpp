#include "tutorials/lesson/sequence_tasks.hpp"

#include <algorithm>

namespace attend::lesson {
namespace {

using Symbols = std::vector<std::int64_t>;

// A batch of which one sequence after the other is drawn: draw(input, answer) fills its two rows.
template <class Draw>
SequenceBatch batch_of(Size batch, Size length, Draw draw) {
  Symbols inputs, answers;
  for (Size b = 0; b < batch; ++b) {
    Symbols input(static_cast<std::size_t>(length)), answer(input.size(), -1);
    draw(input, answer);
    inputs.insert(inputs.end(), input.begin(), input.end());
    answers.insert(answers.end(), answer.begin(), answer.end());
  }
  return {Tensor::from_ints(inputs, {batch, length}), Tensor::from_ints(answers, {batch, length})};
}

// The task of random symbols, of which `rearrange` makes the answer.
template <class Rearrange>
SequenceTask rearranging(const std::string& name, Size length, Size symbols, Rearrange rearrange) {
  return {name, length, symbols, false, [=](Size batch, Rng& rng) {
            return batch_of(batch, length, [&](Symbols& input, Symbols& answer) {
              for (std::int64_t& symbol : input) symbol = rng.below(symbols);
              answer = input;
              rearrange(answer);
            });
          }};
}

}  // namespace

SequenceTask reversal_task(Size length, Size symbols) {
  return rearranging("reversal", length, symbols, [](Symbols& row) { std::reverse(row.begin(), row.end()); });
}

SequenceTask sorting_task(Size length, Size symbols) {
  return rearranging("sorting", length, symbols, [](Symbols& row) { std::sort(row.begin(), row.end()); });
}

SequenceTask copy_task(Size back, Size length, Size symbols) {
  return rearranging("copy", length, symbols, [back](Symbols& row) {
    row.insert(row.begin(), static_cast<std::size_t>(back), -1);
    row.resize(row.size() - static_cast<std::size_t>(back));
  });
}

SequenceTask recall_task(Size pairs, Size symbols) {
  const Size half = symbols / 2, length = 3 * pairs;
  return {"recall", length, symbols, true, [=](Size batch, Rng& rng) {
            return batch_of(batch, length, [&](Symbols& input, Symbols& answer) {
              const Symbols keys = rng.permutation(half), order = rng.permutation(pairs);
              for (std::size_t i = 0; i < order.size(); ++i) {
                input[2 * i] = keys[i];
                input[2 * i + 1] = half + rng.below(symbols - half);
              }
              for (std::size_t i = 0; i < order.size(); ++i) {
                const std::size_t place = 2 * order.size() + i, pair = static_cast<std::size_t>(order[i]);
                input[place] = keys[pair];
                answer[place] = input[2 * pair + 1];
              }
            });
          }};
}

}  // namespace attend::lesson
