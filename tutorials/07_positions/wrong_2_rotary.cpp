// Wrong answers to exercise 2, each with the bug that the check must name.
#include <cmath>

#include "nn/position/rotary.hpp"
#include "tutorials/07_positions/exercise_2_rotary.hpp"

namespace attend::chapter07 {
namespace {

Var weights_of(const Var& q, const Var& k, Size axis = -1) {
  return softmax(matmul(q, transpose(k)) / std::sqrt(static_cast<double>(q.shape().back())), axis);
}
Attended summed(const Var& weights, const Var& value) { return {matmul(weights, value), weights}; }

// Pairs (a, b) turned to (a cos − b sin, a sin + b cos); how the pairs are taken and put back is the caller's.
Vars turned_pair(const Var& a, const Var& b, const Var& cosine, const Var& sine) {
  return {a * cosine - b * sine, a * sine + b * cosine};
}

Var even_of(const Var& x) { return slice(x, -1, 0, x.shape().back() / 2, 2); }
Var odd_of(const Var& x) { return slice(x, -1, 1, x.shape().back() / 2, 2); }
Var side_by_side(const Var& x, const Vars& pair) { return reshape(stack(pair, -1), x.shape()); }

Attended unsolved(const RotaryInputs&) { return {}; }

Attended unturned(const RotaryInputs& in) { return summed(weights_of(in.query, in.key), in.value); }

Attended queries_only(const RotaryInputs& in) { return summed(weights_of(rotary(in.query), in.key), in.value); }

Attended keys_only(const RotaryInputs& in) { return summed(weights_of(in.query, rotary(in.key)), in.value); }

Attended against_each_other(const RotaryInputs& in) {
  const Var k = side_by_side(in.key, turned_pair(even_of(in.key), odd_of(in.key), in.cosine, -in.sine));
  return summed(weights_of(rotary(in.query), k), in.value);
}

Attended backwards(const RotaryInputs& in) {
  const auto turned = [&](const Var& x) {
    return side_by_side(x, turned_pair(even_of(x), odd_of(x), in.cosine, -in.sine));
  };
  return summed(weights_of(turned(in.query), turned(in.key)), in.value);
}

Attended halves(const RotaryInputs& in) {
  const auto turned = [&](const Var& x) {
    const Size n = x.shape().back() / 2;
    return concat(turned_pair(slice(x, -1, 0, n), slice(x, -1, n, n), in.cosine, in.sine), -1);
  };
  return summed(weights_of(turned(in.query), turned(in.key)), in.value);
}

Attended written_over(const RotaryInputs& in) {
  const auto turned = [&](const Var& x) {
    const Var even = even_of(x) * in.cosine - odd_of(x) * in.sine;
    return side_by_side(x, {even, even * in.sine + odd_of(x) * in.cosine});
  };
  return summed(weights_of(turned(in.query), turned(in.key)), in.value);
}

Attended no_minus(const RotaryInputs& in) {
  const auto turned = [&](const Var& x) {
    const Var even = even_of(x), odd = odd_of(x);
    return side_by_side(x, {even * in.cosine + odd * in.sine, even * in.sine + odd * in.cosine});
  };
  return summed(weights_of(turned(in.query), turned(in.key)), in.value);
}

Attended no_scale(const RotaryInputs& in) {
  return summed(softmax(matmul(rotary(in.query), transpose(rotary(in.key)))), in.value);
}

Attended over_the_queries(const RotaryInputs& in) {
  return summed(weights_of(rotary(in.query), rotary(in.key), 1), in.value);
}

Attended values_too(const RotaryInputs& in) {
  return summed(weights_of(rotary(in.query), rotary(in.key)), rotary(in.value));
}

Attended keys_summed(const RotaryInputs& in) { return summed(weights_of(rotary(in.query), rotary(in.key)), in.key); }

Attended history_cut(const RotaryInputs& in) {
  return summed(detach(weights_of(rotary(in.query), rotary(in.key))), in.value);
}

}  // namespace

std::vector<RotaryAnswer> rotary_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"nothing is turned", unturned, "neither queries nor keys"},
      {"queries only", queries_only, "the keys are not turned"},
      {"keys only", keys_only, "the queries are not turned"},
      {"keys the other way", against_each_other, "sum of the two positions"},
      {"both backwards", backwards, "turned backwards"},
      {"pairs of i and i + d/2", halves, "i is paired with i + d/2"},
      {"the even ones written over", written_over, "written over"},
      {"no minus", no_minus, "the minus is missing"},
      {"no scale", no_scale, "the scale is missing"},
      {"softmax over the queries", over_the_queries, "COLUMN"},
      {"values turned, too", values_too, "the values are turned"},
      {"keys in place of values", keys_summed, "the keys were summed"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter07
