// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "nn/attention/attended.hpp"

namespace attend::chapter07 {

/// query, key, value [B, T, d], of even d; cosine, sine [T, d/2] of p · 10000^(−2i / d) for position p and pair i.
struct RotaryInputs {
  Var query, key, value, cosine, sine;
};

/// An answer: attention with rotary positions. `bug` is what the check must name in one of the listed wrong answers.
struct RotaryAnswer {
  std::string name;
  Attended (*attention)(const RotaryInputs&);
  std::string bug = "";
};

std::vector<RotaryAnswer> rotary_answers();

}  // namespace attend::chapter07
