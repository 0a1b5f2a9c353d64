#include "tutorials/lesson/translation/judging.hpp"

#include <doctest/doctest.h>

using namespace attend;
using namespace attend::translation;

namespace {

const Split names{{{"red hat", "chapeau rouge"}, {"blue hat", "chapeau bleu"}}, {{"red", "rouge"}}};

// Writes the same words whatever it reads.
struct Parrot {
  Ids words;

  Written write(const Tensor& source, const std::vector<Size>&, std::int64_t, std::int64_t, Size most) const {
    CHECK(most == 3);
    return {std::vector<Ids>(static_cast<std::size_t>(source.shape()[0]), words), {}};
  }
};

}  // namespace

TEST_CASE("a model is judged on the names it has learned and on those it has never seen") {
  const Task task = name_task(names);
  const Parrot parrot{task.target.encode({"chapeau", "rouge"})};
  CHECK(translations(task, parrot, task.training) == std::vector<std::string>{"chapeau rouge", "chapeau rouge"});
  const Judged judged = judge(task, parrot, names);
  CHECK(judged.training.exact_match == 0.5);
  CHECK(judged.held_out.exact_match == 0);
  CHECK(judged.held_out.character_f == character_f("chapeau rouge", "rouge"));
}

TEST_CASE("examples are drawn with replacement, all of them in the long run, the same for the same seed") {
  const auto draw = draw_from({{{"a"}, {"b"}}, {{"c"}, {"d"}}, {{"e"}, {"f"}}});
  Rng rng(1), again(1);
  const std::vector<Example> drawn = draw(50, rng);
  Size of_each[3] = {0, 0, 0};
  for (const Example& example : drawn) {
    const std::string word = example.source[0];
    ++of_each[word == "a" ? 0 : word == "c" ? 1 : 2];
  }
  for (const Size n : of_each) CHECK(n > 5);
  const std::vector<Example> same = draw(50, again);
  for (std::size_t i = 0; i < drawn.size(); ++i) CHECK(drawn[i].source == same[i].source);
}
