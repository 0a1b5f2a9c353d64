#pragma once

#include <limits>
#include <string>
#include <vector>

#include "tutorials/lesson/exercise.hpp"

/// Exercises in which numbers are predicted before they are seen.

namespace attend::lesson {

/// A number that comes of a usual mistake in thinking, and which mistake that is.
struct Misled {
  double number;
  std::string mistake;
};

/// What is asked; the number that the library gives; and those that usual mistakes give. A prediction is right when it
/// is within `tolerance` of the right number, in parts of it: 0.01 is one percent.
struct Riddle {
  std::string question;
  double right;
  std::vector<Misled> misled;
  double tolerance = 1e-9;
};

/// A prediction that is not made yet.
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A reader's predictions, in the order of the riddles. `bug` is what the check must name in one of the listed wrong
/// answers.
struct Predicted {
  std::string name;
  std::vector<double> numbers;
  std::string bug = "";
};

/// What exercise_K_predict.cpp, solution_K_predict.cpp and wrong_K_predict.cpp of a chapter define, of which one is
/// linked with a check.
std::vector<Predicted> predictions();

/// Compares the predictions with what the library gives. Throws Mistake at the first that is not right: it shows the
/// prediction and not the right number.
void check_predictions(const std::vector<Riddle>& riddles, const Predicted& predicted, Steps& steps);

/// The whole of such a check's main(), as `check_exercise`.
int check_predictions(int argc, char** argv, const std::string& file, const std::vector<Predicted>& predicted,
                      const std::vector<Riddle>& riddles);

}  // namespace attend::lesson
