#include "tutorials/lesson/predict.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/tutorials/lesson/support.hpp"

using namespace attend::lesson;
using lesson_test::thrown;

namespace {

const std::vector<Riddle> riddles = {{"How many?", 12, {{7, "you added."}}},
                                     {"How much?", 0.5135, {{0.2222, "no exp."}}, 0.01}};

Mistake mistake_of(const std::vector<double>& numbers) {
  Steps steps;
  try {
    check_predictions(riddles, {"yours", numbers}, steps);
  } catch (const Mistake& mistake) {
    return mistake;
  }
  return Mistake("none", "none");
}

}  // namespace

TEST_CASE("right predictions pass, a rounded one within its tolerance too") {
  Steps steps;
  check_predictions(riddles, {"yours", {12, 0.51}}, steps);
  CHECK(steps.all() == std::vector<std::string>{"1. How many? 12", "2. How much? 0.5135"});
}

TEST_CASE("a number that a usual mistake gives is told that mistake, without the right number") {
  const Mistake mistake = mistake_of({7, NAN});
  CHECK(mistake.likely_bug() == "you added.");
  CHECK(mistake.seen() == "1. How many?\nyours: 7");
  CHECK(mistake_of({12, 0.2222}).likely_bug() == "no exp.");
}

TEST_CASE("another wrong number is told its direction, and a missing one that it is missing") {
  CHECK(mistake_of({13, 0.5}).likely_bug().find("too large") == 0);
  CHECK(mistake_of({12, 0.3}).likely_bug().find("too small") == 0);
  CHECK(mistake_of({NAN, 0.3}).likely_bug().find("not predicted yet") != std::string::npos);
  CHECK(mistake_of({12}).seen() == "There are 2 questions and 1 predictions.");
}
