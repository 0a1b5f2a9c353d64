// The layers of attention, positions, the transformer and channel attention, in every mode: derivatives to order 2 with
// respect to inputs and parameters, parameters that are visited, nothing left alive.
#include "nn/attention/channel.hpp"
#include "nn/attention/dot_product.hpp"
#include "nn/attention/head_forms.hpp"
#include "nn/attention/image.hpp"
#include "nn/attention/multi_head.hpp"
#include "nn/attention/self_attention.hpp"
#include "nn/attention/squeeze_excitation.hpp"
#include "nn/position/relative.hpp"
#include "nn/position/rotary.hpp"
#include "nn/position/sinusoidal.hpp"
#include "nn/position/three_d.hpp"
#include "nn/transformer.hpp"
#include "nn/vision_transformer.hpp"
#include "tests/nn/attention/by_hand.hpp"
#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// Tq, Tk and all other sizes differ.
constexpr Size B = 2, Tq = 3, Tk = 4, size = 6, heads = 3;

Tensor input(const Shape& shape, std::uint64_t seed = 11) { return random(shape, DType::float64, seed); }

Var both(const Attended& found) { return everything(found.context, found.weights); }

// A bias of the keys adds the same to all scores of a query, so that its derivative is 0; the rows leave it out.
void without_key_bias(MultiHeadAttention& layer) { layer.key_projection.bias = Var(); }

// Biases that leave every relu well away from its kink, on one side or the other.
void away_from_kinks(FeedForward& layer) { layer.widen.bias = Var::parameter(numbers({3, -3, 4}, {3})); }

std::vector<LayerRow> dot_rows() {
  Rng rng(21);
  const std::vector<Tensor> inputs = {input({B, Tq, 5}), input({B, Tk, 5}, 2), input({B, Tk, 2}, 3)};
  const std::vector<Tensor> in_heads = {input({B, 3, Tq, 2}), input({B, 3, Tk, 2}, 2), input({B, 3, Tk, 4}, 3)};
  const GeneralAttention general(5, 3, rng);
  std::vector<LayerRow> rows;
  for (const MaskMode& mode : mask_modes(Tq, Tk)) {
    const Mask mask = mode.mask;
    rows.push_back(function_row("dot_attention, " + mode.name, inputs,
                                [mask](const Vars& xs) { return both(dot_attention(xs[0], xs[1], xs[2], mask)); }));
    rows.push_back(function_row("scaled_dot_attention, " + mode.name, inputs, [mask](const Vars& xs) {
      return both(scaled_dot_attention(xs[0], xs[1], xs[2], {mask}));
    }));
    rows.push_back(function_row("scaled_dot_attention, heads, " + mode.name, in_heads, [mask](const Vars& xs) {
      return both(scaled_dot_attention(xs[0], xs[1], xs[2], {mask}));
    }));
    rows.push_back(layer_row(
        "GeneralAttention, " + mode.name, general, {inputs[0], input({B, Tk, 3}, 4), inputs[2]},
        [mask](const GeneralAttention& layer, const Vars& xs) { return both(layer(xs[0], xs[1], xs[2], mask)); }));
  }
  std::vector<Tensor> with_bias = in_heads;
  with_bias.push_back(input({1, 3, Tq, Tk}, 4));
  rows.push_back(function_row("scaled_dot_attention, bias, causal", with_bias, [](const Vars& xs) {
    return both(scaled_dot_attention(xs[0], xs[1], xs[2], {causal_mask(Tq, Tk), xs[3]}));
  }));
  rows.push_back(function_row("scaled_dot_attention, dropout", inputs, [](const Vars& xs) {
    Rng draw(5);  // the same at every call
    return both(scaled_dot_attention(xs[0], xs[1], xs[2], {Mask(), Var(), 0.4, &draw}));
  }));
  return rows;
}

