#include "tutorials/03_additive_attention/task.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tests/support/compare.hpp"
#include "tutorials/lesson/data.hpp"

using namespace attend;
using namespace attend::chapter03;

namespace {

DateTask dates() { return DateTask(read_date_locales(lesson::data_path("cldr/cldr_dates.tsv")), 50, 1); }

const Split names{{{"red hat", "chapeau rouge"}, {"red", "rouge"}}, {{"red wheel", "roue rouge"}}};

std::string joined(const Tokens& tokens) { return join_characters(tokens); }

}  // namespace

TEST_CASE("the writer is given a text without its end and is to write it without its beginning") {
  const Task task = name_task(names);
  const Pairs pairs = as_pairs(task, task.training);
  const Size B = 2, Ty = 3;
  CHECK(pairs.source.shape() == Shape{B, 2});
  CHECK(pairs.lengths == std::vector<Size>{2, 1});
  CHECK(pairs.given.shape() == Shape{B, Ty});
  CHECK(pairs.wanted.shape() == Shape{B, Ty});

  const std::int64_t chapeau = task.target.id("chapeau"), rouge = task.target.id("rouge");
  const std::int64_t begin = Vocabulary::begin, end = Vocabulary::end, pad = Vocabulary::pad;
  CHECK(pairs.given.to_ints() == Ids{begin, chapeau, rouge, begin, rouge, end});
  CHECK(pairs.wanted.to_ints() == Ids{chapeau, rouge, end, rouge, end, pad});
}

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

TEST_CASE("a task of names knows the words of its training names alone, and draws nothing else") {
  const Task task = name_task(names);
  CHECK(task.source.has("hat"));
  CHECK(!task.source.has("wheel"));
  CHECK(!task.target.has("roue"));
  CHECK(as_pairs(task, task.held_out).source.to_ints() == Ids{task.source.id("red"), Vocabulary::unknown});
  CHECK(task.training.size() == 2);
  CHECK(task.held_out.size() == 1);

  Rng rng(1);
  std::set<std::string> drawn;
  for (const Example& example : task.draw(50, rng)) drawn.insert(join_words(example.source));
  CHECK(drawn == std::set<std::string>{"red", "red hat"});
}
