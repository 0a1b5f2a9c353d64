#include "tutorials/11_memory/running_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "autograd/checkpoint.hpp"
#include "autograd/grad.hpp"
#include "nn/attention/dot_product.hpp"
#include "tensor/random.hpp"
#include "tutorials/11_memory/running.hpp"
#include "tutorials/11_memory/sequences.hpp"
#include "tutorials/11_memory/units.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter11 {

using namespace lesson;

namespace {

Rescale rescale_of(const Options& options) { return options.breaks("no-rescale") ? Rescale::forgotten : Rescale::yes; }

std::string pair(const std::vector<double>& two) { return significant(two[0], 5) + ", " + significant(two[1], 5); }

// softmax(scores) · values of the example, with all scores at once.
double whole_example() {
  double sum = 0, normaliser = 0;
  for (const PaperStep& step : on_paper()) {
    for (std::size_t i = 0; i < step.scores.size(); ++i) {
      sum += std::exp(step.scores[i]) * step.values[i];
      normaliser += std::exp(step.scores[i]);
    }
  }
  return sum / normaliser;
}

void paper_table(const Options& options, Claims& claims) {
  say("The example on paper: one query, six keys in three blocks, values of one number.\n");
  const std::vector<PaperStep> steps = on_paper(0, rescale_of(options));
  Table table({"scores", "values", "maximum", "old ×", "normaliser", "sum", "context"});
  for (const PaperStep& step : steps) {
    table.row({pair(step.scores), pair(step.values), fixed(step.highest, 0), fixed(step.factor, 4),
               fixed(step.normaliser, 4), fixed(step.sum, 4), fixed(step.sum / step.normaliser, 4)});
  }
  table.print();
  const PaperStep& last = steps.back();
  claims.below("context, from softmax of all six at once", std::fabs(last.sum / last.normaliser - whole_example()),
               1e-13);
  const PaperStep far = on_paper(1000, rescale_of(options)).back();
  claims.below("the same with 1000 added to all scores", std::fabs(far.sum / far.normaliser - whole_example()), 1e-13);
}

// softmax(q kᵀ / √d) v with all scores at once.
Var all_at_once(const Vars& in, const Mask& mask) {
  const auto one_text = [](const Var& x) { return unsqueeze(x, 0); };
  return squeeze(scaled_dot_attention(one_text(in[0]), one_text(in[1]), one_text(in[2]), {mask}).context, {0});
}

// The largest difference to that, of results and of gradients.
template <class Attention>
double difference_to_whole(const Vars& in, const Attention& attention, const Mask& mask = {}) {
  const Var direction(Rng(9).normal({in[0].shape()[0], in[2].shape()[1]}, 0, 1, DType::float64));
  const Var expected = all_at_once(in, mask), found = attention(in);
  double worst = largest_difference(found.value(), expected.value());
  const Vars of_expected = grad(expected, in, direction), of_found = grad(found, in, direction);
  for (std::size_t i = 0; i < in.size(); ++i) {
    worst = std::max(worst, largest_difference(of_found[i].value(), of_expected[i].value()));
  }
  return worst;
}

void claim_equal(const Options& options, Claims& claims) {
  Rng rng(options.seed());
  constexpr Size Tq = 70, Tk = 100, d = 16, Dv = 8;  // of no block a multiple
  Vars in;
  for (const Shape& shape : {Shape{Tq, d}, Shape{Tk, d}, Shape{Tk, Dv}}) {
    in.push_back(Var::parameter(rng.normal(shape, 0, 3, DType::float64)));
  }
  say("\nLarge scores (up to about 60), 70 queries, 100 keys, float64; results and gradients:\n");
  Table table({"keys of a block", "running softmax", "blockwise_attention", "causal"});
  double worst_running = 0, worst_tiles = 0;
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  for (const Size block : {1, 7, 16, 64, 100}) {
    const auto tiles = [&](bool causal) {
      return [=](const Vars& x) { return blockwise_attention(x[0], x[1], x[2], {scale, {}, causal, block}); };
    };
    const double running = difference_to_whole(
        in, [&](const Vars& x) { return running_attention(x[0], x[1], x[2], block, rescale_of(options)); });
    const double whole = difference_to_whole(in, tiles(false));
    const double causal = difference_to_whole(in, tiles(true), causal_mask(Tq, Tk));
    table.row({count(block), significant(running, 2), significant(whole, 2), significant(causal, 2)});
    worst_running = std::max(worst_running, running);
    worst_tiles = std::max({worst_tiles, whole, causal});
  }
  table.print();
  claims.below("running softmax: largest difference", worst_running, 1e-12);
  claims.below("blockwise attention, also causal: largest difference", worst_tiles, 1e-12);
}

std::vector<double> peaks_of(const std::vector<std::vector<AtLength>>& measured, std::size_t form) {
  std::vector<double> peaks;
  for (const std::vector<AtLength>& row : measured) peaks.push_back(static_cast<double>(row[form].peak));
  return peaks;
}

void lengths_table(const std::vector<std::vector<AtLength>>& measured) {
  Table table({"T", "form", "kept", "peak", "of plain", "time", "of plain", "apart"});
  for (const std::vector<AtLength>& row : measured) {
    const AtLength& plain = row.front();
    for (const AtLength& at : row) {
      table.row({at.form == Form::plain ? count(at.T) : "", name_of(at.form), mebibytes(at.remembered),
                 mebibytes(at.peak), fixed(ratio(at.peak, plain.peak), 2), fixed(1000 * at.seconds, 0) + " ms",
                 fixed(at.seconds / plain.seconds, 2), significant(at.difference, 2)});
    }
  }
  table.print();
}

// What the page says of the longest text.
void claim_longest(const std::vector<AtLength>& longest, Claims& claims) {
  const AtLength &plain = longest[0], &tiled = longest[3];
  const Size input = plain.T * encoder_size * 4;
  claims.between("plain: tensors of the size of its input that a layer keeps",
                 ratio(plain.remembered / encoder_layers, input), 76, 80);
  const std::vector<std::pair<double, double>> peaks = {{1, 1}, {0.25, 0.31}, {0.74, 0.82}, {0.15, 0.19}, {0.03, 0.05}};
  for (std::size_t form = 1; form < longest.size(); ++form) {
    claims.between(name_of(longest[form].form) + ": peak, in that of plain", ratio(longest[form].peak, plain.peak),
                   peaks[form].first, peaks[form].second);
  }
  claims.at_most("blockwise: time, in that of plain", tiled.seconds / plain.seconds, 1.2);
}

}  // namespace

