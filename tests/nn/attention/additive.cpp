#include "nn/attention/additive.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/layers.hpp"
#include "tests/support/special.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// All sizes differ.
constexpr Size B = 2, Tq = 3, Tk = 4, Dq = 5, Dk = 6, hidden = 7, Dv = 8;

AdditiveAttention exact() {
  Rng rng(1);
  return cast(AdditiveAttention(Dq, Dk, hidden, rng), DType::float64);
}

struct Example {
  Tensor query = random({B, Tq, Dq}, DType::float64, 2), key = random({B, Tk, Dk}, DType::float64, 3),
         value = random({B, Tk, Dv}, DType::float64, 4);
};

// The formula in plain loops, with allowed(b, i, j): weights, then context.
template <class Allowed>
std::pair<std::vector<double>, std::vector<double>> by_hand(const AdditiveAttention& attention, const Example& example,
                                                            Allowed allowed) {
  const Tensor &wq = attention.query_projection.weight.value(), &wk = attention.key_projection.weight.value();
  std::vector<double> weights, context;
  for (Size b = 0; b < B; ++b) {
    for (Size i = 0; i < Tq; ++i) {
      std::vector<double> e;
      double total = 0;
      for (Size j = 0; j < Tk; ++j) {
        double score = 0;
        for (Size h = 0; h < hidden; ++h) {
          double inner = 0;
          for (Size d = 0; d < Dq; ++d) inner += example.query.at({b, i, d}) * wq.at({d, h});
          for (Size d = 0; d < Dk; ++d) inner += example.key.at({b, j, d}) * wk.at({d, h});
          score += attention.v.value().at({h}) * std::tanh(inner);
        }
        e.push_back(allowed(b, i, j) ? std::exp(score) : 0);
        total += e.back();
      }
      for (double& each : e) each = total > 0 ? each / total : 0;
      weights.insert(weights.end(), e.begin(), e.end());
      for (Size d = 0; d < Dv; ++d) {
        double sum = 0;
        for (Size j = 0; j < Tk; ++j) sum += e[static_cast<std::size_t>(j)] * example.value.at({b, j, d});
        context.push_back(sum);
      }
    }
  }
  return {weights, context};
}

template <class Allowed>
void check_by_hand(const Mask& mask, Allowed allowed) {
  const AdditiveAttention attention = exact();
  const Example example;
  const auto [weights, context] = by_hand(attention, example, allowed);
  const Attended found = attention(Var(example.query), Var(example.key), Var(example.value), mask);
  check_close(found.weights, {B, Tq, Tk}, weights, 1e-14);
  check_close(found.context, {B, Tq, Dv}, context, 1e-14);
}

// The tensor [B, Tk, D] with `filler` in the keys from lengths[b] on.
Tensor padded(const Tensor& x, const std::vector<Size>& lengths, double filler) {
  std::vector<double> values = x.to_vector();
  const Size D = x.shape()[2];
  for (Size b = 0; b < B; ++b) {
    for (Size at = lengths[static_cast<std::size_t>(b)] * D; at < Tk * D; ++at) {
      values[static_cast<std::size_t>(b * Tk * D + at)] = filler;
    }
  }
  return numbers(values, x.shape());
}

}  // namespace

TEST_CASE("additive attention of one feature gives the numbers worked out on paper") {
  Rng rng(1);
  AdditiveAttention attention(1, 1, 1, rng);
  attention.query_projection.weight = attention.key_projection.weight = Var(numbers({1}, {1, 1}));
  attention.v = Var(numbers({1}, {1}));
  const Attended found = attention(Var(numbers({0, 1}, {1, 2, 1})), Var(numbers({0, 1, 2}, {1, 3, 1})),
                                   Var(numbers({10, 20, 30}, {1, 3, 1})));
  check_close(found.weights, {1, 2, 3}, {0.17349291, 0.37156764, 0.45493945, 0.28675137, 0.35109224, 0.36215639}, 5e-9);
  check_close(found.context, {1, 2, 1}, {22.81446537, 20.75405019}, 5e-9);
}

TEST_CASE("additive attention agrees with plain loops, under every kind of mask") {
  check_by_hand({}, [](Size, Size, Size) { return true; });
  check_by_hand(padding_mask({4, 2}, Tk), [](Size b, Size, Size j) { return j < (b == 0 ? 4 : 2); });
  check_by_hand(padding_mask({0, 3}, Tk), [](Size b, Size, Size j) { return b == 1 && j < 3; });
  check_by_hand(causal_mask(Tq, Tk), [](Size, Size i, Size j) { return j <= i + 1; });
  check_by_hand(band_mask(Tq, Tk, 1, 0), [](Size, Size i, Size j) { return j >= i && j <= i + 1; });
  check_by_hand(causal_mask(Tq, Tk) & padding_mask({1, 3}, Tk),
                [](Size b, Size i, Size j) { return j <= i + 1 && j < (b == 0 ? 1 : 3); });
}

