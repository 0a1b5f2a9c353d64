#include "nn/attention/dot_product.hpp"

#include <doctest/doctest.h>

#include "tensor/cost.hpp"
#include "tests/nn/attention/by_hand.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// All sizes differ.
constexpr Size B = 2, H = 5, Tq = 3, Tk = 4, D = 6, Dv = 7;

const Tensor query = random({B, Tq, D}, DType::float64, 2), key = random({B, Tk, D}, DType::float64, 3),
             value = random({B, Tk, Dv}, DType::float64, 4);

const double scale = 1 / std::sqrt(6.0);

// Where nobody asks for the weights.
Var context_alone(const Var& q, const Var& k, const Var& v, DotProductOptions options = {}) {
  options.want_weights = false;
  const Attended found = scaled_dot_attention(q, k, v, options);
  CHECK_FALSE(found.weights.defined());
  return found.context;
}

Attended scaled(const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask = {}) {
  return scaled_dot_attention(Var(q), Var(k), Var(v), {mask});
}

}  // namespace

TEST_CASE("dot-product attention agrees with plain loops, under every kind of mask, scaled and not") {
  for (const MaskMode& mode : mask_modes(Tq, Tk)) {
    INFO(mode.name);
    const ByHand plain = attend_by_hand(query, key, value, 1, mode.allowed);
    const Attended dot = dot_attention(Var(query), Var(key), Var(value), mode.mask);
    check_agree(dot.weights, plain.weights, 1e-14);
    check_agree(dot.context, plain.context, 1e-14);
    const ByHand divided = attend_by_hand(query, key, value, scale, mode.allowed);
    const Attended found = scaled(query, key, value, mode.mask);
    check_agree(found.weights, divided.weights, 1e-14);
    check_agree(found.context, divided.context, 1e-14);
  }
}

TEST_CASE("the general score is q W k, for queries and keys of different widths") {
  Rng rng(1);
  const GeneralAttention layer = cast(GeneralAttention(D, 8, rng), DType::float64);
  const Tensor wide_key = random({B, Tk, 8}, DType::float64, 5);
  const Tensor turned = project_by_hand(layer.weight, query, 0, 8);
  for (const MaskMode& mode : mask_modes(Tq, Tk)) {
    INFO(mode.name);
    const ByHand expected = attend_by_hand(turned, wide_key, value, 1, mode.allowed);
    const Attended found = layer(Var(query), Var(wide_key), Var(value), mode.mask);
    check_agree(found.weights, expected.weights, 1e-14);
    check_agree(found.context, expected.context, 1e-14);
  }
}

TEST_CASE("with W = I the general score is the dot product") {
  Rng rng(1);
  GeneralAttention layer(D, D, rng);
  std::vector<double> identity(D * D, 0);
  for (std::size_t i = 0; i < D; ++i) identity[i * D + i] = 1;
  layer.weight.weight = Var(numbers(identity, {D, D}));
  check_agree(layer(Var(query), Var(key), Var(value)).context, dot_attention(Var(query), Var(key), Var(value)).context,
              1e-15);
}

TEST_CASE("a bias is added to the scores, before the mask") {
  const Tensor bias = random({Tq, Tk}, DType::float64, 6);
  for (const MaskMode& mode : mask_modes(Tq, Tk)) {
    INFO(mode.name);
    const ByHand expected = attend_by_hand(query, key, value, scale, mode.allowed, [&](Size i, Size j) {
      return bias.at({i, j});
    });
    const Attended found = scaled_dot_attention(Var(query), Var(key), Var(value), {mode.mask, Var(bias)});
    check_agree(found.weights, expected.weights, 1e-14);
    check_agree(found.context, expected.context, 1e-14);
  }
}

TEST_CASE("heads are attended to one by one, with masks for all or for each") {
  const Tensor q = random({B, H, Tq, D}, DType::float64, 2), k = random({B, H, Tk, D}, DType::float64, 3),
               v = random({B, H, Tk, Dv}, DType::float64, 4);
  std::vector<bool> flags;  // head h sees the keys above h % Tk, and the last head sees none
  for (Size h = 0; h < H; ++h) {
    for (Size j = 0; j < Tk; ++j) flags.push_back(h < H - 1 && j >= h % Tk);
  }
  std::vector<MaskMode> modes = mask_modes(Tq, Tk);
  const Mask per_head(Tensor::from_bools(flags, {1, H, 1, Tk}));
  modes.push_back({"per head", per_head, {}});
  for (const MaskMode& mode : modes) {
    INFO(mode.name);
    const Attended found = scaled(q, k, v, mode.mask);
    CHECK(found.weights.shape() == Shape{B, H, Tq, Tk});
    for (Size h = 0; h < H; ++h) {
      const auto head = [h](const Tensor& x) { return select(Var(x), 1, h).value(); };
      const Allowed by_head = [h](Size, Size, Size j) { return h < H - 1 && j >= h % Tk; };
      const ByHand expected = attend_by_hand(head(q), head(k), head(v), scale, mode.allowed ? mode.allowed : by_head);
      check_agree(select(found.weights, 1, h), expected.weights, 1e-14);
      check_agree(select(found.context, 1, h), expected.context, 1e-14);
    }
  }
}

