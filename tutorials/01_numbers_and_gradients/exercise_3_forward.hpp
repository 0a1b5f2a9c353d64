// What exercise 3 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "tutorials/01_numbers_and_gradients/tape.hpp"

namespace attend::chapter_01 {

/// An answer: a function that finds the slope of every number of a tape along x. `bug` is what the check must name in one
/// of the listed wrong answers.
struct ForwardAnswer {
  std::string name;
  std::vector<double> (*slopes_along)(const Tape& tape, Size x);
  std::string bug = "";
};

std::vector<ForwardAnswer> forward_answers();

}  // namespace attend::chapter_01