std::vector<LayerRow> self_rows() {
  Rng rng(22);
  const SelfAttention one = shaken(SelfAttention(3, rng));
  const SharedHeadAttention shared = shaken(SharedHeadAttention(4, 2, rng));
  MultiHeadAttention looped = shaken(MultiHeadAttention(4, 2, rng));
  without_key_bias(looped);
  std::vector<LayerRow> rows;
  for (const MaskMode& mode : mask_modes(Tk, Tk)) {
    const auto apply = [mask = mode.mask](const auto& layer, const Vars& xs) { return both(layer(xs[0], mask)); };
    rows.push_back(layer_row("SelfAttention, " + mode.name, one, {input({B, Tk, 3})}, apply));
    rows.push_back(layer_row("SharedHeadAttention, " + mode.name, shared, {input({B, Tk, 4})}, apply));
    rows.push_back(layer_row("attend_in_a_loop, " + mode.name, looped, {input({B, Tk, 4})},
                             [mask = mode.mask](const MultiHeadAttention& layer, const Vars& xs) {
                               return both(attend_in_a_loop(layer, xs[0], mask));
                             }));
    rows.push_back(layer_row("attend_by_einsum, " + mode.name, looped, {input({B, Tk, 4})},
                             [mask = mode.mask](const MultiHeadAttention& layer, const Vars& xs) {
                               return both(attend_by_einsum(layer, xs[0], mask));
                             }));
  }
  return rows;
}

std::vector<LayerRow> multi_head_rows() {
  Rng rng(23);
  MultiHeadOptions grouped;
  grouped.key_size = 2;
  grouped.value_size = 5;
  grouped.kv_heads = 1;
  MultiHeadAttention cross = shaken(MultiHeadAttention(size, heads, rng, grouped));
  MultiHeadAttention self = shaken(MultiHeadAttention(size, heads, rng));
  without_key_bias(cross);
  without_key_bias(self);
  MultiHeadAttention alone = self;
  alone.want_weights = false;
  std::vector<LayerRow> rows;
  for (const MaskMode& mode : mask_modes(Tq, Tk)) {
    rows.push_back(layer_row("MultiHeadAttention, one key/value head, " + mode.name, cross,
                             {input({B, Tq, size}), input({B, Tk, 2}, 2), input({B, Tk, 5}, 3)},
                             [mask = mode.mask](const MultiHeadAttention& layer, const Vars& xs) {
                               return both(layer(xs[0], xs[1], xs[2], mask));
                             }));
  }
  for (const MaskMode& mode : mask_modes(Tq, Tq)) {
    rows.push_back(layer_row(
        "MultiHeadAttention, of itself, " + mode.name, self, {input({B, Tq, size})},
        [mask = mode.mask](const MultiHeadAttention& layer, const Vars& xs) { return both(layer(xs[0], mask)); }));
  }
  for (const MaskMode& mode : mask_modes(Tq, Tq)) {
    rows.push_back(layer_row(
        "MultiHeadAttention, without weights, " + mode.name, alone, {input({B, Tq, size})},
        [mask = mode.mask](const MultiHeadAttention& layer, const Vars& xs) { return layer(xs[0], mask).context; }));
  }
  rows.push_back(layer_row("MultiHeadAttention, step by step", self, {input({B, 3, size})},
                           [](const MultiHeadAttention& layer, const Vars& xs) {
                             KeyValueCache cache;
                             const Attended first = layer.step(slice(xs[0], 1, 0, 2), cache);
                             const Attended last = layer.step(slice(xs[0], 1, 2, 1), cache);
                             return concat({both(first), both(last)}, 0);
                           }));
  return rows;
}

