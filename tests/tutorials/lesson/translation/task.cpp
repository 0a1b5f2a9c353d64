#include "tutorials/lesson/translation/task.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace attend;
using namespace attend::translation;

namespace {

const Split names{{{"red hat", "chapeau rouge"}, {"red", "rouge"}}, {{"red wheel", "roue rouge"}}};

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
