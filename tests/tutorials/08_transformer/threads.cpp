// Pitfall O-59: the model of this chapter, trained with one thread and with several.
#include "tests/support/threads.hpp"

#include <doctest/doctest.h>

#include "tutorials/08_transformer/number_learning.hpp"

using namespace attend;
using namespace attend::chapter08;
using namespace attend::translation;

TEST_CASE("50 steps with 1, 2 and 3 threads give the same parameters to the last bit (O-59)") {
  constexpr Size steps = 50;
  const Task task = number_task(split_for(1));
  const auto train = [&] {
    Learner<Transformer> learner = learner_of(task, Flaw::none, 1);
    while (learner.steps() < steps) learner.step();
    return parameters(learner.model());
  };
  test::check_threads_change_no_bit(train, 5 * steps);
}