TEST_CASE("constant values come out, constant keys give the mean, and a single key gives its value") {
  const Attended ones = scaled(query, key, Tensor::ones({B, Tk, Dv}, DType::float64));
  check_close(ones.context, {B, Tq, Dv}, std::vector<double>(B * Tq * Dv, 1), 1e-15);
  const Attended flat = scaled(query, Tensor::full({B, Tk, D}, 0.3, DType::float64), value);
  check_agree(flat.context, broadcast_to(mean(Var(value), {1}, true), {B, Tq, Dv}), 1e-15);
  const Attended single = scaled(query, slice(key, 1, 2, 1), slice(value, 1, 2, 1));
  check_agree(single.context, broadcast_to(Var(slice(value, 1, 2, 1)), {B, Tq, Dv}), 0);
}

TEST_CASE("a query that is c times one of orthonormal keys finds its value as c grows: a soft dictionary turns hard") {
  Rng rng(3);
  const Var keys = reshape(cast(orthogonal(Tk, Tk, rng), DType::float64), {1, Tk, Tk});
  const Var values = of_batch(Var(value), 0);
  check_agree(dot_attention(1000 * keys, keys, values).context, values, 1e-14);
  const Var none = dot_attention(0 * keys, keys, values).context;
  check_agree(none, broadcast_to(mean(values, {1}, true), none.shape()), 1e-15);
}

TEST_CASE("weights of allowed keys sum to 1, and of a query without any key to 0, as its context and derivatives do") {
  const Mask mask = padding_mask({3, 0}, Tk) & causal_mask(Tq, Tk);
  const Var q = Var::parameter(query), k = Var::parameter(key), v = Var::parameter(value);
  const Attended found = scaled_dot_attention(q, k, v, {mask});
  check_close(sum(found.weights, {-1}), {B, Tq}, {1, 1, 1, 0, 0, 0}, 1e-15);
  CHECK(found.weights.value().at({0, 0, 2}) == 0);
  check_close(of_batch(found.context, 1), {1, Tq, Dv}, std::vector<double>(Tq * Dv, 0), 0);
  for (const Var& g : random_gradients(everything(found.context, found.weights), {q, k, v})) {
    const Var dead = of_batch(g, 1);
    check_close(dead, dead.shape(), std::vector<double>(static_cast<std::size_t>(dead.size()), 0), 0);
  }
}

TEST_CASE("permuted queries permute the result, and permuted keys with their values change nothing") {
  const Tensor of_keys = Tensor::from_ints({2, 0, 3, 1}, {Tk}), of_queries = Tensor::from_ints({1, 2, 0}, {Tq});
  const Attended before = scaled(query, key, value);
  const Attended after =
      scaled_dot_attention(take(Var(query), 1, of_queries), take(Var(key), 1, of_keys), take(Var(value), 1, of_keys));
  check_agree(after.context, take(before.context, 1, of_queries), 1e-14);
  check_agree(after.weights, take(take(before.weights, 1, of_queries), 2, of_keys), 1e-14);
}

TEST_CASE("under a causal mask the derivative with respect to later keys and values is exactly 0") {
  for (Size i = 0; i < Tq; ++i) {
    const Var k = Var::parameter(key), v = Var::parameter(value);
    const Attended found = scaled_dot_attention(Var(query), k, v, {causal_mask(Tq, Tk)});
    for (const Var& g : random_gradients(select(found.context, 1, i), {k, v})) {
      for (Size j = 0; j < Tk; ++j) {
        const double size = sum(abs(select(g, 1, j))).item();
        if (j <= i + 1) CHECK(size > 1e-3);
        if (j > i + 1) CHECK(size == 0);
      }
    }
  }
}

TEST_CASE("the last query of a causal pass sees what a single query after all keys sees (O-23)") {
  const Attended whole = scaled(query, key, value, causal_mask(Tq, Tk));
  const Attended last = scaled(slice(query, 1, Tq - 1, 1), key, value, causal_mask(1, Tk));
  check_agree(last.context, slice(whole.context, 1, Tq - 1, 1), 1e-15);
  const Tensor zeros = Tensor::zeros({1, 4, 1}, DType::float64);
  const Attended mean_of_four =
      scaled(slice(zeros, 1, 0, 1), zeros, numbers({1, 2, 3, 4}, {1, 4, 1}), causal_mask(1, 4));
  check_close(mean_of_four.context, {1, 1, 1}, {2.5}, 0);
}

