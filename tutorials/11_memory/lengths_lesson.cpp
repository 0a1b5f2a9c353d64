#include "tutorials/11_memory/lengths_lesson.hpp"

#include <algorithm>

#include "tutorials/11_memory/sequences.hpp"
#include "tutorials/11_memory/units.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter11 {

using namespace lesson;

namespace {

const AtLength& in_form(Form form, const std::vector<AtLength>& row) {
  return *std::find_if(row.begin(), row.end(), [&](const AtLength& at) { return at.form == form; });
}

std::vector<double> peaks_of(const std::vector<std::vector<AtLength>>& measured, Form form) {
  std::vector<double> peaks;
  for (const std::vector<AtLength>& row : measured) peaks.push_back(static_cast<double>(in_form(form, row).peak));
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
  const AtLength &plain = in_form(Form::plain, longest), &tiled = in_form(Form::blockwise, longest);
  const Size input = plain.T * encoder_size * width(DType::float32);
  claims.between("plain: tensors of the size of its input that a layer keeps",
                 ratio(plain.remembered / encoder_layers, input), 76, 80);
  struct Share {
    Form form;
    double least, most;
  };
  for (const auto& [form, least, most] : {Share{Form::checkpointed, 0.25, 0.31}, Share{Form::half, 0.74, 0.82},
                                          Share{Form::blockwise, 0.15, 0.19}, Share{Form::both, 0.03, 0.05}}) {
    claims.between(name_of(form) + ": peak, in that of plain", ratio(in_form(form, longest).peak, plain.peak), least,
                   most);
  }
  claims.at_most("blockwise: time, in that of plain", tiled.seconds / plain.seconds, 1.2);
}

}  // namespace

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
  const AtLength &plain = in_form(Form::plain, longest), &checkpointed = in_form(Form::checkpointed, longest),
                 &half = in_form(Form::half, longest), &tiled = in_form(Form::blockwise, longest);
  const std::vector<double> peaks = peaks_of(measured, Form::plain), tiled_peaks = peaks_of(measured, Form::blockwise);
  const auto last_growth = [](const std::vector<double>& all) { return all.back() / all[all.size() - 2]; };
  say(fill("\nWhere T doubles, the last time: plain {} × the peak, blockwise {} ×.",
           {fixed(last_growth(peaks), 2), fixed(last_growth(tiled_peaks), 2)}));
  const Flipped relus = relus_on_the_other_side(plain.T, seed);
  say(fill(
      "Relus on the other side of 0 in the blockwise form, where rounding decides: {} of {}. The derivative of such "
      "a one jumps between 0 and 1.",
      {count(relus.flipped), count(relus.of)}));
  claims.at_least("plain: the peak grows as T to the power of", exponent(T, peaks), options.quick() ? 1.2 : 1.6);
  claims.at_most("blockwise: the peak grows as T to the power of", exponent(T, tiled_peaks), 1.05);
  claims.at_most("checkpointed: difference", checkpointed.difference, 0);
  claims.at_most("half: difference", half.difference, 0.02);
  claims.at_most("blockwise: difference", tiled.difference,
                 relus.flipped == 0 ? 1e-6 : 1e-3 * static_cast<double>(relus.flipped));
  claims.between("half: kept, in what plain does", ratio(half.remembered, plain.remembered), 0.5, 0.65);
  if (!options.quick()) claim_longest(longest, claims);
  return {{"difference, half, T = 1024", half.difference}};
}

}  // namespace attend::chapter11
