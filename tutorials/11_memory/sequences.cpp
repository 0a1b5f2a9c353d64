#include "tutorials/11_memory/sequences.hpp"

#include <algorithm>
#include <cmath>

#include "autograd/autocast.hpp"
#include "autograd/checkpoint.hpp"
#include "autograd/grad.hpp"
#include "nn/optimizer.hpp"
#include "nn/transformer.hpp"
#include "tensor/live.hpp"
#include "tutorials/11_memory/units.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/stopwatch.hpp"

namespace attend::chapter11 {
namespace {

constexpr Size size = encoder_size, hidden = 256;

struct Stack {
  std::vector<EncoderLayer> encoder;
  std::vector<ChainLayer> layers;  // the same, as a checkpoint takes them
  Vars parameters;

  Stack(bool blockwise, std::uint64_t seed) {
    Rng rng(seed);
    TransformerOptions options{size, encoder_heads, hidden};
    options.blockwise = blockwise;
    for (Size i = 0; i < encoder_layers; ++i) {
      const EncoderLayer layer(options, rng);
      for (const Var& parameter : attend::parameters(layer)) parameters.push_back(parameter);
      encoder.push_back(layer);
      layers.push_back([layer](const Var& x, Rng*) { return layer(x); });
    }
  }
};

// One pass in one form; fills bytes and seconds, gives the gradients.
Vars pass(const Stack& stack, const Var& x, AtLength& at) {
  const auto now = [] { return static_cast<Size>(live().bytes); };
  const bool checkpointed = at.form == Form::checkpointed || at.form == Form::both;
  const Autocast scope(at.form == Form::half ? DType::float16 : DType::float32);
  const Size before = now();
  reset_peak();
  const lesson::ProcessorStopwatch watch;
  Var loss = checkpoint_sequential(stack.layers, x, checkpointed ? encoder_layers : 1);
  loss = mean(loss * loss);
  at.remembered = now() - before;
  const Vars gradients = grad(std::move(loss), stack.parameters);
  at.seconds = std::min(at.seconds, watch.seconds());
  at.peak = static_cast<Size>(live().peak_bytes) - before;
  return gradients;
}

Var text_of(Size T, std::uint64_t seed) { return Rng(seed + 1).normal({1, T, size}, 0, 1); }

// What goes into the relus of the feed-forward part.
std::vector<double> before_relu(const EncoderLayer& layer, const Var& x) {
  const Var seen = x + layer.attention(layer.attention_norm(x)).context;
  return layer.feed_forward.widen(layer.feed_forward_norm(seen)).value().to_vector();
}

double relative_difference(const Vars& found, const Vars& expected) {
  Vars differences;
  for (std::size_t i = 0; i < found.size(); ++i) differences.push_back(found[i] - expected[i]);
  return norm_of(differences) / norm_of(expected);
}

}  // namespace

const std::vector<Form>& forms() {
  static const std::vector<Form> all = {Form::plain, Form::checkpointed, Form::half, Form::blockwise, Form::both};
  return all;
}

std::string name_of(Form form) {
  switch (form) {
    case Form::plain:
      return "plain";
    case Form::checkpointed:
      return "checkpointed";
    case Form::half:
      return "half";
    case Form::blockwise:
      return "blockwise";
    case Form::both:
      return "both";
  }
  return "";
}

std::vector<AtLength> measure_length(Size T, int passes, std::uint64_t seed) {
  const Stack composed(false, seed), tiled(true, seed);  // the same parameters
  const Var x = text_of(T, seed);
  std::vector<AtLength> measured;
  for (const Form form : forms()) measured.push_back({form, T, 0, 0, 1e9, 0});
  Vars plain;
  for (int i = 0; i < passes; ++i) {
    for (AtLength& at : measured) {
      const bool blockwise = at.form == Form::blockwise || at.form == Form::both;
      const Vars gradients = pass(blockwise ? tiled : composed, x, at);
      if (at.form == Form::plain) plain = gradients;
      at.difference = relative_difference(gradients, plain);
    }
  }
  return measured;
}

Flipped relus_on_the_other_side(Size T, std::uint64_t seed) {
  const Recording off(false);
  const Stack composed(false, seed), tiled(true, seed);
  Var x = text_of(T, seed), y = x;
  Flipped relus{0, 0};
  for (std::size_t i = 0; i < composed.encoder.size(); ++i) {
    const std::vector<double> one = before_relu(composed.encoder[i], x), other = before_relu(tiled.encoder[i], y);
    for (std::size_t k = 0; k < one.size(); ++k) relus.flipped += (one[k] > 0) != (other[k] > 0) ? 1 : 0;
    relus.of += static_cast<Size>(one.size());
    x = composed.encoder[i](x);
    y = tiled.encoder[i](y);
  }
  return relus;
}

lesson::Chart lengths_chart(const std::vector<std::vector<AtLength>>& measured) {
  lesson::Chart chart{"MiB at the peak of a step", "T", {}, {}, 0, 0, 1};
  for (const AtLength& at : measured.front()) {
    if (at.form != Form::both) chart.series.push_back({name_of(at.form), {}});
  }
  for (const std::vector<AtLength>& row : measured) {
    chart.places.push_back(lesson::count(row.front().T));
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const double peak = in_mebibytes(row[s].peak);
      chart.series[s].points.push_back({peak, peak, peak});
      chart.high = std::max(chart.high, 40 * std::ceil(peak / 40));  // four even parts
    }
  }
  return chart;
}

}  // namespace attend::chapter11
