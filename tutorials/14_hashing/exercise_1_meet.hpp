// What exercise 1 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "tensor/kernels.hpp"

namespace attend::chapter14 {

/// Who meets whom in a round: sees[i][j] says whether query i sees key j.
using Sees = std::vector<std::vector<bool>>;

/// An answer: one round of hashing the queries [T, d] by a rotation [d, buckets / 2], cut into chunks. `bug` is what
/// the check must name in one of the listed wrong answers.
struct MeetAnswer {
  std::string name;
  Sees (*meet)(const Tensor& queries, const Tensor& rotation, Size chunk);
  std::string bug = "";
};

std::vector<MeetAnswer> meet_answers();

}  // namespace attend::chapter14
