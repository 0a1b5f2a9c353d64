#include "nn/transformer.hpp"

#include <doctest/doctest.h>

#include "tests/nn/attention/by_hand.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// All sizes differ.
constexpr Size B = 2, Ty = 4, Tx = 5, size = 6, heads = 3, hidden = 7;

const Tensor x = random({B, Ty, size}, DType::float64, 2), memory = random({B, Tx, size}, DType::float64, 3);
const std::vector<NormPlace> places = {NormPlace::before, NormPlace::after};

TransformerOptions options(NormPlace place, double dropout = 0) { return {size, heads, hidden, dropout, place}; }

EncoderLayer encoder(NormPlace place) {
  Rng rng(1);
  return shaken(EncoderLayer(options(place), rng));
}

DecoderLayer decoder(NormPlace place) {
  Rng rng(1);
  return shaken(DecoderLayer(options(place), rng));
}

// A residual block, where the norm stands before or after.
template <class Block>
Var block(const Var& in, const LayerNorm& norm, NormPlace place, Block f) {
  return place == NormPlace::before ? in + f(norm(in)) : norm(in + f(in));
}

Var widened(const FeedForward& layer, const Var& in) {
  return matmul(relu(matmul(in, layer.widen.weight) + layer.widen.bias), layer.narrow.weight) + layer.narrow.bias;
}

}  // namespace

TEST_CASE("the feed-forward part treats every position alike and alone") {
  Rng rng(1);
  const FeedForward layer = shaken(FeedForward(size, hidden, rng));
  const Var y = layer(Var(x));
  check_agree(y, widened(layer, Var(x)), 1e-14);
  for (Size t = 0; t < Ty; ++t) check_agree(layer(slice(Var(x), 1, t, 1)), slice(y, 1, t, 1), 1e-14);
}

TEST_CASE("an encoder layer is self-attention, then feed-forward, each in its residual block") {
  for (NormPlace place : places) {
    const EncoderLayer layer = encoder(place);
    for (const MaskMode& mode : mask_modes(Ty, Ty)) {
      INFO(mode.name);
      const Var there(without_invisible(x, mode.allowed));
      const Var seen = block(there, layer.attention_norm, place,
                             [&](const Var& in) { return layer.attention(in, mode.mask).context; });
      const Var expected =
          block(seen, layer.feed_forward_norm, place, [&](const Var& in) { return widened(layer.feed_forward, in); });
      check_agree(layer(Var(x), mode.mask), expected, 1e-13);
    }
  }
}

TEST_CASE("a decoder layer is causal self-attention, attention to the memory, then feed-forward") {
  for (NormPlace place : places) {
    const DecoderLayer layer = decoder(place);
    for (const MaskMode& mode : mask_modes(Ty, Tx)) {
      INFO(mode.name);
      const Var own = block(Var(x), layer.self_norm, place,
                            [&](const Var& in) { return layer.self_attention(in, causal_mask(Ty, Ty)).context; });
      Var weights;
      const Var seen = block(own, layer.memory_norm, place, [&](const Var& in) {
        const Attended found = layer.memory_attention(in, Var(memory), Var(memory), mode.mask);
        weights = found.weights;
        return found.context;
      });
      const Var expected =
          block(seen, layer.feed_forward_norm, place, [&](const Var& in) { return widened(layer.feed_forward, in); });
      const Attended found = layer(Var(x), Var(memory), mode.mask);
      check_agree(found.context, expected, 1e-13);
      check_agree(found.weights, weights, 1e-13);
      CHECK(found.weights.shape() == Shape{B, heads, Ty, Tx});
    }
  }
}

TEST_CASE("with blockwise self-attention the layers are the same up to rounding, and drop the same weights") {
  for (NormPlace place : places) {
    TransformerOptions in_tiles = options(place);
    in_tiles.blockwise = true;
    Rng of_encoder(1), of_decoder(1);
    EncoderLayer plain = encoder(place), tiles = shaken(EncoderLayer(in_tiles, of_encoder));
    for (const MaskMode& mode : mask_modes(Ty, Ty)) {
      INFO(mode.name);
      check_agree(tiles(Var(x), mode.mask), plain(Var(x), mode.mask), 1e-13);
    }
    const Attended expected = decoder(place)(Var(x), Var(memory));
    const Attended found = shaken(DecoderLayer(in_tiles, of_decoder))(Var(x), Var(memory));
    check_agree(found.context, expected.context, 1e-13);
    check_agree(found.weights, expected.weights, 1e-13);
    CHECK_FALSE(same_bits(found.context, expected.context));  // else the option would do nothing

    plain.attention.dropout = tiles.attention.dropout = 0.5;
    Rng rng(3), again(3);
    CHECK(same_bits(tiles(Var(x), {}, &rng), plain(Var(x), {}, &again)));
  }
}

