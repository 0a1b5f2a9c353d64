#include "nn/lstm.hpp"

#include <stdexcept>

namespace attend {

LSTMCell::LSTMCell(Size input, Size hidden, Rng& rng)
    : input_weight(recurrent_init({input, 4 * checked_hidden("lstm", input, hidden)}, hidden, rng)),
      hidden_weight(recurrent_init({hidden, 4 * hidden}, hidden, rng)),
      bias(recurrent_init({4 * hidden}, hidden, rng)) {}

LSTMState LSTMCell::operator()(const Var& x, const LSTMState& state) const {
  if (x.rank() != 2 || x.shape()[1] != input_weight.shape()[0]) {
    throw std::invalid_argument("lstm: x " + text(x.shape()) + " does not fit the weight " +
                                text(input_weight.shape()));
  }
  return from_projected(linear(x, input_weight, bias), state);
}

LSTMState LSTMCell::from_projected(const Var& projected, const LSTMState& state) const {
  const Size H = hidden_size();
  if (!state.h.defined() || !state.c.defined()) throw std::invalid_argument("lstm: the state has no h or no c");
  const bool fits = projected.rank() == 2 && projected.shape()[1] == 4 * H;
  if (!fits || state.h.shape() != Shape{projected.shape()[0], H} || state.c.shape() != state.h.shape()) {
    throw std::invalid_argument("lstm: states " + text(state.h.shape()) + " and " + text(state.c.shape()) +
                                " and projected input " + text(projected.shape()) + " do not fit a hidden size of " +
                                std::to_string(H));
  }
  const Vars gates = split(projected + matmul(state.h, hidden_weight), {H, H, H, H}, -1);
  const Var i = sigmoid(gates[0]), f = sigmoid(gates[1]), g = tanh(gates[2]), o = sigmoid(gates[3]);
  const Var c = f * state.c + i * g;
  return {o * tanh(c), c};
}

void LSTMCell::parameters(const Visit& visit) {
  visit("input_weight", input_weight);
  visit("hidden_weight", hidden_weight);
  visit("bias", bias);
}

LSTMSequence LSTM::operator()(const Var& x, const LSTMState& begin, const std::vector<Size>& lengths,
                              Direction direction) const {
  const TimeSteps steps("lstm", x, cell.input_weight, cell.bias, lengths, direction);
  const Var zero = Var(Tensor::zeros({x.shape()[0], cell.hidden_size()}, x.dtype()));
  LSTMState state{begin.h.defined() ? begin.h : zero, begin.c.defined() ? begin.c : zero};
  const Var states = steps.walk([&](const Var& projected, const auto& keep) {
    const LSTMState next = cell.from_projected(projected, state);
    state = {keep(next.h, state.h), keep(next.c, state.c)};
    return state.h;
  });
  return {states, state};
}

}  // namespace attend
