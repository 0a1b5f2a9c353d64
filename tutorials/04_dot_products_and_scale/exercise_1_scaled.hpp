// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "nn/attention/attended.hpp"

namespace attend::chapter04 {

/// query [B, Tq, d], key [B, Tk, d], value [B, Tk, Dv]
struct ScaledInputs {
  Var query, key, value;
};

/// An answer: scaled dot-product attention. `bug` is what the check must name in one of the listed wrong answers.
struct ScaledAnswer {
  std::string name;
  Attended (*attention)(const ScaledInputs&);
  std::string bug = "";
};

std::vector<ScaledAnswer> scaled_answers();

}  // namespace attend::chapter04