TEST_CASE("weights of allowed keys sum to 1, those of masked keys are exactly 0") {
  const Example example;
  const Attended found =
      exact()(Var(example.query), Var(example.key), Var(example.value), padding_mask({3, 0}, Tk) & causal_mask(Tq, Tk));
  check_close(sum(found.weights, {-1}), {B, Tq}, {1, 1, 1, 0, 0, 0}, 1e-15);
  CHECK(found.weights.value().at({0, 0, 2}) == 0);
  CHECK(found.weights.value().at({0, 2, 3}) == 0);
  check_close(slice(found.context, 0, 1, 1), {1, Tq, Dv}, std::vector<double>(Tq * Dv, 0), 0);
}

TEST_CASE("with W_q = 0 the weights do not depend on the query") {
  AdditiveAttention attention = exact();
  attention.query_projection.weight = Var(Tensor::zeros({Dq, hidden}, DType::float64));
  const Example example;
  const Var weights = attention(Var(example.query), Var(example.key), Var(example.value)).weights;
  for (Size i = 1; i < Tq; ++i) CHECK(same_bits(select(weights, 1, i), select(weights, 1, 0)));
}

TEST_CASE("with v = 0 every key has the same weight") {
  AdditiveAttention attention = exact();
  attention.v = Var(Tensor::zeros({hidden}, DType::float64));
  const Example example;
  const Var weights = attention(Var(example.query), Var(example.key), Var(example.value)).weights;
  check_close(weights, {B, Tq, Tk}, std::vector<double>(B * Tq * Tk, 0.25), 0);
}

TEST_CASE("scores are at most the sum of |v|, however large queries and keys are") {
  const AdditiveAttention attention = exact();
  const Example example;
  const double bound = sum(abs(attention.v)).item();
  for (double factor : {1.0, 1e3, 1e300}) {
    const Var scores = attention.scores(factor * Var(example.query), attention.projected(factor * Var(example.key)));
    CHECK(scores.shape() == Shape{B, Tq, Tk});
    for (double score : scores.value().to_vector()) CHECK(std::fabs(score) <= bound * (1 + 1e-15));
  }
}

TEST_CASE("a permutation of keys and values together permutes the weights and changes no context") {
  const AdditiveAttention attention = exact();
  const Example example;
  const Tensor order = Tensor::from_ints({2, 0, 3, 1}, {Tk});
  const Attended before = attention(Var(example.query), Var(example.key), Var(example.value));
  const Attended after =
      attention(Var(example.query), take(Var(example.key), 1, order), take(Var(example.value), 1, order));
  check_agree(after.weights, take(before.weights, 2, order), 1e-14);
  check_agree(after.context, before.context, 1e-14);
}

TEST_CASE("what stands in masked keys and values, NaN included, reaches neither results nor derivatives") {
  const AdditiveAttention attention = exact();
  const Example example;
  const std::vector<Size> lengths = {4, 2};
  const Mask mask = padding_mask(lengths, Tk);
  std::vector<Vars> results;
  for (double filler : {0.0, -3.0, 1e300, not_a_number}) {
    const Var query = Var::parameter(example.query), key = Var::parameter(padded(example.key, lengths, filler)),
              value = Var::parameter(padded(example.value, lengths, filler));
    const Attended found = attention(query, key, value, mask);
    Vars leaves = parameters(attention);
    leaves.insert(leaves.end(), {query, key, value});
    Vars result = random_gradients(concat({found.context, found.weights}, -1), leaves);
    result.push_back(found.context);
    result.push_back(found.weights);
    results.push_back(result);
    for (std::size_t i = 0; i < result.size(); ++i) CHECK(same_bits(result[i], results[0][i]));
    check_close(slice(slice(result[4], 0, 1, 1), 1, 2, 2), {1, 2, Dk}, std::vector<double>(2 * Dk, 0), 0);
    check_close(slice(slice(result[5], 0, 1, 1), 1, 2, 2), {1, 2, Dv}, std::vector<double>(2 * Dv, 0), 0);
  }
}

TEST_CASE("a later key, NaN included, changes nothing for the queries before it") {
  const AdditiveAttention attention = exact();
  const Example example;
  const Mask causal = causal_mask(Tq, Tk);
  const std::vector<Size> lengths = {3, 3};  // key 3 is visible to the last query only
  const Attended clean = attention(Var(example.query), Var(example.key), Var(example.value), causal);
  const Attended dirty = attention(Var(example.query), Var(padded(example.key, lengths, not_a_number)),
                                   Var(padded(example.value, lengths, not_a_number)), causal);
  CHECK(same_bits(slice(clean.context, 1, 0, 2), slice(dirty.context, 1, 0, 2)));
  CHECK(same_bits(slice(clean.weights, 1, 0, 2), slice(dirty.weights, 1, 0, 2)));
  CHECK(std::isnan(dirty.context.value().at({0, 2, 0})));
}

