// Dates as a task of translation.
#include <doctest/doctest.h>

#include <set>

#include "tests/support/compare.hpp"
#include "tutorials/03_additive_attention/dates.hpp"
#include "tutorials/lesson/data.hpp"

using namespace attend;
using namespace attend::chapter03;
using namespace attend::translation;

namespace {

DateTask dates() { return DateTask(read_date_locales(lesson::data_path("cldr/cldr_dates.tsv")), 50, 1); }

std::string joined(const Tokens& tokens) { return join_characters(tokens); }

}  // namespace

TEST_CASE("given and wanted are one text, shifted by one") {
  const DateTask tasks = dates();
  const Task task = date_task(tasks);
  const Pairs pairs = as_pairs(task, task.held_out);
  const Size steps = pairs.given.shape()[1];
  CHECK(steps == 11);
  CHECK(test::same_bits(contiguous(slice(pairs.given, 1, 1, steps - 1)),
                        contiguous(slice(pairs.wanted, 1, 0, steps - 1))));
}

TEST_CASE("no text that is held out is drawn to train on") {
  const DateTask tasks = dates();
  const Task task = date_task(tasks);
  std::set<std::string> held_out;
  for (const Example& example : task.held_out) held_out.insert(joined(example.source));
  CHECK(held_out.size() == 50);
  Rng rng(2);
  for (const Example& example : task.draw(5000, rng)) CHECK(held_out.count(joined(example.source)) == 0);
}

TEST_CASE("a task of dates knows every symbol, held out or not") {
  const DateTask tasks = dates();
  const Task task = date_task(tasks);
  for (const Example& example : task.held_out) {
    for (const std::string& token : example.source) CHECK(task.source.has(token));
    for (const std::string& token : example.target) CHECK(task.target.has(token));
    CHECK(joined(task.target.decode(task.target.encode(example.target))) == joined(example.target));
  }
}
