#include "tutorials/08_transformer/number_learning.hpp"

#include "nn/schedule.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/progress.hpp"

namespace attend::chapter08 {

using namespace lesson;
using namespace translation;

NumberSplit split_for(std::uint64_t seed) {
  Rng rng(seed);
  return split_numbers(training_numbers, validation_numbers, rng);
}

double rate_at(Size step) {
  constexpr Size warm = 100;
  return warm_up(step, warm) * cosine_rate(step, highest_rate, steps_in_all);
}

Learner<Transformer> learner_of(const Task& task, Flaw flaw, std::uint64_t seed, DType activations) {
  const TransformerSize size{task.source.size(), task.target.size(), 1, 1, {64, 4, 128, 0, NormPlace::before}};
  return {task, [&](Rng& rng) { return Transformer(size, rng, flaw); }, seed, highest_rate, {64, 1.0, 0, activations}};
}

double train(const Task& task, const NumberSplit& split, Learner<Transformer>& learner, const std::string& name,
             const std::function<void(Size step)>& look) {
  constexpr Size every = 100;  // steps between two looks at the validation numbers
  const std::vector<Example> validation = examples_of(split.validation);
  Progress progress(name, steps_in_all);
  std::string note;
  double last = 0;
  for (Size i = 1; i <= steps_in_all; ++i) {
    learner.set_rate(rate_at(i));
    const double loss = learner.step();
    if (i > steps_in_all - 20) last += loss / 20;
    if (i % every == 0) {
      note = "exact " + percent(exact_match(ask(task, learner.model(), validation, longest_target(task)), validation));
      if (look) look(i);
    }
    progress.step(i, loss, note);
  }
  progress.done();
  return last;
}

}  // namespace attend::chapter08
