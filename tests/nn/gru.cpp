#include "nn/gru.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layers.hpp"
#include "tests/support/special.hpp"

using namespace attend;
using namespace attend::test;

namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

GRU exact(Size input, Size hidden, std::uint64_t seed = 1) {
  Rng rng(seed);
  return cast(GRU(input, hidden, rng), DType::float64);
}

// PyTorch's GRU cell in plain loops, for one row.
std::vector<double> cell_by_hand(const GRUCell& cell, const std::vector<double>& x, const std::vector<double>& h) {
  const std::size_t hidden = h.size();
  const auto from_x = [&](std::size_t column) {
    double sum = cell.input_bias.value().at({static_cast<Size>(column)});
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += x[i] * cell.input_weight.value().at({static_cast<Size>(i), static_cast<Size>(column)});
    }
    return sum;
  };
  const auto from_h = [&](std::size_t column) {
    double sum = cell.hidden_bias.value().at({static_cast<Size>(column)});
    for (std::size_t i = 0; i < hidden; ++i) {
      sum += h[i] * cell.hidden_weight.value().at({static_cast<Size>(i), static_cast<Size>(column)});
    }
    return sum;
  };
  std::vector<double> next;
  for (std::size_t j = 0; j < hidden; ++j) {
    const double r = logistic(from_x(j) + from_h(j));
    const double z = logistic(from_x(hidden + j) + from_h(hidden + j));
    const double n = std::tanh(from_x(2 * hidden + j) + r * from_h(2 * hidden + j));
    next.push_back((1 - z) * n + z * h[j]);
  }
  return next;
}

// Element t of every sequence of x [B, T, D].
Var step(const Var& x, Size t) { return select(x, 1, t); }

}  // namespace

TEST_CASE("a GRU cell agrees with PyTorch's formula in plain loops") {
  const GRUCell cell = exact(3, 4).cell;
  const Tensor x = random({2, 3}, DType::float64, 2), h = random({2, 4}, DType::float64, 3);
  const std::vector<double> xs = x.to_vector(), hs = h.to_vector();
  std::vector<double> expected;
  for (std::ptrdiff_t row = 0; row < 2; ++row) {
    const std::vector<double> next = cell_by_hand(cell, {xs.begin() + 3 * row, xs.begin() + 3 * row + 3},
                                                  {hs.begin() + 4 * row, hs.begin() + 4 * row + 4});
    expected.insert(expected.end(), next.begin(), next.end());
  }
  check_close(cell(Var(x), Var(h)), {2, 4}, expected, 1e-14);
}

TEST_CASE("an update gate of 1 keeps the state of a GRU, and a gate of 0 replaces it") {
  GRUCell cell = exact(1, 1).cell;
  const auto with_update_bias = [&](double b) {
    cell.input_weight = Var(numbers({0, 0, 0}, {1, 3}));
    cell.hidden_weight = Var(numbers({0, 0, 0}, {1, 3}));
    cell.input_bias = Var(numbers({0, b, 0.5}, {3}));
    cell.hidden_bias = Var(numbers({0, 0, 0}, {3}));
    return cell(Var(numbers({3}, {1, 1})), Var(numbers({0.25}, {1, 1}))).item();
  };
  check_close(with_update_bias(1000), 0.25, 0);
  check_close(with_update_bias(-1000), std::tanh(0.5), 1e-15);
}

TEST_CASE("the reset gate of a GRU comes after the product with the state, its bias included") {
  GRUCell cell = exact(1, 1).cell;
  cell.input_weight = Var(numbers({0, 0, 0}, {1, 3}));
  cell.hidden_weight = Var(numbers({0, 0, 2}, {1, 3}));
  cell.input_bias = Var(numbers({0, -1000, 0}, {3}));  // r = 1/2, z = 0
  cell.hidden_bias = Var(numbers({0, 0, 1}, {3}));
  check_close(cell(Var(numbers({0}, {1, 1})), Var(numbers({0.25}, {1, 1}))).item(), std::tanh(0.5 * (2 * 0.25 + 1)),
              1e-15);
}

TEST_CASE("a GRU is its cell, repeated") {
  const GRU gru = exact(3, 4);
  const Var x(random({2, 5, 3}, DType::float64, 2)), h0(random({2, 4}, DType::float64, 3));
  const Sequence sequence = gru(x, h0);
  Var h = h0;
  for (Size t = 0; t < 5; ++t) {
    h = gru.cell(step(x, t), h);
    check_agree(step(sequence.states, t), h, 1e-14);
  }
  check_agree(sequence.last, h, 1e-14);
  CHECK(sequence.states.shape() == Shape{2, 5, 4});
}

TEST_CASE("a GRU begins with zeros when it is given no state") {
  const GRU gru = exact(3, 4);
  const Var x(random({2, 5, 3}));
  check_agree(gru(x).states, gru(x, Var(Tensor::zeros({2, 4}, DType::float64))).states, 0);
}

TEST_CASE("a GRU that reads backward is one that reads the reversed sequence forward") {
  const GRU gru = exact(3, 4);
  const Var x(random({2, 5, 3}, DType::float64, 2)), h0(random({2, 4}, DType::float64, 3));
  const Sequence backward = gru(x, h0, {}, Direction::backward), reversed = gru(flip(x, {1}), h0);
  check_agree(backward.states, flip(reversed.states, {1}), 1e-14);
  check_agree(backward.last, reversed.last, 1e-14);
  check_agree(backward.last, step(backward.states, 0), 0);
}

