#include "tutorials/lesson/predict.hpp"

#include <algorithm>
#include <cmath>

#include "tutorials/lesson/format.hpp"

namespace attend::lesson {
namespace {

bool near(double number, double wanted, double tolerance) {
  return std::fabs(number - wanted) <= tolerance * std::fabs(wanted);
}

std::string mistake_of(const Riddle& riddle, double number) {
  if (std::isnan(number)) return "it is not predicted yet: a number takes the place of `unknown`.";
  for (const Misled& misled : riddle.misled) {
    if (near(number, misled.number, riddle.tolerance)) return misled.mistake;
  }
  return number < riddle.right ? "too small. Write down which numbers there are, axis by axis or step by step."
                               : "too large. Write down which numbers there are, axis by axis or step by step.";
}

}  // namespace

void check_predictions(const std::vector<Riddle>& riddles, const Predicted& predicted, Steps& steps) {
  if (predicted.numbers.size() != riddles.size()) {
    throw Mistake(fill("There are {} questions and {} predictions.",
                       {std::to_string(riddles.size()), std::to_string(predicted.numbers.size())}),
                  "one number for each question, in their order; `unknown` for one that you leave open.");
  }
  for (std::size_t i = 0; i < riddles.size(); ++i) {
    const Riddle& riddle = riddles[i];
    const double number = predicted.numbers[i];
    if (!near(number, riddle.right, riddle.tolerance)) {
      const std::string yours = std::isnan(number) ? "none yet" : significant(number, 6);
      throw Mistake(fill("{}. {}\nyours: {}", {std::to_string(i + 1), riddle.question, yours}),
                    mistake_of(riddle, number));
    }
    steps.passed(fill("{}. {} {}", {std::to_string(i + 1), riddle.question, significant(riddle.right, 6)}));
  }
}

int check_predictions(int argc, char** argv, const std::string& file, const std::vector<Predicted>& predicted,
                      const std::vector<Riddle>& riddles) {
  std::vector<Attempt> attempts;
  for (const Predicted& one : predicted) {
    attempts.push_back({one.name, one.bug, [&](Steps& steps) { check_predictions(riddles, one, steps); }});
  }
  return check_exercise(argc, argv, file, attempts);
}

}  // namespace attend::lesson
