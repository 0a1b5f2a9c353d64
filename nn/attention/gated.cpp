#include "nn/attention/gated.hpp"

#include <stdexcept>

namespace attend {

Attended GatedAttention::operator()(const Var& q, const Var& k, const Var& v, const Mask& mask) const {
  check_heads("gated attention", q, k, v);
  const Size d = gate.weight.shape()[0], gates = gate.weight.shape()[1];
  if (q.shape()[3] != d || (gates != 1 && gates != v.shape()[3])) {
    throw std::invalid_argument("gated attention: a gate " + text(gate.weight.shape()) + " for queries " +
                                text(q.shape()) + " and values " + text(v.shape()) + "; it is [d, 1] or [d, dv]");
  }
  const Attended found = core(q, k, v, mask);
  return {sigmoid(gate(q)) * found.context, found.weights};
}

}  // namespace attend
