#include "tutorials/11_memory/halves_lesson.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include "tutorials/11_memory/halves.hpp"
#include "tutorials/11_memory/remembered.hpp"
#include "tutorials/11_memory/units.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter11 {

using namespace lesson;

namespace {

void formats_table(Claims& claims) {
  Table table({"", "largest", "least, all digits", "least above 0", "spacing at 1"});
  for (const DType dtype : {DType::float32, DType::float16, DType::bfloat16}) {
    const Format format = format_of(dtype);
    table.row({text(dtype), significant(format.largest, 5), significant(format.smallest_whole, 3),
               significant(format.smallest, 3), significant(format.spacing, 3)});
  }
  table.print();
  const Format half = format_of(DType::float16), brain = format_of(DType::bfloat16);
  claims.holds("float16: up to 65504, down to 2⁻²⁴, steps of 2⁻¹⁰ at 1",
               half.largest == 65504 && half.smallest == std::ldexp(1, -24) && half.spacing == std::ldexp(1, -10));
  claims.holds("bfloat16: the range of float32, steps of 2⁻⁷ at 1",
               brain.smallest_whole == format_of(DType::float32).smallest_whole && brain.spacing == std::ldexp(1, -7));
}

// The bytes of some ops together.
Size bytes_of(const std::vector<std::string>& ops, const std::vector<Kept>& kept) {
  Size bytes = 0;
  for (const std::string& op : ops) bytes += kept_bytes(kept, op);
  return bytes;
}

void kept_table(Claims& claims) {
  say("\nWhat an encoder layer keeps for 512 words, with its activations in float32 and in float16:\n");
  const std::vector<Kept> single = kept_by_encoder(512, DType::float32), half = kept_by_encoder(512, DType::float16);
  std::vector<std::string> all;
  for (const std::vector<Kept>* list : {&single, &half}) {
    for (const Kept& kept : *list) {
      if (std::find(all.begin(), all.end(), kept.op) == all.end()) all.push_back(kept.op);
    }
  }
  const std::vector<std::pair<std::string, std::vector<std::string>>> groups = {{"softmax", {"softmax"}},
                                                                                {"products", {"matmul", "linear"}},
                                                                                {"relu", {"relu"}},
                                                                                {"norms", {"standardize", "mul"}},
                                                                                {"all", all}};
  Table table({"", "float32", "float16", "of it"});
  for (const auto& [name, ops] : groups) {
    const Size one = bytes_of(ops, single), other = bytes_of(ops, half);
    table.row({name, count(one), count(other), fixed(ratio(other, one), 2)});
  }
  table.print();
  const auto of = [&](const std::vector<std::string>& ops) {
    return ratio(bytes_of(ops, half), bytes_of(ops, single));
  };
  claims.holds("softmax and relu: exactly half", of({"softmax"}) == 0.5 && of({"relu"}) == 0.5);
  claims.between("all that is kept", of(all), 0.5, 0.65);
}

void lost_update(const Options& options, Claims& claims) {
  say("A weight of 1 and 100 steps of 0.0001 downwards:\n");
  Table table({"the weight is held in", "after 100 steps"});
  for (const DType dtype : {DType::float32, DType::float16, DType::bfloat16}) {
    table.row({text(dtype), fixed(after_steps(dtype, 1e-4, 1, 100), 4)});
  }
  const double master = after_steps(options.breaks("no-master") ? DType::float16 : DType::float32, 1e-4, 1, 100);
  const double seen = rounded(master, DType::float16);
  table.row({"float32, read as float16", fixed(seen, 4)});
  table.print();
  claims.holds("in float16 and in bfloat16 every step is lost: 1 less 0.0001 is 1",
               after_steps(DType::float16, 1e-4, 1, 100) == 1 && after_steps(DType::bfloat16, 1e-4, 1, 100) == 1);
  claims.at_most("with the weight in float32: how far what float16 reads is from 0.99", std::fabs(seen - 0.99),
                 0.00025);
}

std::vector<Named> vanishing(const Options& options, std::uint64_t seed, Claims& claims) {
  const Size epochs = options.quick() ? 10 : 30;
  say(
      fill("\nHow many gradients vanish? A network of two hidden layers has learned the digits of chapter 10 for {} "
           "passes over its images. The derivatives of its loss (the mean over 1,437 images) with respect to the first "
           "hidden layer, and the share of them, other than 0 in float32, that are 0 when they come through float16:\n",
           {count(epochs)}));
  const Vanished found = vanished_gradients(epochs, seed);
  Table table({"", "vanished"});
  table.row({"the loss as it is", percent(found.without, 2)});
  table.row({"the loss times 65,536, the gradients divided by it", percent(found.with, 2)});
  table.print();
  claims.at_least("without a scale: share that vanishes", found.without, options.quick() ? 0.003 : 0.03);
  claims.below("with it", found.with, 0.001);
  return {{"gradients vanished, no scale", found.without}};
}

// What --break asks for.
Precision as_asked(Precision precision, const Options& options) {
  if (options.breaks("no-master")) precision.weights = precision.activations;
  if (options.breaks("no-scaling")) precision.scaled = false;
  return precision;
}

void small_loss(const Options& options, std::uint64_t seed, Claims& claims) {
  say("\nThe same network where its loss counts for a millionth, as one loss among many (the learning rate is a "
      "million times as large):\n");
  const Size epochs = 5;
  Precision single = precisions()[0], half = precisions()[1];
  single.share = half.share = 1e-6;
  Precision unscaled = half;
  unscaled.scaled = false;
  Table table({"activations", "loss at first", "in the last epoch", "exact on 360 unseen"});
  const auto row = [&](const std::string& name, const Precision& precision) {
    const Trained trained = train_digits(precision, 0.3, epochs, seed);
    table.row({name, fixed(trained.first_loss, 3), fixed(trained.loss, 3), percent(trained.accuracy)});
    return trained;
  };
  const Trained exact = row("float32", single), without = row("float16, no scale", unscaled),
                with = row("float16, scaled", as_asked(half, options));
  table.print();
  claims.at_least("float16, no scale: loss of the last epoch, in the first", without.loss / without.first_loss, 0.95);
  claims.at_most("float16, scaled: loss of the last epoch, from that of float32", std::fabs(with.loss - exact.loss),
                 0.1);
}

std::vector<Named> training(const Options& options, std::uint64_t seed, Claims& claims) {
  say("\nAnd trained with plain gradient descent, 20 passes over the images, at two learning rates. Master: the "
      "weights are held in float32 and rounded when they are used; alone: there are no others than those of 16 bits. "
      "Lost is "
      "the share of the updates of the last pass that left their weight as it was, exact that of 360 unseen images:\n");
  std::vector<Named> figures;
  double slowest = 1e9;
  for (const double rate : {0.3, 0.03}) {
    std::cout << "rate " << significant(rate, 2) << "\n";
    Table table({"numbers", "remembered", "weights", "time", "updates lost", "loss", "exact"});
    std::vector<Trained> all;
    for (const Precision& wanted : precisions()) {
      const Precision precision = as_asked(wanted, options);
      const Trained trained = train_digits(precision, rate, 20, seed);
      table.row({precision.name, count(trained.remembered), count(trained.weight_bytes),
                 fixed(1000 * trained.seconds, 0) + " ms", percent(trained.lost), fixed(trained.loss, 3),
                 percent(trained.accuracy)});
      const std::string where = ", " + wanted.name + ", rate " + significant(rate, 2);
      figures.emplace_back("accuracy" + where, trained.accuracy);
      if (precision.weights != DType::float32) figures.emplace_back("updates lost" + where, trained.lost);
      all.push_back(trained);
    }
    table.print();
    std::cout << "\n";
    const Trained &single = all[0], &half = all[1], &brain = all[2], &brain_alone = all[4];
    slowest = std::min(slowest, half.seconds / single.seconds);
    const std::string at = "rate " + significant(rate, 2) + ": ";
    claims.at_most(at + "updates lost with weights in float32, the most", std::max(half.lost, brain.lost), 0.02);
    claims.at_least(at + "updates lost by weights in bfloat16", brain_alone.lost, rate < 0.1 ? 0.7 : 0.3);
    claims.at_most(
        at + "points that float16 or bfloat16 are from float32, weights in float32",
        100 * std::max(std::fabs(half.accuracy - single.accuracy), std::fabs(brain.accuracy - single.accuracy)), 2);
    if (rate < 0.1) {
      const double behind = brain_alone.loss / single.loss;
      claims.at_least(at + "loss with weights in bfloat16, in that of float32", behind, 1.15);
      figures.emplace_back("loss, bfloat16 alone, in that of float32, rate 0.03", behind);
    }
    std::cout << "\n";
  }
  claims.at_least("time with activations in float16, in that of float32", slowest, 1);
  return figures;
}

}  // namespace

std::vector<Named> halves_section(const Options& options, std::uint64_t seed, Claims& claims) {
  heading("Half the bytes a number");
  formats_table(claims);
  kept_table(claims);
  heading("Small steps and small gradients");
  lost_update(options, claims);
  std::vector<Named> figures = vanishing(options, seed, claims);
  small_loss(options, seed, claims);
  if (options.quick()) return figures;
  const std::vector<Named> more = training(options, seed, claims);
  figures.insert(figures.end(), more.begin(), more.end());
  return figures;
}

}  // namespace attend::chapter11
