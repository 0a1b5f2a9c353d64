#include "tutorials/13_low_rank_and_kernels/forms.hpp"

#include <cmath>

#include "nn/attention/linear_attention.hpp"

namespace attend::chapter13 {

std::vector<Form> forms() {
  using V = const Var&;
  return {{"pair by pair", true, [](V fq, V fk, V v) { return sums_by_pairs(fq, fk, v); }},
          {"from the right", false, sums_of_all},
          {"causal, pair by pair", true, [](V fq, V fk, V v) { return sums_by_pairs(fq, fk, v, true); }},
          {"causal, running sums", false, sums_cumulative},
          {"causal, chunks of 32", false, [](V fq, V fk, V v) { return sums_by_chunks(fq, fk, v, 32); }},
          {"causal, step by step", false, step_by_step}};
}

Var step_by_step(const Var& fq, const Var& fk, const Var& v) {
  RunningSums state;
  Vars contexts;
  for (Size t = 0; t < v.shape()[2]; ++t) {
    const auto at = [t](const Var& x) { return slice(x, 2, t, 1); };
    contexts.push_back(sums_step("step by step", at(fq), at(fk), at(v), state));
  }
  return concat(contexts, 2);
}

OnPaper on_paper() {
  const auto features = [](const std::vector<double>& x) {
    return elu_features(Tensor::from(x, {1, 1, 3, 2}, DType::float64));
  };
  const double half = -std::log(2.0);  // φ of it is 1/2
  const Var fq = features({0, 0, 0, 1, 1, 0}), fk = features({0, 1, 1, 0, half, 0});
  const Var v = Tensor::from({10, 20, 40}, {1, 1, 3, 1}, DType::float64);
  const auto rows = [](const Var& x) { return reshape(x, {3, x.shape()[3]}).value(); };
  OnPaper example{rows(fq), rows(fk), rows(v), {}};
  RunningSums state;
  for (Size t = 0; t < 3; ++t) {
    const auto at = [t](const Var& x) { return slice(x, 2, t, 1); };
    const double context = sums_step("on paper", at(fq), at(fk), at(v), state).item();
    const auto column = [&](Size c) { return reshape(slice(state.sums, 3, c, 1), {2}).value(); };
    example.steps.push_back({column(0), column(1), context});
  }
  return example;
}

}  // namespace attend::chapter13
