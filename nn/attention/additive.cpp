#include "nn/attention/additive.hpp"

#include <stdexcept>

namespace attend {
namespace {

void check(const Var& query, const Var& key, const Var& value) {
  const bool ranks = query.rank() == 3 && key.rank() == 3 && value.rank() == 3;
  const bool batch = ranks && query.shape()[0] == key.shape()[0] && key.shape()[0] == value.shape()[0];
  if (batch && key.shape()[1] == value.shape()[1]) return;
  throw std::invalid_argument("additive attention: query " + text(query.shape()) + ", key " + text(key.shape()) +
                              ", value " + text(value.shape()) + "; they are [B, Tq, Dq], [B, Tk, Dk] and [B, Tk, Dv]");
}

}  // namespace

AdditiveAttention::AdditiveAttention(Size query_size, Size key_size, Size hidden, Rng& rng)
    : query_projection(query_size, hidden, rng, false),
      key_projection(key_size, hidden, rng, false),
      v(xavier_uniform(hidden, 1, rng)) {
  v = Var::parameter(reshape(v.value(), {hidden}));
}

Attended AdditiveAttention::operator()(const Var& query, const Var& key, const Var& value, const Mask& mask) const {
  check(query, key, value);
  return attend(query, projected(key, mask), value, mask);
}

Var AdditiveAttention::projected(const Var& key, const Mask& mask) const {
  return key_projection(hide_invisible(key, mask));
}

Var AdditiveAttention::scores(const Var& query, const Var& projected_key) const {
  if (projected_key.rank() != 3 || projected_key.shape()[2] != v.shape()[0]) {
    throw std::invalid_argument("additive attention: projected key " + text(projected_key.shape()) +
                                " does not fit v " + text(v.shape()));
  }
  if (query.rank() != 3 || query.shape()[0] != projected_key.shape()[0]) {
    throw std::invalid_argument("additive attention: query " + text(query.shape()) + " and projected key " +
                                text(projected_key.shape()) + "; they are [B, Tq, Dq] and [B, Tk, hidden]");
  }
  const Var q = unsqueeze(query_projection(query), 2);  // [B, Tq, 1, hidden]
  const Var k = unsqueeze(projected_key, 1);            // [B, 1, Tk, hidden]
  return matmul(tanh(q + k), v);                        // [B, Tq, Tk]
}

Attended AdditiveAttention::attend(const Var& query, const Var& projected_key, const Var& value,
                                   const Mask& mask) const {
  check(query, projected_key, value);
  const Var weights = attention_weights(scores(query, projected_key), mask);
  return {weighted_sum(weights, value, mask), weights};
}

void AdditiveAttention::parameters(const Visit& visit) {
  visit("query_projection", query_projection);
  visit("key_projection", key_projection);
  visit("v", v);
}

}  // namespace attend
