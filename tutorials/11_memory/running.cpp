#include "tutorials/11_memory/running.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attend::chapter11 {

Running nothing_yet(Size Tq, Size Dv, DType dtype) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {Tensor::full({Tq, 1}, -infinity, dtype), Tensor::zeros({Tq, 1}, dtype), Tensor::zeros({Tq, Dv}, dtype)};
}

Running with_block(const Running& so_far, const Var& scores, const Var& values, Rescale rescale) {
  const Var highest = maximum(so_far.highest, max(scores, {-1}, true));  // [Tq, 1]
  const Var shares = exp(scores - highest);                              // [Tq, n]
  Var factor = exp(so_far.highest - highest);                            // [Tq, 1], at most 1; 0 before the first block
  if (rescale == Rescale::forgotten) factor = Tensor::ones(factor.shape(), factor.dtype());
  return {highest, factor * so_far.normaliser + sum(shares, {-1}, true), factor * so_far.sum + matmul(shares, values)};
}

Var context(const Running& all) { return all.sum / all.normaliser; }

Var running_attention(const Var& q, const Var& k, const Var& v, Size block, Rescale rescale) {
  const auto [Tq, d] = dims<2>(q);
  const auto [Tk, Dv] = dims<2>(v);
  const Var scaled = q / std::sqrt(static_cast<double>(d));
  Running running = nothing_yet(Tq, Dv, q.dtype());
  for (Size first = 0; first < Tk; first += block) {
    const Size n = std::min(block, Tk - first);
    const Var scores = matmul(scaled, transpose(slice(k, 0, first, n)));  // [Tq, n]
    running = with_block(running, scores, slice(v, 0, first, n), rescale);
  }
  return context(running);
}

std::vector<PaperStep> on_paper(double shift, Rescale rescale) {
  const std::vector<std::pair<std::vector<double>, std::vector<double>>> blocks = {
      {{1, 3}, {10, 20}}, {{5, 2}, {30, 40}}, {{4, 0}, {50, 60}}};
  std::vector<PaperStep> steps;
  Running running = nothing_yet(1, 1, DType::float64);
  for (const auto& [scores, values] : blocks) {
    std::vector<double> shifted = scores;
    for (double& score : shifted) score += shift;
    const double before = running.highest.item();
    running = with_block(running, Tensor::from(shifted, {1, 2}, DType::float64),
                         Tensor::from(values, {2, 1}, DType::float64), rescale);
    const double highest = running.highest.item();
    const double factor = rescale == Rescale::yes ? std::exp(before - highest) : 1;
    steps.push_back({shifted, values, factor, highest, running.normaliser.item(), running.sum.item()});
  }
  return steps;
}

}  // namespace attend::chapter11
