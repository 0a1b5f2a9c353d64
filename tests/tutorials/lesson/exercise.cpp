#include "tutorials/lesson/exercise.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "nn/optimizer.hpp"
#include "tests/tutorials/lesson/support.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

Attempt right() {
  return {"right", "", [](Steps& steps) { steps.passed("shape"); }};
}
Attempt wrong(const std::string& name, const std::string& bug, const std::string& expected) {
  return {name, expected, [bug](Steps& steps) {
            steps.passed("shape");
            throw Mistake("It gives 7, expected 1.", bug);
          }};
}

int check(const std::vector<Attempt>& attempts, bool with_wrong, Paper& paper) {
  char program[] = "check", flag[] = "--wrong";
  char* arguments[] = {program, flag};
  return check_exercise(with_wrong ? 2 : 1, arguments, "exercise_1.cpp", attempts, paper.screen);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a right answer passes, with the steps it took") {
  Paper paper;
  CHECK(check({right()}, false, paper) == 0);
  CHECK(contains(paper.str(), "✓ shape\n"));
  CHECK(contains(paper.str(), "Solved."));
}

TEST_CASE("a step longer than the screen is wide goes on in the next line, indented") {
  Paper paper;
  const std::string words = "eighteen letters. eighteen letters. eighteen letters. eighteen letters. eighteen letters.";
  CHECK(check({{"yours", "", [&](Steps& steps) { steps.passed(words); }}}, false, paper) == 0);
  CHECK(contains(paper.str(),
                 "✓ eighteen letters. eighteen letters. eighteen letters. eighteen letters.\n  eighteen letters.\n"));
}

TEST_CASE("a wrong answer fails with what was seen, the likely bug and the file to edit") {
  Paper paper;
  CHECK(check({wrong("yours", "the factor is missing.", "")}, false, paper) == 1);
  CHECK(contains(paper.str(), "It gives 7, expected 1."));
  CHECK(contains(paper.str(), "The likely bug: the factor is missing."));
  CHECK(contains(paper.str(), "exercise_1.cpp"));
}

TEST_CASE("an exception in an answer is a mistake, not the end of the check") {
  Paper paper;
  const Attempt throws{"yours", "", [](Steps&) { throw std::invalid_argument("matmul: inner sizes differ"); }};
  CHECK(check({throws}, false, paper) == 1);
  CHECK(contains(paper.str(), "matmul: inner sizes differ"));
}

TEST_CASE("listed wrong answers are good when each is found with its own message") {
  Paper paper;
  CHECK(check({wrong("a", "bug a", "bug a"), wrong("b", "bug b", "bug b")}, true, paper) == 0);
}

TEST_CASE("a listed wrong answer that passes, has another message or shares one is reported") {
  for (const std::vector<Attempt>& bad : {std::vector<Attempt>{right()},
                                          {wrong("a", "bug a", "bug b")},
                                          {wrong("a", "bug a", "")},
                                          {wrong("a", "bug a", "bug a"), wrong("b", "bug a", "bug a")},
                                          {}}) {
    Paper paper;
    CHECK(check(bad, true, paper) == 1);
  }
}

TEST_CASE("what an answer gave is shown by its shape and its numbers, and may be nothing") {
  using namespace attend;
  CHECK(shape_of(Var(Tensor::zeros({2, 3}))) == "[2, 3]");
  CHECK(shape_of(Var()) == "nothing");
  CHECK(listed(Tensor::from({0.5, -1.25}, {1, 2})) == "0.5000, -1.2500");
  CHECK(listed(Tensor::zeros({0})) == "");
}

TEST_CASE("both results of an attention are shown, and one may be missing") {
  using namespace attend;
  const Attended given{Var(Tensor::zeros({2, 5})), Var()};
  CHECK(shape_of(given) == "weights nothing, context [2, 5]");
}

