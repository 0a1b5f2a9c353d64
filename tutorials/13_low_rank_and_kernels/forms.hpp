#pragma once
#include <string>
#include <vector>

#include "nn/attention/feature_sums.hpp"

/// Linear attention in all its forms: the same weights, formed or never formed.

namespace attend::chapter13 {

/// φ(q) [B, H, T, m], φ(k) [B, H, T, m], v [B, H, T, dv] -> context [B, H, T, dv].
struct Form {
  std::string name;
  bool definition;  // of itself and of those after it
  Var (*run)(const Var& fq, const Var& fk, const Var& v);
};

/// pair by pair, from the right; causal: pair by pair, running sums, chunks of 32, step by step.
std::vector<Form> forms();

/// One position after the other, with nothing but the sums so far.
Var step_by_step(const Var& fq, const Var& fk, const Var& v);

/// The example on paper: three positions, keys of two features.
struct OnPaper {
  Tensor features_q, features_k, values;  // [3, 2], [3, 2], [3, 1]
  struct Step {
    Tensor sums, normaliser;  // [2] each, after this position
    double context;
  };
  std::vector<Step> steps;
};
OnPaper on_paper();

}  // namespace attend::chapter13
