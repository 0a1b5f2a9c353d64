#include "nn/attention/multi_head.hpp"

#include <doctest/doctest.h>

#include "nn/attention/self_attention.hpp"
#include "tests/nn/attention/by_hand.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// All sizes differ.
constexpr Size B = 2, Tq = 3, Tk = 4, H = 6, d = 5, size = H * d, key_size = 7, value_size = 8;

const Tensor query = random({B, Tq, size}, DType::float64, 2), key = random({B, Tk, key_size}, DType::float64, 3),
             value = random({B, Tk, value_size}, DType::float64, 4), x = random({B, Tk, size}, DType::float64, 5);

MultiHeadAttention exact(MultiHeadOptions options, Size heads = H) {
  Rng rng(1);
  return shaken(MultiHeadAttention(size, heads, rng, options), 7, 0.3);
}

MultiHeadAttention cross(Size kv_heads = 0) {
  MultiHeadOptions options;
  options.key_size = key_size;
  options.value_size = value_size;
  options.kv_heads = kv_heads;
  return exact(options);
}

// Head after head, from the columns of the projections that belong to it.
void check_by_hand(const MultiHeadAttention& layer, const Attended& found, const Tensor& q, const Tensor& k,
                   const Tensor& v, const Allowed& allowed) {
  Vars contexts;
  for (Size h = 0; h < layer.heads; ++h) {
    const Size width = size / layer.heads, g = h / (layer.heads / layer.kv_heads);
    const ByHand expected = attend_by_hand(project_by_hand(layer.query_projection, q, h * width, width),
                                           project_by_hand(layer.key_projection, k, g * width, width),
                                           project_by_hand(layer.value_projection, v, g * width, width),
                                           1 / std::sqrt(static_cast<double>(width)), allowed);
    check_agree(select(found.weights, 1, h), expected.weights, 1e-13);
    contexts.push_back(Var(expected.context));
  }
  check_agree(found.context, project_by_hand(layer.output, concat(contexts, -1).value(), 0, size), 1e-13);
}

// The projections with the columns of group g repeated for each of its query heads.
Linear repeated(const Linear& narrow, Size kv_heads) {
  Linear wide = narrow;
  const auto repeat = [&](const Var& columns) {
    Vars parts;
    for (Size h = 0; h < H; ++h) parts.push_back(slice(columns, -1, h / (H / kv_heads) * d, d));
    return concat(parts, -1);
  };
  wide.weight = repeat(narrow.weight);
  wide.bias = repeat(narrow.bias);
  return wide;
}

}  // namespace

TEST_CASE(
    "multi-head attention agrees with plain loops, under every kind of mask, with any number of key/value heads") {
  for (Size kv_heads : {0, 3, 2, 1}) {
    const MultiHeadAttention layer = cross(kv_heads);
    for (const MaskMode& mode : mask_modes(Tq, Tk)) {
      INFO(kv_heads, " ", mode.name);
      const Attended found = layer(Var(query), Var(key), Var(value), mode.mask);
      CHECK(found.weights.shape() == Shape{B, H, Tq, Tk});
      check_by_hand(layer, found, query, key, value, mode.allowed);
    }
  }
}

TEST_CASE("self-attention with heads agrees with plain loops; positions that nobody may see count as 0") {
  const MultiHeadAttention layer = exact({});
  for (const MaskMode& mode : mask_modes(Tk, Tk)) {
    INFO(mode.name);
    const Tensor there = without_invisible(x, mode.allowed);
    check_by_hand(layer, layer(Var(x), mode.mask), there, there, there, mode.allowed);
  }
}

TEST_CASE("the result alone is the result, with other keys and values and of itself, under every kind of mask") {
  for (Size kv_heads : {0, 2}) {
    const MultiHeadAttention layer = cross(kv_heads), self = exact({});
    MultiHeadAttention layer_alone = layer, self_alone = self;
    layer_alone.want_weights = self_alone.want_weights = false;
    const Var q(query), k(key), v(value);
    for (const MaskMode& mode : mask_modes(Tq, Tk)) {
      INFO(mode.name);
      const Attended found = layer_alone(q, k, v, mode.mask);
      CHECK_FALSE(found.weights.defined());
      check_agree(found.context, layer(q, k, v, mode.mask).context, 1e-13);
    }
    for (const MaskMode& mode : mask_modes(Tk, Tk)) {
      INFO(mode.name);
      check_agree(self_alone(Var(x), mode.mask).context, self(Var(x), mode.mask).context, 1e-13);
    }
  }
}

