#include "nn/lstm.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layers.hpp"
#include "tests/support/special.hpp"

using namespace attend;
using namespace attend::test;

namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

LSTM exact(Size input, Size hidden, std::uint64_t seed = 1) {
  Rng rng(seed);
  return cast(LSTM(input, hidden, rng), DType::float64);
}

// PyTorch's LSTM cell in plain loops, for one row: what it shows, then what it remembers.
std::vector<double> cell_by_hand(const LSTMCell& cell, const std::vector<double>& x, const std::vector<double>& h,
                                 const std::vector<double>& c) {
  const std::size_t hidden = h.size();
  const auto before_gate = [&](std::size_t column) {
    const auto at = static_cast<Size>(column);
    double sum = cell.bias.value().at({at});
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * cell.input_weight.value().at({static_cast<Size>(i), at});
    for (std::size_t i = 0; i < hidden; ++i) sum += h[i] * cell.hidden_weight.value().at({static_cast<Size>(i), at});
    return sum;
  };
  std::vector<double> shown, remembered;
  for (std::size_t j = 0; j < hidden; ++j) {
    const double i = logistic(before_gate(j)), f = logistic(before_gate(hidden + j));
    const double g = std::tanh(before_gate(2 * hidden + j)), o = logistic(before_gate(3 * hidden + j));
    remembered.push_back(f * c[j] + i * g);
    shown.push_back(o * std::tanh(remembered.back()));
  }
  shown.insert(shown.end(), remembered.begin(), remembered.end());
  return shown;
}

LSTMState state_of(Size rows, Size hidden) {
  return {Var(random({rows, hidden}, DType::float64, 3)), Var(random({rows, hidden}, DType::float64, 4))};
}

}  // namespace

TEST_CASE("an LSTM cell agrees with PyTorch's formula in plain loops") {
  const LSTMCell cell = exact(3, 4).cell;
  const Tensor x = random({2, 3}, DType::float64, 2);
  const LSTMState state = state_of(2, 4), next = cell(Var(x), state);
  const std::vector<double> xs = x.to_vector(), hs = state.h.value().to_vector(), cs = state.c.value().to_vector();
  for (std::ptrdiff_t row = 0; row < 2; ++row) {
    const auto part = [row](const std::vector<double>& all, std::ptrdiff_t size) {
      return std::vector<double>(all.begin() + row * size, all.begin() + (row + 1) * size);
    };
    const std::vector<double> expected = cell_by_hand(cell, part(xs, 3), part(hs, 4), part(cs, 4));
    check_close(concat({select(next.h, 0, row), select(next.c, 0, row)}, 0), {8}, expected, 1e-14);
  }
}

TEST_CASE("the gates of an LSTM stand in the order input, forget, candidate, output") {
  LSTMCell cell = exact(1, 1).cell;
  cell.input_weight = Var(numbers({0, 0, 0, 0}, {1, 4}));
  cell.hidden_weight = Var(numbers({0, 0, 0, 0}, {1, 4}));
  const auto with_biases = [&](const std::vector<double>& biases) {
    cell.bias = Var(numbers(biases, {4}));
    return cell(Var(numbers({0}, {1, 1})), {Var(numbers({0.1}, {1, 1})), Var(numbers({0.25}, {1, 1}))});
  };
  check_close(with_biases({-1000, 1000, 3, 0}).c.item(), 0.25, 0);              // forget nothing, take nothing in
  check_close(with_biases({1000, -1000, 3, 0}).c.item(), std::tanh(3), 1e-15);  // forget all, take all in
  check_close(with_biases({1000, 1000, 3, -1000}).h.item(), 0, 0);              // show nothing
  check_close(with_biases({-1000, 1000, 3, 1000}).h.item(), std::tanh(0.25), 1e-15);
}

TEST_CASE("an LSTM is its cell, repeated") {
  const LSTM lstm = exact(3, 4);
  const Var x(random({2, 5, 3}, DType::float64, 2));
  const LSTMSequence sequence = lstm(x, state_of(2, 4));
  LSTMState state = state_of(2, 4);
  for (Size t = 0; t < 5; ++t) {
    state = lstm.cell(select(x, 1, t), state);
    check_agree(select(sequence.states, 1, t), state.h, 1e-14);
  }
  check_agree(sequence.last.h, state.h, 1e-14);
  check_agree(sequence.last.c, state.c, 1e-14);
}

TEST_CASE("an LSTM that goes on from its last states is one that read all at once") {
  const LSTM lstm = exact(3, 4);
  const Var x(random({2, 5, 3}, DType::float64, 2));
  const LSTMSequence whole = lstm(x), first = lstm(slice(x, 1, 0, 2)), rest = lstm(slice(x, 1, 2, 3), first.last);
  check_agree(rest.states, slice(whole.states, 1, 2, 3), 1e-14);
}

TEST_CASE("an LSTM begins with zeros where it is given no state") {
  const LSTM lstm = exact(3, 4);
  const Var x(random({2, 5, 3})), zero(Tensor::zeros({2, 4}, DType::float64));
  const LSTMState state = state_of(2, 4);
  check_agree(lstm(x).states, lstm(x, {zero, zero}).states, 0);
  check_agree(lstm(x, {state.h, {}}).states, lstm(x, {state.h, zero}).states, 0);
  check_agree(lstm(x, {{}, state.c}).states, lstm(x, {zero, state.c}).states, 0);
}

