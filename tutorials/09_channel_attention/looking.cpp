#include "tutorials/09_channel_attention/looking.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tensor/kernels.hpp"
#include "tutorials/lesson/difference.hpp"

namespace attend::chapter09 {

using lesson::share_equal;

namespace {

// Rows of gates [N, C] where `which` [N] is true: their mean.
std::vector<double> mean_where(const Tensor& gates, const Tensor& which) {
  const Tensor weight = kernel::cast(which, gates.dtype());
  const Tensor sums = kernel::sum(kernel::mul(gates, unsqueeze(weight, 1)), {0}, false);
  const double n = kernel::sum(weight, {0}, false).item();
  return kernel::affine(sums, 1 / n, 0).to_vector();
}

Tensor named(const Var& logits) { return argmax(logits, -1); }

}  // namespace

Size positions_reached(const Network& network, const CuedDigits& pairs) {
  const Var as_is = network.maps(Var(pairs.pixels), Mode::evaluation);
  const Var other = network.maps(Var(turned(pairs).pixels), Mode::evaluation);
  Size reached = 0;
  for (double moved : max(abs(as_is - other), {0, 1}).value().to_vector()) reached += moved > 0;
  return reached;
}

std::vector<MeanGates> mean_gates(const Network& network, const CuedDigits& pairs) {
  std::vector<MeanGates> means;
  const Tensor minus = kernel::logical_not(pairs.plus);
  for (const Var& gates : network.gates(Var(pairs.pixels))) {
    means.push_back({mean_where(gates.value(), pairs.plus), mean_where(gates.value(), minus)});
  }
  return means;
}

double largest_gap(const MeanGates& gates) {
  double gap = 0;
  for (std::size_t c = 0; c < gates.plus.size(); ++c) gap = std::max(gap, std::fabs(gates.plus[c] - gates.minus[c]));
  return gap;
}

std::vector<std::size_t> by_difference(const MeanGates& gates) {
  std::vector<std::size_t> order(gates.plus.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return gates.plus[a] - gates.minus[a] > gates.plus[b] - gates.minus[b];
  });
  return order;
}

std::vector<double> share_on_first_digit(const Network& network) {
  const Var kernels = network.blocks.at(0).conv.weight;  // [channels, 3, 3, 3]
  const Var squares = sum(kernels * kernels, {2, 3});    // [channels, 3]
  return (select(squares, 1, 0) / sum(slice(squares, 1, 0, 2), {1})).value().to_vector();
}

lesson::HeatMap heat_map(const MeanGates& gates, const std::string& title) {
  const std::vector<std::size_t> order = by_difference(gates);
  std::vector<double> rows;
  std::vector<std::string> labels;
  for (std::size_t c : order) rows.push_back(gates.plus[c]);
  for (std::size_t c : order) rows.push_back(gates.minus[c]);
  for (std::size_t c : order) labels.push_back(std::to_string(c));
  return {lesson::Matrix(2, static_cast<Size>(order.size()), rows), {"cue +", "cue −"}, labels, title};
}

Exchanged exchange_gates(const Network& network, const CuedDigits& pairs) {
  const Var x(pairs.pixels);
  const Vars own = network.gates(x), twins = network.gates(Var(turned(pairs).pixels));
  Vars means;
  for (const Var& gates : own) means.push_back(broadcast_to(mean(gates, {0}, true), gates.shape()));
  const Tensor with_twins = named(network.with_gates(x, twins));
  return {share_equal(named(network.with_gates(x, own)), pairs.meant), share_equal(with_twins, pairs.other),
          share_equal(with_twins, pairs.meant), share_equal(named(network.with_gates(x, means)), pairs.meant)};
}

lesson::Range gate_sums(const Var& gates) {
  const std::vector<double> sums = sum(gates, {1}).value().to_vector();
  const auto [least, most] = std::minmax_element(sums.begin(), sums.end());
  return {*least, *most};
}

}  // namespace attend::chapter09