std::vector<LayerRow> position_rows() {
  Rng rng(24);
  const auto apply = [](const auto& layer, const Vars& xs) { return exp(0.3 * layer(xs[0])); };
  RelativeAttention relative = shaken(RelativeAttention(4, 2, 1, rng));
  without_key_bias(relative.heads);
  std::vector<LayerRow> rows = {
      function_row("add_sinusoidal_positions", {input({B, Tq, 5})},
                   [](const Vars& xs) { return exp(0.3 * add_sinusoidal_positions(xs[0], 2)); }),
      function_row("rotary", {input({B, Tq, 4})}, [](const Vars& xs) { return exp(0.3 * rotary(xs[0], 2)); }),
      function_row("rotary_3d", {input({8, 6})},
                   [](const Vars& xs) {
                     return exp(0.3 * rotary_3d(xs[0], {2, 2, 2}));
                   }),
      layer_row("LearnedPositions", LearnedPositions(4, 5, rng), {input({B, Tq, 5})}, apply),
      layer_row("T5Bias", T5Bias(2, rng, 4, 3), {},
                [](const T5Bias& layer, const Vars&) { return exp(layer(Tq, Tk)); }),
      layer_row("WindowBias", WindowBias(2, 2, 2, rng), {},
                [](const WindowBias& layer, const Vars&) { return exp(layer()); })};
  for (const MaskMode& mode : mask_modes(Tq, Tq)) {
    rows.push_back(layer_row(
        "RelativeAttention, " + mode.name, relative, {input({B, Tq, 4})},
        [mask = mode.mask](const RelativeAttention& layer, const Vars& xs) { return both(layer(xs[0], mask)); }));
  }
  return rows;
}

std::vector<LayerRow> transformer_rows() {
  std::vector<LayerRow> rows;
  for (NormPlace place : {NormPlace::before, NormPlace::after}) {
    const std::string where = place == NormPlace::before ? ", norm before, " : ", norm after, ";
    Rng rng(25);
    const TransformerOptions options = {4, 2, 3, 0, place};
    EncoderLayer encoder = shaken(EncoderLayer(options, rng));
    DecoderLayer decoder = shaken(DecoderLayer(options, rng));
    for (MultiHeadAttention* each : {&encoder.attention, &decoder.self_attention, &decoder.memory_attention}) {
      without_key_bias(*each);
    }
    away_from_kinks(encoder.feed_forward);
    away_from_kinks(decoder.feed_forward);
    for (const MaskMode& mode : mask_modes(Tq, Tq)) {
      rows.push_back(
          layer_row("EncoderLayer" + where + mode.name, encoder, {input({B, Tq, 4}, 15)},
                    [mask = mode.mask](const EncoderLayer& layer, const Vars& xs) { return layer(xs[0], mask); }));
    }
    for (const MaskMode& mode : mask_modes(2, Tq)) {
      rows.push_back(layer_row(
          "DecoderLayer" + where + mode.name, decoder, {input({B, 2, 4}, 16), input({B, Tq, 4}, 17)},
          [mask = mode.mask](const DecoderLayer& layer, const Vars& xs) { return both(layer(xs[0], xs[1], mask)); }));
    }
  }
  return rows;
}

std::vector<LayerRow> channel_rows() {
  Rng rng(26);
  const auto apply = [](const auto& layer, const Vars& xs) { return layer(xs[0]); };
  const Tensor x = apart({2, 4, 2, 3});
  return {layer_row("SqueezeExcitation", shaken(SqueezeExcitation(4, 2, rng)), {x}, apply),
          layer_row("SqueezeExcitation, biases", shaken(SqueezeExcitation(4, 2, rng, true)), {x}, apply),
          layer_row("ChannelAttention", shaken(ChannelAttention(4, rng, 2)), {x}, apply),
          layer_row("SpatialAttention", shaken(SpatialAttention(rng, 3)), {x}, apply),
          layer_row("CBAM", shaken(CBAM(4, rng, 2), 7, 0.2), {x}, apply),
          layer_row("ECA", shaken(ECA(4, rng)), {x}, apply),
          layer_row("ECA, a kernel of 3", shaken(ECA(8, rng)), {input({2, 8, 1, 2})}, apply)};
}

