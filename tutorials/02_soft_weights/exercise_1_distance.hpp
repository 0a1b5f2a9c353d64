// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "nn/attention/attended.hpp"

namespace attend::chapter02 {

/// query [n, d], key [m, d], value [m, dv]
struct DistanceInputs {
  Var query, key, value;
  double width;
};

/// An answer: attention by distance. `bug` is what the check must name in one of the listed wrong answers.
struct DistanceAnswer {
  std::string name;
  Attended (*attention)(const DistanceInputs&);
  std::string bug = "";
};

std::vector<DistanceAnswer> distance_answers();

}  // namespace attend::chapter02