TEST_CASE("one head is plain self-attention") {
  MultiHeadOptions options;
  options.bias = false;
  const MultiHeadAttention layer = exact(options, 1);
  Rng rng(2);
  SelfAttention plain = cast(SelfAttention(size, rng), DType::float64);
  plain.queries.weight = layer.query_projection.weight;
  plain.keys.weight = layer.key_projection.weight;
  plain.values.weight = layer.value_projection.weight;
  plain.output.weight = layer.output.weight;
  plain.output.bias = Var(Tensor::zeros({size}, DType::float64));
  for (const MaskMode& mode : mask_modes(Tk, Tk)) {
    INFO(mode.name);
    const Attended found = layer(Var(x), mode.mask), expected = plain(Var(x), mode.mask);
    check_agree(found.context, expected.context, 1e-13);
    check_agree(squeeze(found.weights, {1}), expected.weights, 1e-14);
  }
}

TEST_CASE("as many key/value heads as heads is the plain layer, and fewer is the plain layer with repeated columns") {
  const Attended plain = cross()(Var(query), Var(key), Var(value));
  CHECK(same_bits(cross(H)(Var(query), Var(key), Var(value)).context, plain.context));
  for (Size kv_heads : {1, 2, 3}) {
    const MultiHeadAttention grouped = cross(kv_heads);
    CHECK(grouped.key_projection.weight.shape() == Shape{key_size, kv_heads * d});
    MultiHeadAttention wide = grouped;
    wide.kv_heads = H;
    wide.key_projection = repeated(grouped.key_projection, kv_heads);
    wide.value_projection = repeated(grouped.value_projection, kv_heads);
    const Attended found = grouped(Var(query), Var(key), Var(value)), expected = wide(Var(query), Var(key), Var(value));
    check_agree(found.context, expected.context, 1e-13);
    check_agree(found.weights, expected.weights, 1e-14);
  }
}

