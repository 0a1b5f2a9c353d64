// What exercise 2 asks for, and what its check runs.
#pragma once
#include <string>
#include <vector>

#include "nn/attention/attended.hpp"

namespace attend::chapter10 {

/// x [B, C, H, W]; W_q and W_k [C, D], W_v [C, V]
struct PixelInputs {
  Var x, W_q, W_k, W_v;
};

/// An answer: attention between the pixels of an image. `bug` is what the check must name in one of the listed wrong
/// answers.
struct PixelAnswer {
  std::string name;
  Attended (*attention)(const PixelInputs&);
  std::string bug = "";
};

std::vector<PixelAnswer> pixel_answers();

}  // namespace attend::chapter10