TEST_CASE("true means may attend (O-19), and the mask is on the keys (O-20)") {
  const Tensor zeros = Tensor::zeros({1, 3, 1}, DType::float64);
  const Mask first(Tensor::from_bools({true, false, false}, {1, 3}));
  check_close(scaled(slice(zeros, 1, 0, 1), zeros, numbers({1, 2, 3}, {1, 3, 1}), first).context, {1, 1, 1}, {1}, 0);
  const Tensor x = numbers({1, 2, 5}, {1, 3, 1});
  const Attended found = dot_attention(0.1 * Var(x), Var(x), Var(x), padding_mask({2}, 3));
  check_close(found.context, {1, 3, 1}, {1.52497919, 1.54983400, 1.62245933}, 5e-9);
}

TEST_CASE("what stands in masked keys and values, NaN included, reaches neither results nor derivatives") {
  const std::vector<Size> lengths = {4, 2};
  for (bool with_heads : {false, true}) {
    check_padding_unseen([&](double filler) {
      const auto leaf = [&](const Tensor& x) { return Var::parameter(with_heads ? unsqueeze(x, 1) : x); };
      const Var q = leaf(query), k = leaf(padded(key, lengths, filler)), v = leaf(padded(value, lengths, filler));
      const Attended found = scaled_dot_attention(q, k, v, {padding_mask(lengths, Tk)});
      Vars result = random_gradients(everything(found.context, found.weights), {q, k, v});
      result.push_back(found.context);
      result.push_back(found.weights);
      return result;
    });
  }
}

TEST_CASE("a sequence of a batch does not depend on the others") {
  const Attended batch = scaled(query, key, value, padding_mask({4, 2}, Tk));
  for (Size b = 0; b < B; ++b) {
    const auto own = [b](const Tensor& x) { return slice(x, 0, b, 1); };
    const Attended alone = scaled(own(query), own(key), own(value), padding_mask({b == 0 ? Size{4} : Size{2}}, Tk));
    check_agree(alone.context, of_batch(batch.context, b), 1e-14);
    check_agree(alone.weights, of_batch(batch.weights, b), 1e-14);
  }
}

TEST_CASE("dropout takes weights out of the sum, scales the others, and does nothing in evaluation (O-24)") {
  Rng rng(5);
  DotProductOptions options;
  options.dropout = 0.5;
  const Attended quiet = scaled_dot_attention(Var(query), Var(key), Var(value), options);
  CHECK(same_bits(quiet.context, scaled(query, key, value).context));
  options.rng = &rng;
  const Attended noisy = scaled_dot_attention(Var(query), Var(key), Var(value), options);
  CHECK(same_bits(noisy.weights, quiet.weights));  // those that a picture shows are whole
  Rng again(5);
  check_agree(noisy.context, matmul(dropout(quiet.weights, 0.5, &again), Var(value)), 1e-15);
}

TEST_CASE("the context alone is the context, under every kind of mask, with heads and without") {
  for (const MaskMode& mode : mask_modes(Tq, Tk)) {
    INFO(mode.name);
    const ByHand expected = attend_by_hand(query, key, value, scale, mode.allowed);
    const Var q(query), k(key), v(value);
    check_agree(context_alone(q, k, v, {mode.mask}), expected.context, 1e-14);
    const auto heads = [](const Var& x) { return stack({x, 0.5 * x, -1.0 * x, 2.0 * x}, 1); };
    const Var found = context_alone(heads(q), heads(k), heads(v), {mode.mask});
    check_agree(found, scaled_dot_attention(heads(q), heads(k), heads(v), {mode.mask}).context, 1e-14);
  }
}

TEST_CASE("where nobody asks for the weights, they are not formed, and neither is the causal mask") {
  constexpr Size T = 1024;
  const Shape shape{1, T, 2};
  const Var q = Var::parameter(random(shape, DType::float32, 2)), k(random(shape, DType::float32, 3)),
            v(random(shape, DType::float32, 4));
  const std::vector<Size> lengths = {T / 2};
  for (const Mask& mask : {Mask(), causal_mask(T, T), causal_mask(T, T) & padding_mask(lengths, T)}) {
    const auto before = live().bytes;
    reset_peak();
    grad(sum(context_alone(q, k, v, {mask})), {q});
    CHECK(live().peak_bytes - before < T * T / 2);  // half of what the mask alone would take
  }
}