TEST_CASE("the likely bug is what the look at the answer finds, and else what is wrong with any answer") {
  using namespace attend;
  const Var learned = Var::parameter(Tensor::ones({2}));
  const auto look = [](const Var& given) { return std::string(given.size() == 3 ? "three are wrong." : ""); };
  const auto bug_of = [&](const Var& given) { return likely_bug_of([&] { return given; }, look, "Count."); };
  CHECK(bug_of(Var(Tensor::ones({3}))) == "three are wrong.");
  CHECK(bug_of(learned) == "none of the usual ones. Count.");
  CHECK(contains(bug_of(detach(learned)), "cuts the history"));
  CHECK(contains(bug_of(Var()), "the hole is not filled"));
  const auto throws = [&]() -> Var { throw std::invalid_argument("matmul: no"); };
  CHECK(likely_bug_of(throws, look) == "an op does not like its arguments: matmul: no");
}

TEST_CASE("an attention is filled when both results are there, and its weights are what has a history") {
  using namespace attend;
  const Var learned = Var::parameter(Tensor::ones({2})), constant(Tensor::ones({2}));
  CHECK_FALSE(is_filled(Attended{learned, Var()}));
  CHECK_FALSE(is_filled(Attended{Var(), learned}));
  CHECK(is_filled(Attended{constant, constant}));
  CHECK_FALSE(has_history(Attended{learned, constant}));
  CHECK(has_history(Attended{constant, learned}));
}

TEST_CASE("expected shapes are a step that is passed; others, and an exception, are a mistake with its diagnosis") {
  const auto bug = [] { return std::string("the bug."); };
  const auto mistake = [&](const std::function<std::string()>& found) {
    Steps steps;
    try {
      expect_shapes(steps, "x [3]", "[2]", found, bug);
    } catch (const Mistake& mistake) {
      CHECK(steps.all().empty());
      return mistake.seen() + " / " + mistake.likely_bug();
    }
    return steps.all().at(0);
  };
  CHECK(mistake([] { return std::string("[2]"); }) == "shapes: [2]");
  CHECK(mistake([] { return std::string("nothing"); }) == "Of x [3]\nexpected: [2]\nyours:    nothing / the bug.");
  CHECK(mistake([]() -> std::string { throw std::invalid_argument("add: no"); }) ==
        "Of x [3]\nexpected: [2]\nyours:    an exception, add: no / the bug.");
}

TEST_CASE("right gradients are a step, and wrong ones a mistake with the report") {
  using namespace attend;
  const auto bug = [] { return std::string("the bug."); };
  const std::vector<Tensor> inputs = {Tensor::from({0.5, -1.5}, {2}, DType::float64)};
  Steps steps;
  expect_gradients(
      steps, "tanh", [](const Vars& x) { return tanh(x[0]); }, inputs, bug);
  REQUIRE(steps.all().size() == 1);
  CHECK(contains(steps.all()[0], "gradients to second order, of every input: error "));
  const auto halved = [](const Vars& x) { return tanh(x[0]) + detach(tanh(x[0])); };
  const std::string text = thrown<Mistake>([&] { expect_gradients(steps, "halved", halved, inputs, bug); });
  CHECK(contains(text, "their gradients are not:\nhalved: WRONG"));
}

TEST_CASE("a training passes when its loss has fallen far enough, and NaN has not") {
  using namespace attend;
  const auto bug = [] { return std::string("the bug."); };
  struct Number {
    Var x = Var::parameter(Tensor::ones({}, DType::float64));
    void parameters(const Visit& visit) { visit("x", x); }
  };
  Steps steps;
  Number falling, still;
  expect_training(
      steps, falling, SGD(0.25), 10, [&] { return falling.x * falling.x; }, 0.1, "x learns to be 0", bug);
  CHECK(steps.all() == std::vector<std::string>{"a short training: x learns to be 0"});
  const std::string text = thrown<Mistake>([&] {
    expect_training(
        steps, still, SGD(0.0), 10, [&] { return still.x * still.x; }, 0.1, "nothing", bug);
  });
  CHECK(text == "In 10 steps the loss goes from 1.000 to 1.000.");
  CHECK_THROWS_AS(expect_fallen(steps, 1, 1, NAN, 0.5, "nothing", bug), Mistake);
}