TEST_CASE("an LSTM that reads backward is one that reads the reversed sequence forward") {
  const LSTM lstm = exact(3, 4);
  const Var x(random({2, 5, 3}, DType::float64, 2));
  const LSTMSequence backward = lstm(x, state_of(2, 4), {}, Direction::backward),
                     reversed = lstm(flip(x, {1}), state_of(2, 4));
  check_agree(backward.states, flip(reversed.states, {1}), 1e-14);
  check_agree(backward.last.h, reversed.last.h, 1e-14);
  check_agree(backward.last.c, reversed.last.c, 1e-14);
}

TEST_CASE("with lengths, an LSTM reads each sequence as if it stood alone, in either direction") {
  const LSTM lstm = exact(3, 4);
  const Var x(random({3, 5, 3}, DType::float64, 2));
  const LSTMState begin = state_of(3, 4);
  const std::vector<Size> lengths = {2, 5, 0};
  for (Direction direction : {Direction::forward, Direction::backward}) {
    const LSTMSequence batch = lstm(x, begin, lengths, direction);
    for (Size b = 0; b < 2; ++b) {
      const Size length = lengths[static_cast<std::size_t>(b)];
      const LSTMState own = {slice(begin.h, 0, b, 1), slice(begin.c, 0, b, 1)};
      const LSTMSequence alone = lstm(slice(slice(x, 0, b, 1), 1, 0, length), own, {}, direction);
      check_agree(slice(batch.last.h, 0, b, 1), alone.last.h, 1e-14);
      check_agree(slice(batch.last.c, 0, b, 1), alone.last.c, 1e-14);
      check_agree(slice(slice(batch.states, 0, b, 1), 1, 0, length), alone.states, 1e-14);
    }
    check_agree(slice(batch.last.h, 0, 2, 1), slice(begin.h, 0, 2, 1), 0);  // of an empty sequence
  }
}

TEST_CASE("what stands in the padding of an LSTM, NaN included, reaches neither states nor derivatives") {
  const LSTM lstm = exact(3, 4);
  std::vector<double> clean = random({2, 5, 3}).to_vector(), dirty = clean;
  for (std::size_t i = 2 * 3; i < 5 * 3; ++i)
    dirty[i] = i % 2 == 0 ? not_a_number : 1e300;  // past length 2 of sequence 0
  for (Direction direction : {Direction::forward, Direction::backward}) {
    Vars results[2];
    for (int i = 0; i < 2; ++i) {
      const Var x = Var::parameter(numbers(i == 0 ? clean : dirty, {2, 5, 3}));
      const LSTMSequence sequence = lstm(x, {}, {2, 5}, direction);
      Vars leaves = parameters(lstm);
      leaves.push_back(x);
      results[i] = random_gradients(sequence.states, leaves);
      results[i].push_back(sequence.states);
      results[i].push_back(sequence.last.h);
      results[i].push_back(sequence.last.c);
    }
    for (std::size_t i = 0; i < results[0].size(); ++i) CHECK(same_bits(results[0][i], results[1][i]));
  }
}

TEST_CASE("an LSTM names its parameters") {
  Rng rng(9);
  const LSTM lstm(7, 16, rng);
  std::string names;
  for (const auto& [name, parameter] : named_parameters(lstm)) names += name + text(parameter.shape()) + " ";
  CHECK(names == "cell.input_weight[7, 64] cell.hidden_weight[16, 64] cell.bias[64] ");
}

TEST_CASE("an LSTM refuses what does not fit, and names the shapes") {
  const LSTM lstm = exact(3, 4);
  const Var x(random({2, 5, 3})), h(random({2, 4})), row(random({1, 4}));
  check_throws_with([&] { lstm(Var(random({2, 3}))); }, {"lstm: ", "[2, 3]"});
  check_throws_with([&] { lstm(Var(random({2, 5, 4}))); }, {"lstm: ", "[2, 5, 4]", "[3, 16]"});
  check_throws_with([&] { lstm(Var(random({2, 0, 3}))); }, {"lstm: ", "[2, 0, 3]"});
  check_throws_with([&] { lstm(x, {row, h}); }, {"lstm: ", "[1, 4]", "[2, 16]"});  // would broadcast
  check_throws_with([&] { lstm(x, {h, row}); }, {"lstm: ", "[1, 4]", "[2, 16]"});
  check_throws_with([&] { lstm(x, {h, h}, {5}); }, {"lstm: ", "1 lengths", "2"});
  check_throws_with([&] { lstm(x, {h, h}, {5, 6}); }, {"lstm: ", "6", "5"});
  check_throws_with([&] { lstm.cell(Var(random({2, 4})), {h, h}); }, {"lstm: ", "[2, 4]", "[3, 16]"});
  check_throws_with([&] { lstm.cell(Var(random({2, 3})), {h, {}}); }, {"lstm: "});
  check_throws_with([&] { lstm.cell.from_projected(Var(random({2, 3, 16})), {h, h}); }, {"lstm: ", "[2, 3, 16]"});
}

TEST_CASE("an LSTM of no inputs or no states is refused") {
  Rng rng(1);
  const Rng before = rng;
  check_throws_with([&] { LSTM(3, 0, rng); }, {"lstm: ", "input 3", "hidden 0"});
  check_throws_with([&] { LSTMCell(0, 3, rng); }, {"lstm: ", "input 0", "hidden 3"});
  check_throws_with([&] { LSTM(3, -1, rng); }, {"lstm: ", "hidden -1"});
  CHECK(rng == before);
}