TEST_CASE("heads are split and merged without mixing positions (O-22)") {
  Rng rng(1);
  MultiHeadOptions options;
  options.bias = false;
  MultiHeadAttention layer(4, 2, rng, options);
  const Var identity(numbers({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, {4, 4}));
  for (Linear* projection : {&layer.query_projection, &layer.key_projection, &layer.value_projection, &layer.output}) {
    projection->weight = identity;
  }
  const Var in(numbers({.1, .2, .3, .4, .5, .6, .7, .8}, {1, 2, 4}));
  check_close(layer(in).context, {1, 2, 4},
              {0.30848019, 0.40848019, 0.51973457, 0.61973457, 0.33086413, 0.43086413, 0.54180126, 0.64180126}, 5e-9);
  const Mask only_itself(Tensor::from_bools({true, false, false, true}, {2, 2}));
  check_agree(layer(in, only_itself).context, in, 1e-15);

  const Var heads = split_heads(in, 2);
  check_close(heads, {1, 2, 2, 2}, {.1, .2, .5, .6, .3, .4, .7, .8}, 0);
  CHECK(heads.value().shares_block(in.value()));
  check_agree(merge_heads(heads), in, 0);
}

TEST_CASE("permuted queries permute the result, and permuted keys with their values change nothing") {
  const MultiHeadAttention layer = cross(2);
  const Tensor of_keys = Tensor::from_ints({2, 0, 3, 1}, {Tk}), of_queries = Tensor::from_ints({1, 2, 0}, {Tq});
  const Attended before = layer(Var(query), Var(key), Var(value));
  const Attended after =
      layer(take(Var(query), 1, of_queries), take(Var(key), 1, of_keys), take(Var(value), 1, of_keys));
  check_agree(after.context, take(before.context, 1, of_queries), 1e-13);
  check_agree(after.weights, take(take(before.weights, 2, of_queries), 3, of_keys), 1e-13);
}

TEST_CASE("under a causal mask the derivative with respect to later positions is exactly 0") {
  const MultiHeadAttention layer = exact({});
  const Var in = Var::parameter(x);
  const Var y = layer(in, causal_mask(Tk, Tk)).context;
  for (Size i = 0; i < Tk; ++i) {
    const Var g = random_gradients(select(y, 1, i), {in})[0];
    for (Size j = 0; j < Tk; ++j) {
      const double influence = sum(abs(select(g, 1, j))).item();
      if (j <= i) CHECK(influence > 1e-3);
      if (j > i) CHECK(influence == 0);
    }
  }
}

TEST_CASE("what stands in masked keys and values, NaN included, reaches neither results nor derivatives") {
  const std::vector<Size> lengths = {4, 2};
  const Mask mask = padding_mask(lengths, Tk);
  const MultiHeadAttention across = cross(3), within = exact({});
  check_padding_unseen([&](double filler) {
    Vars leaves = parameters(across);
    leaves.insert(leaves.end(), {Var::parameter(query), Var::parameter(padded(key, lengths, filler)),
                                 Var::parameter(padded(value, lengths, filler))});
    const std::size_t n = leaves.size();
    const Attended found = across(leaves[n - 3], leaves[n - 2], leaves[n - 1], mask);
    Vars result = random_gradients(everything(found.context, found.weights), leaves);

    Vars own = parameters(within);
    own.push_back(Var::parameter(padded(x, lengths, filler)));
    const Attended self = within(own.back(), mask);
    for (const Var& g : random_gradients(everything(self.context, self.weights), own)) result.push_back(g);
    result.insert(result.end(), {found.context, found.weights, self.context, self.weights});
    return result;
  });
}

TEST_CASE("a later NaN changes nothing for the positions before it") {
  const MultiHeadAttention layer = exact({});
  const Attended clean = layer(Var(x), causal_mask(Tk, Tk));
  const Attended dirty = layer(Var(padded(x, {2, 2}, not_a_number)), causal_mask(Tk, Tk));
  CHECK(same_bits(slice(dirty.context, 1, 0, 2), slice(clean.context, 1, 0, 2)));
  CHECK(std::isnan(dirty.context.value().at({0, 2, 0})));
}

TEST_CASE("a sequence of a batch does not depend on the others") {
  const MultiHeadAttention layer = cross();
  const Attended batch = layer(Var(query), Var(key), Var(value), padding_mask({4, 2}, Tk));
  for (Size b = 0; b < B; ++b) {
    const Attended alone = layer(of_batch(Var(query), b), of_batch(Var(key), b), of_batch(Var(value), b),
                                 padding_mask({b == 0 ? Size{4} : Size{2}}, Tk));
    check_agree(alone.context, of_batch(batch.context, b), 1e-13);
    check_agree(alone.weights, of_batch(batch.weights, b), 1e-13);
  }
}

TEST_CASE("step by step, or some at once, with the cache gives what a causal pass gives") {
  MultiHeadOptions grouped;
  grouped.kv_heads = 2;
  const Tensor longer = random({B, 7, size}, DType::float64, 9);
  for (const MultiHeadAttention& layer : {exact({}), exact(grouped)}) {
    const Attended whole = layer(Var(longer), causal_mask(7, 7));
    for (const std::vector<Size>& pieces : {std::vector<Size>{1, 1, 1, 1, 1, 1, 1}, {7}, {3, 1, 2, 1}, {1, 6}}) {
      KeyValueCache cache;
      Size first = 0;
      for (Size n : pieces) {
        CHECK(cache.length() == first);
        const Attended found = layer.step(Var(slice(longer, 1, first, n)), cache);
        check_agree(found.context, slice(whole.context, 1, first, n), 1e-12);
        check_agree(found.weights, slice(slice(whole.weights, 2, first, n), 3, 0, first + n), 1e-12);
        first += n;
      }
      CHECK(cache.key.shape() == Shape{B, layer.kv_heads, 7, d});
    }
  }
}

TEST_CASE("a cache of another batch size throws and is left as it is") {
  const MultiHeadAttention layer = exact({});
  KeyValueCache cache;
  layer.step(Var(x), cache);
  const Tensor before = cache.key.value(), more = random({3, 1, size});
  check_throws_with([&] { layer.step(Var(more), cache); }, {"multi-head attention: ", "[2, 6, 4, 5]", "[3, 1, 30]"});
  check_throws_with([&] { layer.step(Var(random({B, 1, 4})), cache); }, {"linear: "});
  CHECK(cache.length() == Tk);
  CHECK(same_bits(Var(before), cache.key));
}

TEST_CASE("a bias is added to the scores of each head, and dropout needs a generator") {
  MultiHeadOptions options;
  options.dropout = 0.5;
  const MultiHeadAttention layer = exact(options);
  const Var bias(random({1, H, Tk, Tk}, DType::float64, 11));
  const Attended plain = layer(Var(x)), biased = layer(Var(x), Var(x), Var(x), {}, evaluation, bias);
  // softmax(s + bias) is softmax(s) · exp(bias), normalised.
  const Var expected = plain.weights * exp(bias);
  check_agree(biased.weights, expected / sum(expected, {-1}, true), 1e-13);
  Rng rng(3), again(3);
  const Attended noisy = layer(Var(x), {}, &rng);
  CHECK(same_bits(layer(Var(x), {}, &again).context, noisy.context));
  CHECK_FALSE(same_bits(plain.context, noisy.context));
  CHECK(same_bits(plain.context, layer(Var(x)).context));
}

TEST_CASE("multi-head attention names what it learns; whatever the number of heads, there are as many numbers") {
  std::string names;
  for (const auto& [name, parameter] : named_parameters(cross(2))) names += name + text(parameter.shape()) + " ";
  CHECK(names ==
        "query_projection.weight[30, 30] query_projection.bias[30] key_projection.weight[7, 10] "
        "key_projection.bias[10] value_projection.weight[8, 10] value_projection.bias[10] "
        "output.weight[30, 30] output.bias[30] ");
  for (Size heads : {1, 2, 3, 5, 6, 10, 15, 30}) CHECK(parameter_count(exact({}, heads)) == 4 * size * (size + 1));
}

TEST_CASE("multi-head attention refuses heads that do not divide the width, and names both") {
  Rng rng(1);
  const Rng before = rng;
  MultiHeadOptions options;
  check_throws_with([&] { MultiHeadAttention(6, 4, rng); }, {"multi-head attention: ", "4 heads", "6"});
  check_throws_with([&] { MultiHeadAttention(6, 0, rng); }, {"multi-head attention: ", "0 heads", "6"});
  check_throws_with([&] { MultiHeadAttention(0, 1, rng); }, {"multi-head attention: ", "1 heads", "0"});
  options.kv_heads = 4;
  check_throws_with([&] { MultiHeadAttention(12, 6, rng, options); },
                    {"multi-head attention: ", "4 key/value heads", "6 heads"});
  options.kv_heads = 0;
  options.value_size = -1;
  check_throws_with([&] { MultiHeadAttention(12, 6, rng, options); }, {"multi-head attention: ", "values of size -1"});
  CHECK(rng == before);
  check_throws_with([] { split_heads(Var(random({1, 2, 6})), 4); }, {"multi-head attention: ", "4 heads", "6"});
  check_throws_with([] { split_heads(Var(random({2, 6})), 2); }, {"split_heads: ", "[2, 6]"});
  const MultiHeadAttention layer = cross();
  const auto call = [&](const Mask& mask) { layer(Var(query), Var(key), Var(value), mask); };
  check_throws_with([&] { call(causal_mask(Tq, 3)); }, {"mask: ", "[1, 1, 3, 3]", "[2, 4, 7]"});
  check_throws_with(
      [&] {
        call(Mask(Tensor::full({1, 5, 1, Tk}, 1, DType::boolean)));
      },
      {"mask: ", "[1, 5, 1, 4]", "[2, 6, 3, 4]"});
  check_throws_with(
      [&] {
        layer(Var(query), Var(key), Var(random({B, 3, value_size})));
      },
      {"dot-product attention: ", "[2, 6, 4, 5]", "[2, 6, 3, 5]"});
}

TEST_CASE("a step that throws after its keys are projected leaves the cache as it is") {
  Rng rng(1);
  MultiHeadOptions options;
  options.key_size = options.value_size = 7;
  const MultiHeadAttention layer(6, 2, rng, options);
  KeyValueCache cache;
  check_throws_with([&] { layer.step(Var(random({1, 1, 7}, DType::float32)), cache); }, {"linear: ", "[1, 1, 7]"});
  CHECK(cache.length() == 0);
}

TEST_CASE("rows that are no list of sequences are refused by a cache") {
  Rng rng(1);
  KeyValueCache cache;
  MultiHeadAttention(6, 2, rng).step(Var(random({2, 1, 6}, DType::float32)), cache);
  check_throws_with([&] { cache.taken(Tensor::from_ints({0, 1}, {2, 1})); }, {"key-value cache: ", "[2, 1]"});
  check_throws_with([&] { cache.taken(Tensor::from_ints({0}, {})); }, {"key-value cache: ", "[]"});
  CHECK(cache.taken(Tensor::from_ints({1, 1, 0}, {3})).key.shape() == Shape{3, 2, 1, 3});
}
