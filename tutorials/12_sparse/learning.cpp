#include "tutorials/12_sparse/learning.hpp"

#include "tutorials/12_sparse/reach.hpp"

namespace attend::chapter12 {

std::vector<Trial> trials() {
  std::vector<std::string> all;
  for (const Contender& one : contenders()) all.push_back(one.name);
  return {{lesson::copy_task(3, length, symbols),
           {500, 32, 3e-3, 512},
           [](Size i) { return i < 3 ? Size{-1} : i - 3; },
           {"softmax", "local window", "dilated window", "BigBird"}},
          {lesson::reversal_task(length, symbols), {400, 32, 3e-3, 512}, [](Size i) { return length - 1 - i; }, all}};
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
