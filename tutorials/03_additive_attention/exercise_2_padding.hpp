// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "nn/attention/attended.hpp"

namespace attend::chapter03 {

/// An answer: attention over texts of different lengths. scores [B, Tq, Tk], value [B, Tk, Dv], lengths of the B texts.
/// `bug` is what the check must name in one of the listed wrong answers.
struct PaddingAnswer {
  std::string name;
  Attended (*attention)(const Var& scores, const Var& value, const std::vector<Size>& lengths);
  std::string bug = "";
};

std::vector<PaddingAnswer> padding_answers();

}  // namespace attend::chapter03
