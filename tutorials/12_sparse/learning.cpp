#include "tutorials/12_sparse/learning.hpp"

#include "tutorials/12_sparse/reach.hpp"

namespace attend::chapter12 {

lesson::SequenceTask copy_task(Size back) {
  return {"copy", length, symbols, false, [=](Size batch, Rng& rng) {
            std::vector<std::int64_t> input, answer;
            for (Size b = 0; b < batch; ++b) {
              for (Size i = 0; i < length; ++i) {
                answer.push_back(i < back ? -1 : input[input.size() - static_cast<std::size_t>(back)]);
                input.push_back(rng.below(symbols));
              }
            }
            return lesson::SequenceBatch{Tensor::from_ints(input, {batch, length}),
                                         Tensor::from_ints(answer, {batch, length})};
          }};
}

std::vector<Trial> trials() {
  return {{copy_task(), {500, 32, 3e-3, 512}, [](Size i) { return i < 3 ? Size{-1} : i - 3; }},
          {lesson::reversal_task(length, symbols), {400, 32, 3e-3, 512}, [](Size i) { return length - 1 - i; }}};
}

double learn(const Contender& of, const Trial& trial, std::uint64_t seed) {
  Rng rng(seed);
  Size layer = 0;
  lesson::CoreTransformer model(trial.task, [&](Rng& own) { return of.make(layer++, length, own); }, rng,
                                {64, 4, layers});
  return lesson::train_and_test(model, trial.task, seed, trial.plan).accuracy;
}

double within_reach(const Contender& of, const Trial& trial, std::uint64_t seed) {
  Rng rng(seed);
  const Tensor seen = reached(stack(of, length, layers, rng), length, seed);
  double asked = 0, reachable = 0;
  for (Size i = 0; i < length; ++i) {
    if (trial.source(i) < 0) continue;
    asked += 1;
    reachable += seen.at({i, trial.source(i)});
  }
  return reachable / asked;
}

double bound(double share_within_reach) { return share_within_reach + (1 - share_within_reach) / symbols; }

}  // namespace attend::chapter12
