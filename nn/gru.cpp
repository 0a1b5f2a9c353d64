#include "nn/gru.hpp"

#include <stdexcept>

namespace attend {

GRUCell::GRUCell(Size input, Size hidden, Rng& rng)
    : input_weight(recurrent_init({input, 3 * checked_hidden("gru", input, hidden)}, hidden, rng)),
      hidden_weight(recurrent_init({hidden, 3 * hidden}, hidden, rng)),
      input_bias(recurrent_init({3 * hidden}, hidden, rng)),
      hidden_bias(recurrent_init({3 * hidden}, hidden, rng)) {}

Var GRUCell::operator()(const Var& x, const Var& h) const {
  if (x.rank() != 2 || x.shape()[1] != input_weight.shape()[0]) {
    throw std::invalid_argument("gru: x " + text(x.shape()) + " does not fit the weight " + text(input_weight.shape()));
  }
  return from_projected(linear(x, input_weight, input_bias), h);
}

Var GRUCell::from_projected(const Var& projected, const Var& h) const {
  const Size H = hidden_size();
  if (h.rank() != 2 || h.shape()[1] != H || projected.shape() != Shape{h.shape()[0], 3 * H}) {
    throw std::invalid_argument("gru: state " + text(h.shape()) + " and projected input " + text(projected.shape()) +
                                " do not fit a hidden size of " + std::to_string(H));
  }
  const Vars from_x = split(projected, {2 * H, H}, -1);
  const Vars from_h = split(linear(h, hidden_weight, hidden_bias), {2 * H, H}, -1);
  const Vars gates = split(sigmoid(from_x[0] + from_h[0]), {H, H}, -1);
  const Var &r = gates[0], &z = gates[1];
  const Var n = tanh(from_x[1] + r * from_h[1]);
  return n + z * (h - n);  // (1 − z) n + z h
}

void GRUCell::parameters(const Visit& visit) {
  visit("input_weight", input_weight);
  visit("hidden_weight", hidden_weight);
  visit("input_bias", input_bias);
  visit("hidden_bias", hidden_bias);
}

Sequence GRU::operator()(const Var& x, const Var& h0, const std::vector<Size>& lengths, Direction direction) const {
  const TimeSteps steps("gru", x, cell.input_weight, cell.input_bias, lengths, direction);
  Var h = h0.defined() ? h0 : Var(Tensor::zeros({x.shape()[0], cell.hidden_size()}, x.dtype()));
  const Var states = steps.walk([&](const Var& projected, const auto& keep) {
    h = keep(cell.from_projected(projected, h), h);
    return h;
  });
  return {states, h};
}

}  // namespace attend