// Gain and bias that lead every number to the smooth side of the relu behind: a channel that is 0 has no slope.
void away_from_kinks(BatchNorm& norm, double bias) {
  const Shape channels = norm.gain.shape();
  norm.gain = Var::parameter((0.2 * bias + 0.05 * Var(input(channels, 3))).value());
  norm.bias = Var::parameter((bias + 0.05 * Var(input(channels, 4))).value());
}

std::vector<LayerRow> bottleneck_rows() {
  Rng rng(29);
  AttentionBottleneck layer = shaken(AttentionBottleneck(3, 4, 2, 2, 3, rng), 5, 1);
  // Not the norm in the middle: were its relu the identity, the last norm would undo its bias.
  away_from_kinks(layer.narrow_norm, 1.2);
  away_from_kinks(layer.widen_norm, 5);
  std::vector<LayerRow> rows;
  for (Mode mode : {Mode::training, Mode::evaluation}) {
    rows.push_back(layer_row(
        std::string("AttentionBottleneck, ") + (mode == Mode::training ? "training" : "evaluation"), layer,
        {input({2, 3, 2, 3}, 12)}, [mode](AttentionBottleneck block, const Vars& xs) { return block(xs[0], mode); }));
  }
  return rows;
}

std::vector<LayerRow> image_rows() {
  Rng rng(28);
  const Tensor x = input({2, 3, 2, 3}, 12);
  const auto apply = [](const auto& layer, const Vars& xs) { return layer(xs[0]); };
  VisionOptions tiny = {2, 2, 4, 2, 3, 1, {4, 2, 3, 0, NormPlace::before}};
  VisionTransformer vision = shaken(VisionTransformer(tiny, rng));
  without_key_bias(vision.layers[0].attention);
  away_from_kinks(vision.layers[0].feed_forward);
  return {layer_row("ImageAttention", shaken(ImageAttention(3, 4, 2, 2, 2, 3, rng)), {x},
                    [](const ImageAttention& layer, const Vars& xs) { return both(layer(xs[0])); }),
          layer_row("AugmentedConv2d", shaken(AugmentedConv2d(3, 5, 3, 4, 2, 2, 2, 3, rng)), {x}, apply),
          layer_row("AugmentedConv2d, no attention", shaken(AugmentedConv2d(3, 2, 1, 2, 0, 1, 2, 3, rng)), {x}, apply),
          layer_row("VisionTransformer", vision, {input({2, 2, 2, 4}, 13)}, apply)};
}

std::vector<LayerRow> all_rows() {
  std::vector<LayerRow> all;
  for (const auto& rows : {dot_rows(), self_rows(), multi_head_rows(), position_rows(), transformer_rows(),
                           channel_rows(), image_rows(), bottleneck_rows()}) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

}  // namespace

TEST_CASE("the derivatives of every attention layer agree with difference quotients to order 2, in every mask mode") {
  check_derivatives(all_rows());
}

TEST_CASE("an attention layer visits every parameter that its output depends on, and no other") {
  check_visits(all_rows());
}

TEST_CASE("an attention layer leaves nothing alive, with and without a backward pass") {
  check_nothing_alive(all_rows());
}

TEST_CASE("an attention layer gives the same in float32 as in float64, as far as float32 reaches") {
  check_narrow(all_rows(), 2e-5);
}

TEST_CASE("attention with constants in the place of inputs and parameters leaves no history") {
  check_constants(all_rows());
}

TEST_CASE("a bias of the keys changes nothing: it adds the same to all scores of a query") {
  Rng rng(27);
  const MultiHeadAttention layer = shaken(MultiHeadAttention(size, heads, rng));
  const Attended found = layer(Var(input({B, Tq, size})), Var(input({B, Tk, size}, 2)), Var(input({B, Tk, size}, 3)));
  const Var g = random_gradients(both(found), {layer.key_projection.bias})[0];
  check_close(g, {size}, std::vector<double>(size, 0), 1e-14);
}
