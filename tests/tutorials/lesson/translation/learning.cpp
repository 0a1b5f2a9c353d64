#include <doctest/doctest.h>

#include "nn/parameters.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/threads.hpp"
#include "tutorials/lesson/translation/recurrent_translator.hpp"

using namespace attend;
using namespace attend::translation;

namespace {

const Split names{{{"red hat", "chapeau rouge"}, {"red", "rouge"}, {"blue hat", "chapeau bleu"}}, {{"hat", "chapeau"}}};

Vars after(Size steps, Bridge bridge, std::uint64_t seed, Size threads) {
  const test::Threads some(threads);
  const Task task = name_task(names);
  RecurrentLearner learner = learner_of(task, {task.source.size(), task.target.size()}, bridge, seed, 5e-3);
  while (learner.steps() < steps) learner.step();
  return parameters(learner.model());
}

}  // namespace

TEST_CASE("the same seed gives the same parameters to the last bit after 20 steps, with one thread and with two") {
  const Vars one = after(20, Bridge::attention, 1, 1);
  CHECK(test::same_bits(one, after(20, Bridge::attention, 1, 2)));
  CHECK(!test::same_bits(one, after(20, Bridge::attention, 2, 1)));
  CHECK(test::same_bits(after(5, Bridge::summary, 1, 1), after(5, Bridge::summary, 1, 2)));
}

TEST_CASE("the loss falls") {
  const Task task = name_task(names);
  RecurrentLearner learner =
      learner_of(task, {task.source.size(), task.target.size(), 16, 32}, Bridge::attention, 1, 1e-2);
  const double first = learner.step();
  double last = 0;
  while (learner.steps() < 30) last = learner.step();
  CHECK(last < 0.7 * first);
}

TEST_CASE("with activations of 16 bits the parameters stay float32, and the course is nearly that of float32") {
  const Task task = name_task(names);
  const auto losses_in = [&](DType activations) {
    RecurrentLearner learner = learner_of(task, {task.source.size(), task.target.size(), 16, 32}, Bridge::attention, 1,
                                          1e-2, {64, 1.0, 0, activations});
    std::vector<double> losses;
    while (learner.steps() < 10) losses.push_back(learner.step());
    for (const Var& parameter : parameters(learner.model())) CHECK(parameter.dtype() == DType::float32);
    CHECK(learner.skipped() == 0);
    return losses;
  };
  const std::vector<double> exact = losses_in(DType::float32);
  for (const auto& [activations, far] : {std::pair(DType::float16, 0.01), std::pair(DType::bfloat16, 0.05)}) {
    const std::vector<double> losses = losses_in(activations);
    CHECK(losses[0] != exact[0]);  // not float32 under another name
    for (std::size_t i = 0; i < exact.size(); ++i) test::check_close(losses[i], exact[i], 0, far);
  }
}

TEST_CASE("the rate can be changed between steps: a step with the rate 0 changes nothing") {
  const Task task = name_task(names);
  RecurrentLearner learner =
      learner_of(task, {task.source.size(), task.target.size(), 4, 5}, Bridge::attention, 1, 1e-2);
  const Vars before = parameters(learner.model());
  learner.set_rate(0);
  learner.step();
  CHECK(test::same_bits(before, parameters(learner.model())));
  learner.set_rate(1e-2);
  learner.step();
  CHECK(!test::same_bits(before, parameters(learner.model())));
}

TEST_CASE("a few names are learned by heart, to the last token") {
  const Task task = name_task(names);
  for (Bridge bridge : {Bridge::attention, Bridge::summary}) {
    RecurrentLearner learner =
        learner_of(task, {task.source.size(), task.target.size(), 8, 12}, bridge, 1, 2e-2, {8, 1.0, 0});
    while (learner.steps() < 100) learner.step();
    const Answers answers = ask(task, learner.model(), task.training, 4);
    CHECK(exact_match(answers, task.training) == 1);
    CHECK(join_words(answers.texts[0]) == "chapeau rouge");
    CHECK(answers.weights.defined() == (bridge == Bridge::attention));
  }
}

TEST_CASE("the longest target has room for its end") {
  CHECK(longest_target(name_task(names)) == 3);
  CHECK(longest_target(name_task({{{"hat", "un beau chapeau"}}, {}})) == 4);
}

TEST_CASE("exact match counts answers that are right token for token") {
  const std::vector<Example> examples = {{{}, {"a", "b"}}, {{}, {"c"}}, {{}, {}}, {{}, {"d"}}};
  CHECK(exact_match({{{"a", "b"}, {"c"}, {}, {"d"}}, {}}, examples) == 1);
  CHECK(exact_match({{{"a"}, {"c", "c"}, {}, {"d"}}, {}}, examples) == 0.5);
  CHECK(exact_match({{{"b", "a"}, {}, {"x"}, {"e"}}, {}}, examples) == 0);
}