TEST_CASE("with lengths, a GRU reads each sequence as if it stood alone, in either direction") {
  const GRU gru = exact(3, 4);
  const Tensor x = random({3, 5, 3}, DType::float64, 2), h0 = random({3, 4}, DType::float64, 3);
  const std::vector<Size> lengths = {2, 5, 0};
  for (Direction direction : {Direction::forward, Direction::backward}) {
    const Sequence batch = gru(Var(x), Var(h0), lengths, direction);
    for (Size b = 0; b < 2; ++b) {
      const Size length = lengths[static_cast<std::size_t>(b)];
      const Var own_x = slice(slice(Var(x), 0, b, 1), 1, 0, length), own_h = slice(Var(h0), 0, b, 1);
      const Sequence alone = gru(own_x, own_h, {}, direction);
      check_agree(slice(batch.last, 0, b, 1), alone.last, 1e-14);
      check_agree(slice(slice(batch.states, 0, b, 1), 1, 0, length), alone.states, 1e-14);
    }
    check_agree(slice(batch.last, 0, 2, 1), slice(Var(h0), 0, 2, 1), 0);  // of an empty sequence
  }
}

TEST_CASE("what stands in the padding of a GRU, NaN included, reaches neither states nor derivatives") {
  const GRU gru = exact(3, 4);
  std::vector<double> clean = random({2, 5, 3}).to_vector(), dirty = clean;
  for (std::size_t i = 2 * 3; i < 5 * 3; ++i)
    dirty[i] = i % 2 == 0 ? not_a_number : 1e300;  // past length 2 of sequence 0
  for (Direction direction : {Direction::forward, Direction::backward}) {
    Vars results[2];
    for (int i = 0; i < 2; ++i) {
      const Var x = Var::parameter(numbers(i == 0 ? clean : dirty, {2, 5, 3}));
      const Sequence sequence = gru(x, {}, {2, 5}, direction);
      Vars leaves = parameters(gru);
      leaves.push_back(x);
      results[i] = random_gradients(sequence.states, leaves);
      results[i].push_back(sequence.states);
      results[i].push_back(sequence.last);
    }
    for (std::size_t i = 0; i < results[0].size(); ++i) CHECK(same_bits(results[0][i], results[1][i]));
    const Var& in_padding = results[1][4];  // the derivative of x
    check_close(slice(slice(in_padding, 0, 0, 1), 1, 2, 3), {1, 3, 3}, std::vector<double>(9, 0), 0);
  }
}

TEST_CASE("a GRU begins uniformly within 1/sqrt(hidden), and names its parameters") {
  Rng rng(9);
  const GRU gru(7, 16, rng);
  std::string names;
  for (const auto& [name, parameter] : named_parameters(gru)) {
    names += name + text(parameter.shape()) + " ";
    double largest = 0;
    for (double value : parameter.value().to_vector()) largest = std::max(largest, std::fabs(value));
    CHECK(largest <= 0.25);
    CHECK(largest > 0.2);
  }
  CHECK(names == "cell.input_weight[7, 48] cell.hidden_weight[16, 48] cell.input_bias[48] cell.hidden_bias[48] ");
  CHECK(parameter_count(gru) == 3 * (7 * 16 + 16 * 16 + 2 * 16));
}

TEST_CASE("a GRU refuses what does not fit, and names the shapes") {
  const GRU gru = exact(3, 4);
  const Var x(random({2, 5, 3})), h(random({2, 4}));
  check_throws_with([&] { gru(Var(random({2, 3}))); }, {"gru: ", "[2, 3]"});
  check_throws_with([&] { gru(Var(random({2, 5, 4}))); }, {"gru: ", "[2, 5, 4]", "[3, 12]"});
  check_throws_with([&] { gru(Var(random({2, 0, 3}))); }, {"gru: ", "[2, 0, 3]"});
  check_throws_with([&] { gru(x, Var(random({1, 4}))); }, {"gru: ", "[1, 4]", "[2, 12]"});  // would broadcast
  check_throws_with([&] { gru(x, Var(random({2, 3}))); }, {"gru: ", "[2, 3]"});
  check_throws_with([&] { gru(x, h, {5}); }, {"gru: ", "1 lengths", "2"});
  check_throws_with([&] { gru(x, h, {5, 6}); }, {"gru: ", "6", "5"});
  check_throws_with([&] { gru(x, h, {-1, 5}); }, {"gru: ", "-1", "5"});
  check_throws_with([&] { gru.cell(Var(random({2, 4})), h); }, {"gru: ", "[2, 4]", "[3, 12]"});
  check_throws_with([&] { gru.cell(Var(random({3, 3})), h); }, {"gru: ", "[3, 12]", "[2, 4]"});
}

TEST_CASE("a GRU of no inputs or no states is refused") {
  Rng rng(1);
  const Rng before = rng;
  check_throws_with([&] { GRU(3, 0, rng); }, {"gru: ", "input 3", "hidden 0"});
  check_throws_with([&] { GRUCell(0, 3, rng); }, {"gru: ", "input 0", "hidden 3"});
  check_throws_with([&] { GRU(3, -1, rng); }, {"gru: ", "hidden -1"});
  CHECK(rng == before);
}