void running_section(const Options& options, Claims& claims) {
  heading("The running softmax");
  paper_table(options, claims);
  claim_equal(options, claims);
}

std::vector<Named> lengths_section(const Options& options, std::uint64_t seed, const std::string& picture,
                                   Claims& claims) {
  heading("Longer and longer");
  say(fill(
      "{} encoder layers with {} heads, width 64, one text of T words, forward and backward. Memory beyond text and "
      "parameters: what is kept when the backward pass begins, and the peak. Time of the processor, one thread. "
      "Apart: how long the difference from the plain gradients is, divided by their length. Both: blockwise, and in "
      "checkpoints.\n",
      {count(encoder_layers), count(encoder_heads)}));
  const std::vector<Size> lengths =
      options.quick() ? std::vector<Size>{64, 128, 256} : std::vector<Size>{128, 256, 512, 1024};
  std::vector<double> T;
  std::vector<std::vector<AtLength>> measured;
  for (const Size length : lengths) {
    T.push_back(static_cast<double>(length));
    measured.push_back(measure_length(length, options.quick() ? 1 : 3, seed));
  }
  lengths_table(measured);
  if (!picture.empty()) write_svg(lengths_chart(measured), picture);

  const std::vector<AtLength>& longest = measured.back();
  const AtLength &plain = longest[0], &checkpointed = longest[1], &half = longest[2], &tiled = longest[3];
  const double of_plain = exponent(T, peaks_of(measured, 0)), of_tiled = exponent(T, peaks_of(measured, 3));
  say(fill("\nWhere T doubles, the last time: plain {} × the peak, blockwise {} ×.",
           {fixed(ratio(plain.peak, measured[measured.size() - 2][0].peak), 2),
            fixed(ratio(tiled.peak, measured[measured.size() - 2][3].peak), 2)}));
  const Flipped relus = relus_on_the_other_side(longest[0].T, seed);
  say(fill(
      "Relus on the other side of 0 in the blockwise form, where rounding decides: {} of {}. The derivative of such "
      "a one jumps between 0 and 1.",
      {count(relus.flipped), count(relus.of)}));
  claims.at_least("plain: the peak grows as T to the power of", of_plain, options.quick() ? 1.2 : 1.6);
  claims.at_most("blockwise: the peak grows as T to the power of", of_tiled, 1.05);
  claims.at_most("checkpointed: difference", checkpointed.difference, 0);
  claims.at_most("half: difference", half.difference, 0.02);
  claims.at_most("blockwise: difference", tiled.difference,
                 relus.flipped == 0 ? 1e-6 : 1e-3 * static_cast<double>(relus.flipped));
  claims.between("half: kept, in what plain does", ratio(half.remembered, plain.remembered), 0.5, 0.65);
  if (!options.quick()) claim_longest(longest, claims);
  return {{"difference, half, T = 1024", half.difference}};
}

void gradients_section(std::uint64_t seed, Claims& claims) {
  heading("Are the derivatives right?");
  Rng rng(seed);
  GradcheckOptions settings;
  settings.seed = seed;
  const auto normal = [&](const Shape& shape) { return rng.normal(shape, 0, 1, DType::float64); };
  const std::vector<Tensor> inputs = {normal({3, 4}), normal({5, 4}), normal({5, 2})};
  const auto blockwise = [](const Vars& x) { return blockwise_attention(x[0], x[1], x[2], {0.5, {}, false, 2}); };
  const auto tanh_of_product = [](const Vars& x) { return tanh(matmul(x[0], x[1])); };
  claim_gradients({gradcheck(
                       "running softmax, blocks of 2",
                       [](const Vars& x) { return running_attention(x[0], x[1], x[2], 2); }, inputs, settings),
                   gradcheck("blockwise attention, blocks of 2", blockwise, inputs, settings),
                   gradcheck(
                       "tanh(x W) in a checkpoint", [&](const Vars& x) { return checkpoint(tanh_of_product, x); },
                       {normal({3, 4}), normal({4, 2})}, settings)},
                  claims);
}

}  // namespace attend::chapter11