TEST_CASE("a sequence of a batch does not depend on the others") {
  const AdditiveAttention attention = exact();
  const Example example;
  const Mask mask = padding_mask({4, 2}, Tk);
  const Attended batch = attention(Var(example.query), Var(example.key), Var(example.value), mask);
  for (Size b = 0; b < B; ++b) {
    const auto own = [b](const Tensor& x) { return Var(slice(x, 0, b, 1)); };
    const Attended alone = attention(own(example.query), own(example.key), own(example.value),
                                     padding_mask({b == 0 ? Size{4} : Size{2}}, Tk));
    check_agree(alone.context, slice(batch.context, 0, b, 1), 1e-14);
    check_agree(alone.weights, slice(batch.weights, 0, b, 1), 1e-14);
  }
}

TEST_CASE("asking step by step, with keys that were projected once, gives the same") {
  const AdditiveAttention attention = exact();
  const Example example;
  const Mask mask = padding_mask({4, 2}, Tk);
  const Var projected = attention.projected(Var(example.key), mask);
  CHECK(projected.shape() == Shape{B, Tk, hidden});
  const Attended whole = attention(Var(example.query), Var(example.key), Var(example.value), mask);
  for (Size i = 0; i < Tq; ++i) {
    const Attended step = attention.attend(Var(slice(example.query, 1, i, 1)), projected, Var(example.value), mask);
    check_agree(step.context, slice(whole.context, 1, i, 1), 1e-14);
    check_agree(step.weights, slice(whole.weights, 1, i, 1), 1e-14);
  }
}

TEST_CASE("additive attention names what it learns, and has no biases") {
  std::string names;
  for (const auto& [name, parameter] : named_parameters(exact())) names += name + text(parameter.shape()) + " ";
  CHECK(names == "query_projection.weight[5, 7] key_projection.weight[6, 7] v[7] ");
}

TEST_CASE("additive attention refuses sizes that do not fit, and names the shapes") {
  const AdditiveAttention attention = exact();
  const auto call = [&](const Shape& query, const Shape& key, const Shape& value, const Mask& mask = {}) {
    attention(Var(random(query)), Var(random(key)), Var(random(value)), mask);
  };
  const Shape q = {B, Tq, Dq}, k = {B, Tk, Dk}, v = {B, Tk, Dv};
  check_throws_with([&] { call({Tq, Dq}, k, v); }, {"additive attention: ", "[3, 5]", "[2, 4, 6]", "[2, 4, 8]"});
  check_throws_with([&] { call({1, Tq, Dq}, k, v); }, {"additive attention: ", "[1, 3, 5]", "[2, 4, 6]"});
  check_throws_with([&] { call(q, {1, Tk, Dk}, v); }, {"additive attention: ", "[1, 4, 6]"});
  check_throws_with([&] { call(q, k, {B, 1, Dv}); }, {"additive attention: ", "[2, 1, 8]"});
  check_throws_with([&] { call(q, k, {1, Tk, Dv}); }, {"additive attention: ", "[1, 4, 8]"});
  check_throws_with([&] { call({B, Tq, 4}, k, v); }, {"linear: ", "[2, 3, 4]", "[5, 7]"});
  check_throws_with([&] { call(q, {B, Tk, 1}, v); }, {"linear: ", "[2, 4, 1]", "[6, 7]"});
  check_throws_with([&] { call(q, k, v, causal_mask(Tq, 3)); }, {"mask: ", "[1, 1, 3, 3]", "[2, 4, 6]"});
  check_throws_with([&] { call(q, k, v, causal_mask(2, Tk)); }, {"mask: ", "[1, 1, 2, 4]", "[2, 3, 4]"});
  check_throws_with([&] { call(q, k, v, padding_mask({1, 2, 3}, Tk)); }, {"mask: ", "[3, 1, 1, 4]", "[2, 4, 6]"});
  check_throws_with(
      [&] {
        call({1, Tq, Dq}, {1, Tk, Dk}, {1, Tk, Dv}, padding_mask({1, 2}, Tk));
      },
      {"mask: ", "[2, 1, 1, 4]", "[1, 4, 6]"});  // would broadcast
  const auto attend_to = [&](const Shape& projected) {
    attention.attend(Var(random(q)), Var(random(projected)), Var(random(v)));
  };
  check_throws_with([&] { attend_to({B, Tk, 1}); }, {"additive attention: ", "[2, 4, 1]", "[7]"});  // would broadcast
}

TEST_CASE("scores of a query with other axes than its projected keys are refused, and do not broadcast") {
  const AdditiveAttention attention = exact();
  const Shape key = {B, Tk, attention.v.shape()[0]};
  for (const Shape& query : {Shape{Dq}, Shape{Tq, Dq}, Shape{1, Tq, Dq}, Shape{B, 1, Tq, Dq}}) {
    check_throws_with([&] { attention.scores(Var(random(query)), Var(random(key))); },
                      {"additive attention: ", text(query), text(key)});
  }
}