TEST_CASE("a bias and dropout act on scores and weights, so that with them the context is formed from these") {
  const Var bias(random({Tq, Tk}, DType::float64, 6)), q(query), k(key), v(value);
  DotProductOptions options;
  options.bias = bias;
  CHECK(same_bits(context_alone(q, k, v, options), scaled_dot_attention(q, k, v, options).context));
  Rng rng(5), again(5);
  options = {};
  options.dropout = 0.5;
  options.rng = &rng;
  const Var noisy = context_alone(q, k, v, options);
  options.rng = &again;
  CHECK(same_bits(noisy, scaled_dot_attention(q, k, v, options).context));
  options.rng = evaluation;
  check_agree(context_alone(q, k, v, options), scaled(query, key, value).context, 1e-14);
}

TEST_CASE(
    "what stands in masked keys and values, NaN included, does not reach the context alone, nor its derivatives") {
  const std::vector<Size> lengths = {4, 2};
  check_padding_unseen([&](double filler) {
    const Var q = Var::parameter(query), k = Var::parameter(padded(key, lengths, filler)),
              v = Var::parameter(padded(value, lengths, filler));
    const Var context = context_alone(q, k, v, {padding_mask(lengths, Tk)});
    Vars result = random_gradients(context, {q, k, v});
    result.push_back(context);
    const Vars with_graph = grad(context, {q, k, v}, random(context.shape(), DType::float64, 9), true);
    result.insert(result.end(), with_graph.begin(), with_graph.end());
    return result;
  });
}

TEST_CASE("dot-product attention refuses sizes that do not fit, and names the shapes") {
  const auto call = [](const Shape& q, const Shape& k, const Shape& v, const Mask& mask = {}) {
    scaled_dot_attention(Var(random(q)), Var(random(k)), Var(random(v)), {mask});
  };
  const Shape q = {B, Tq, D}, k = {B, Tk, D}, v = {B, Tk, Dv};
  check_throws_with([&] { call({Tq, D}, k, v); }, {"dot-product attention: ", "[3, 6]", "[2, 4, 6]", "[2, 4, 7]"});
  check_throws_with([&] { call({B, Tq, 5}, k, v); }, {"dot-product attention: ", "[2, 3, 5]", "[2, 4, 6]"});
  check_throws_with([&] { call({1, Tq, D}, k, v); }, {"dot-product attention: ", "[1, 3, 6]"});
  check_throws_with([&] { call(q, k, {B, 3, Dv}); }, {"dot-product attention: ", "[2, 3, 7]"});
  check_throws_with([&] { call(q, k, {1, Tk, Dv}); }, {"dot-product attention: ", "[1, 4, 7]"});
  check_throws_with([&] { dot_attention(Var(query), Var(query), Var(value)); }, {"dot-product attention: "});
  check_throws_with([&] { context_alone(Var(query), Var(query), Var(value)); }, {"dot-product attention: "});
  check_throws_with([&] { context_alone(Var(query), Var(key), Var(value), {causal_mask(Tq, 3)}); },
                    {"mask: ", "[1, 1, 3, 3]", "[2, 3, 4]"});
  check_throws_with([&] { call(q, k, v, causal_mask(Tq, 3)); }, {"mask: ", "[1, 1, 3, 3]", "[2, 4, 6]"});
  check_throws_with([&] { call(q, k, v, causal_mask(2, Tk)); }, {"mask: ", "[1, 1, 2, 4]", "[2, 3, 4]"});
  check_throws_with(
      [&] {
        call({B, H, Tq, D}, {B, H, Tk, D}, {B, H, Tk, Dv}, padding_mask({1, 2, 3}, Tk));
      },
      {"mask: ", "[3, 1, 1, 4]", "[2, 5, 4, 6]"});
}

TEST_CASE("a bias is spread over the scores and never spreads them") {
  const Var q(random({1, 1, D})), k(random({1, Tk, D})), v(random({1, Tk, Dv}));
  const auto call = [&](const Shape& bias) {
    DotProductOptions options;
    options.bias = Var(random(bias));
    return scaled_dot_attention(q, k, v, options).weights.shape();
  };
  for (const Shape& shape : {Shape{5, Tk}, Shape{2, 1, 1}, Shape{1, 2, 1, Tk}, Shape{1, 1, 1, Tk}, Shape{5}}) {
    check_throws_with([&] { call(shape); }, {"dot-product attention: ", "bias " + text(shape), "[1, 1, 4]"});
  }
  for (const Shape& shape : {Shape{}, Shape{Tk}, Shape{1, Tk}, Shape{1, 1, 1}}) CHECK(call(shape) == Shape{1, 1, Tk});
}
