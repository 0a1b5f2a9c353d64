// Pitfall O-59: the model of this chapter, trained with one thread and with several.
#include "tests/support/threads.hpp"

#include <doctest/doctest.h>

#include "tutorials/03_additive_attention/dates.hpp"
#include "tutorials/03_additive_attention/dates_lesson.hpp"
#include "tutorials/lesson/data.hpp"

using namespace attend;
using namespace attend::chapter03;
using namespace attend::translation;

TEST_CASE("50 steps with 1, 2 and 3 threads give the same parameters to the last bit (O-59)") {
  constexpr Size steps = 50, batch = 32;
  const DateTask dates(read_date_locales(lesson::data_path("cldr/cldr_dates.tsv")), 0, 1);
  const Task task = date_task(dates);
  const auto train = [&] {
    RecurrentLearner learner = learner_of(task, size_with(task), Bridge::attention, 1, date_rate, {batch, 1.0, 0});
    while (learner.steps() < steps) learner.step();
    return parameters(learner.model());
  };
  test::check_threads_change_no_bit(train, 5 * steps);
}
