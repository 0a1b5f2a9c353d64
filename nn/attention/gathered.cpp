#include "nn/attention/gathered.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

// The groups in one row, without those outside 0 .. T − 1.
Positions in_a_row(Size T, const std::vector<Positions>& groups) {
  Positions row;
  for (const Positions& group : groups) {
    for (Size i : group) row.push_back(i >= 0 && i < T ? i : -1);
  }
  return row;
}

// As indices [count, n]: nobody reads position 0, and nothing is allowed to it.
Tensor indices(const Positions& row, Size count) {
  std::vector<std::int64_t> ids;
  for (Size i : row) ids.push_back(std::max<Size>(i, 0));
  return Tensor::from_ints(ids, {count, static_cast<Size>(ids.size()) / count});
}

Var queries_of(const Groups& groups, const Var& q) { return take(q, 2, indices(groups.queries, groups.count)); }
Var keys_of(const Groups& groups, const Var& k) { return take(k, 2, indices(groups.keys, groups.count)); }

// What the groups allow, of keys that are there: [B or 1, 1, count, length, reach].
Tensor allowed(const Groups& groups, const Tensor& there) {
  if (!there.defined()) return unsqueeze(unsqueeze(groups.allowed, 0), 0);
  const Tensor keys = kernel::take(there, 1, indices(groups.keys, groups.count));  // [B, count, reach]
  return kernel::logical_and(unsqueeze(unsqueeze(keys, 1), 3), groups.allowed);
}

// Where each query stands when the groups of all parts are in one row.
Tensor places(Size T, const std::vector<Groups>& parts) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(T), -1);
  std::int64_t place = 0;
  for (const Groups& part : parts) {
    for (Size i : part.queries) {
      if (i >= 0) places[static_cast<std::size_t>(i)] = place;
      ++place;
    }
  }
  return Tensor::from_ints(places, {T});
}

// [B, H, count, length, n] -> [B, H, count · length, n]
Shape one_row(const Shape& x) { return {x[0], x[1], x[2] * x[3], x[4]}; }

// What is gathered from.
struct Inputs {
  Size T;
  Var q;         // with the scale 1 / √d
  Var k, v;      // 0 where nothing is
  Tensor there;  // [B or 1, T]; undefined: all are

  Inputs(const Var& query, const Var& key, const Var& value, const Mask& mask)
      : T(query.shape()[2]),
        q(1 / std::sqrt(static_cast<double>(query.shape()[3])) * query),
        k(hide_invisible(key, mask)),
        v(hide_invisible(value, mask)),
        there(key_mask("gathered attention", mask, T, T).keys) {}
};

// q kᵀ / √d: [B, H, count, length, reach]
Var scores(const Groups& groups, const Inputs& in) {
  return matmul(queries_of(groups, in.q), transpose(keys_of(groups, in.k)));
}

}  // namespace

Positions positions(Size from, Size count, Size step) {
  Positions all;
  for (Size i = 0; i < count; ++i) all.push_back(from + i * step);
  return all;
}

std::vector<Positions> blocks(Size T, Size length, Size before, Size after) {
  std::vector<Positions> all;
  for (Size first = 0; first < T || all.empty(); first += length) {
    all.push_back(positions(first - before, before + length + after));  // of no position one block, with nobody in it
  }
  return all;
}

Groups::Groups(Size T, const std::vector<Positions>& groups_of_queries, const std::vector<Positions>& groups_of_keys)
    : count(static_cast<Size>(groups_of_queries.size())),
      length(static_cast<Size>(groups_of_queries.front().size())),
      reach(static_cast<Size>(groups_of_keys.front().size())),
      queries(in_a_row(T, groups_of_queries)),
      keys(in_a_row(T, groups_of_keys)) {
  std::vector<Size> group_of(static_cast<std::size_t>(T), -1);  // the last group that named the key
  for (Size m = 0; m < count * reach; ++m) {
    Size& key = keys[static_cast<std::size_t>(m)];
    if (key < 0) continue;
    Size& group = group_of[static_cast<std::size_t>(key)];
    if (group == m / reach) key = -1;
    group = m / reach;
  }
}

Var attend_in_parts(const Var& q, const Var& k, const Var& v, const Mask& mask, const std::vector<Groups>& parts) {
  if (v.shape()[2] == 0) return v;
  const Inputs in(q, k, v, mask);
  Vars contexts;
  for (const Groups& part : parts) {
    const Var weights = masked_softmax(scores(part, in), allowed(part, in.there));
    const Var context = matmul(weights, keys_of(part, in.v));  // [B, H, count, length, dv]
    contexts.push_back(reshape(context, one_row(context.shape())));
  }
  return take(concat(contexts, 2), 2, places(in.T, parts));  // [B, H, T, dv]
}

Var attend_in_looks(const Var& q, const Var& k, const Var& v, const Mask& mask, const std::vector<Groups>& looks) {
  if (v.shape()[2] == 0) return v;
  const Inputs in(q, k, v, mask);
  Vars all_scores;
  std::vector<Tensor> all_allowed;
  std::vector<Size> reaches;
  for (const Groups& look : looks) {
    const Tensor order = places(in.T, {look});
    const Var found = scores(look, in);
    const Tensor seen = allowed(look, in.there);
    all_scores.push_back(take(reshape(found, one_row(found.shape())), 2, order));         // [B, H, T, reach]
    all_allowed.push_back(kernel::take(reshape(seen, one_row(seen.shape())), 2, order));  // [B or 1, 1, T, reach]
    reaches.push_back(look.reach);
  }
  const Var weights = masked_softmax(concat(all_scores, 3), kernel::concat(all_allowed, 3));  // [B, H, T, Σ reach]
  const Vars of_looks = split(weights, reaches, 3);
  Var context;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const Groups& look = looks[i];
    const Var part = matmul(queries_of(look, of_looks[i]), keys_of(look, in.v));  // [B, H, count, length, dv]
    const Var in_order = take(reshape(part, one_row(part.shape())), 2, places(in.T, {look}));
    context = context.defined() ? context + in_order : in_order;
  }
  return context;
}

void check_not_causal(const char* op, const Mask& mask, Size T) {
  if (!key_mask(op, mask, T, T).causal) return;
  throw std::invalid_argument(std::string(op) +
                              ": a causal mask; its pattern looks ahead, so it takes padding_mask only");
}

}  // namespace attend