TEST_CASE("where the norm stands before, blocks that give 0 leave a straight path") {
  EncoderLayer layer = encoder(NormPlace::before);
  for (Linear* last : {&layer.attention.output, &layer.feed_forward.narrow}) {
    last->weight = Var(Tensor::zeros(last->weight.shape(), DType::float64));
    last->bias = Var(Tensor::zeros(last->bias.shape(), DType::float64));
  }
  check_agree(layer(Var(x)), Var(x), 0);
}

TEST_CASE("an encoder layer does not know the order of its positions") {
  const Tensor order = Tensor::from_ints({2, 0, 3, 1}, {Ty});
  for (NormPlace place : places) {
    const EncoderLayer layer = encoder(place);
    check_agree(layer(take(Var(x), 1, order)), take(layer(Var(x)), 1, order), 1e-13);
  }
}

TEST_CASE("a decoder layer has the derivative 0, exactly, with respect to later positions") {
  for (NormPlace place : places) {
    const Var in = Var::parameter(x);
    const Var y = decoder(place)(in, Var(memory)).context;
    for (Size i = 0; i < Ty; ++i) {
      const Var g = random_gradients(select(y, 1, i), {in})[0];
      for (Size j = 0; j < Ty; ++j) {
        const double influence = sum(abs(select(g, 1, j))).item();
        if (j <= i) CHECK(influence > 1e-3);
        if (j > i) CHECK(influence == 0);
      }
    }
  }
}

TEST_CASE("what stands in the padding of input and memory, NaN included, reaches neither results nor derivatives") {
  const std::vector<Size> lengths = {4, 2};
  for (NormPlace place : places) {
    const EncoderLayer encode = encoder(place);
    const DecoderLayer decode = decoder(place);
    check_padding_unseen([&](double filler) {
      Vars leaves = parameters(encode);
      leaves.push_back(Var::parameter(padded(x, lengths, filler)));
      const Var y = encode(leaves.back(), padding_mask(lengths, Ty));
      Vars result = random_gradients(y, leaves);
      result.push_back(y);

      leaves = parameters(decode);
      leaves.insert(leaves.end(), {Var::parameter(x), Var::parameter(padded(memory, lengths, filler))});
      const std::size_t n = leaves.size();
      const Attended z = decode(leaves[n - 2], leaves[n - 1], padding_mask(lengths, Tx));
      for (const Var& g : random_gradients(everything(z.context, z.weights), leaves)) result.push_back(g);
      result.push_back(z.context);

      DecoderCache cache;
      result.push_back(decode.step(Var(x), leaves[n - 1], cache, padding_mask(lengths, Tx)).context);
      return result;
    });
  }
}

TEST_CASE("a sequence of a batch does not depend on the others") {
  for (NormPlace place : places) {
    const Var encoded = encoder(place)(Var(x), padding_mask({4, 2}, Ty));
    const Var decoded = decoder(place)(Var(x), Var(memory), padding_mask({5, 3}, Tx)).context;
    for (Size b = 0; b < B; ++b) {
      const Mask own = padding_mask({b == 0 ? Size{4} : Size{2}}, Ty), of_memory = padding_mask({5 - 2 * b}, Tx);
      check_agree(encoder(place)(of_batch(Var(x), b), own), of_batch(encoded, b), 1e-13);
      check_agree(decoder(place)(of_batch(Var(x), b), of_batch(Var(memory), b), of_memory).context,
                  of_batch(decoded, b), 1e-13);
    }
  }
}

TEST_CASE("decoding step by step, or some at once, with the cache gives what decoding at once gives") {
  const Mask mask = padding_mask({5, 3}, Tx);
  const Tensor longer = random({B, 6, size}, DType::float64, 5);
  for (NormPlace place : places) {
    const DecoderLayer layer = decoder(place);
    const Attended whole = layer(Var(longer), Var(memory), mask);
    for (const std::vector<Size>& pieces : {std::vector<Size>{1, 1, 1, 1, 1, 1}, {6}, {2, 3, 1}}) {
      DecoderCache cache;
      Size first = 0;
      for (Size n : pieces) {
        const Attended found = layer.step(Var(slice(longer, 1, first, n)), Var(memory), cache, mask);
        check_agree(found.context, slice(whole.context, 1, first, n), 1e-12);
        check_agree(found.weights, slice(whole.weights, 2, first, n), 1e-12);
        first += n;
      }
      CHECK(cache.self.length() == 6);
    }
  }
}

TEST_CASE("a cache of another batch size throws and is left as it is") {
  const DecoderLayer layer = decoder(NormPlace::before);
  DecoderCache cache;
  const Var three(random({3, 1, size}));
  check_throws_with([&] { layer.step(three, Var(memory), cache); }, {"dot-product attention: ", "[3, 3, 1, 2]"});
  CHECK_FALSE(cache.self.key.defined());
  CHECK_FALSE(cache.memory_key.defined());
  layer.step(Var(x), Var(memory), cache);
  const Var before = cache.self.key;
  check_throws_with([&] { layer.step(three, Var(memory), cache); },
                    {"multi-head attention: ", "[2, 3, 4, 2]", "[3, 1, 6]"});
  CHECK(same_bits(cache.self.key, before));
}

TEST_CASE("dropout is drawn in training only") {
  Rng rng(1), noise(2);
  const EncoderLayer encode(options(NormPlace::before, 0.5), rng);
  const DecoderLayer decode(options(NormPlace::before, 0.5), rng);
  const Var in(random({B, Ty, size}, DType::float32)), states(random({B, Tx, size}, DType::float32));
  CHECK(same_bits(encode(in), encode(in)));
  CHECK_FALSE(same_bits(encode(in, {}, &noise), encode(in)));
  CHECK(same_bits(decode(in, states).context, decode(in, states).context));
  CHECK_FALSE(same_bits(decode(in, states, {}, &noise).context, decode(in, states).context));
}

TEST_CASE("the transformer's layers name what they learn") {
  std::string names;
  for (const auto& [name, parameter] : named_parameters(encoder(NormPlace::before))) names += name + " ";
  CHECK(names ==
        "attention.query_projection.weight attention.query_projection.bias attention.key_projection.weight "
        "attention.key_projection.bias attention.value_projection.weight attention.value_projection.bias "
        "attention.output.weight attention.output.bias feed_forward.widen.weight feed_forward.widen.bias "
        "feed_forward.narrow.weight feed_forward.narrow.bias attention_norm.gain attention_norm.bias "
        "feed_forward_norm.gain feed_forward_norm.bias ");
  const Size attention = 4 * size * (size + 1), forward = hidden * (size + 1) + size * (hidden + 1);
  CHECK(parameter_count(encoder(NormPlace::after)) == attention + forward + 4 * size);
  CHECK(parameter_count(decoder(NormPlace::after)) == 2 * attention + forward + 6 * size);
}

TEST_CASE("the transformer's layers refuse heads that do not divide the width, and inputs of other shapes") {
  Rng rng(1);
  const Rng before = rng;
  TransformerOptions odd = options(NormPlace::before);
  odd.heads = 4;
  check_throws_with([&] { EncoderLayer(odd, rng); }, {"multi-head attention: ", "4 heads", "6"});
  check_throws_with([&] { DecoderLayer(odd, rng); }, {"multi-head attention: ", "4 heads", "6"});
  odd.heads = 3;
  odd.hidden = 0;
  check_throws_with([&] { EncoderLayer(odd, rng); }, {"transformer: ", "width 0"});
  check_throws_with([&] { DecoderLayer(odd, rng); }, {"transformer: ", "width 0"});
  CHECK(rng == before);
  const DecoderLayer layer = decoder(NormPlace::before);
  check_throws_with([&] { layer(Var(random({Ty, size})), Var(memory)); }, {"decoder layer: ", "[4, 6]"});
  check_throws_with([&] { layer(Var(x), Var(memory), causal_mask(Ty, Ty)); }, {"mask: ", "[1, 1, 4, 4]", "[2, 5, 6]"});
}

TEST_CASE("an encoder layer drops weights of its attention and parts of each block's result, in that order") {
  Rng init(1);
  const EncoderLayer layer = shaken(EncoderLayer(options(NormPlace::before, 0.5), init));
  Rng one(7), other(7);
  const Var found = layer(Var(x), Mask(), &one);
  const Var attended = layer.attention(layer.attention_norm(Var(x)), Mask(), &other).context;
  const Var seen = Var(x) + dropout(attended, 0.5, &other);
  const Var expected = seen + dropout(widened(layer.feed_forward, layer.feed_forward_norm(seen)), 0.5, &other);
  check_agree(found, expected, 1e-13);
  CHECK(one == other);
}

TEST_CASE("a step whose feed-forward part throws leaves the cache as it is") {
  Rng rng(1);
  DecoderLayer layer(options(NormPlace::before), rng);
  layer.feed_forward.widen.weight = Var::parameter(Tensor::zeros({size + 1, hidden}));
  DecoderCache cache;
  const Var y(random({B, 1, size}, DType::float32)), states(random({B, Tx, size}, DType::float32));
  check_throws_with([&] { layer.step(y, states, cache); }, {"linear: "});
  CHECK(cache.self.length() == 0);
  CHECK_FALSE(cache.memory_key.defined());
}
