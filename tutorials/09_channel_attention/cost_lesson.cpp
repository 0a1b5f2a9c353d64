#include "tutorials/09_channel_attention/cost_lesson.hpp"

#include "tutorials/09_channel_attention/cost.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter09 {

using namespace lesson;

namespace {

std::string millions(Size n) { return fixed(static_cast<double>(n) / 1e6, 2) + " M"; }
double share(Size part, Size whole) { return static_cast<double>(part) / static_cast<double>(whole); }

void resnet_table(Claims& claims) {
  const Cost50 all = resnet50();
  say(fill(
      "ResNet-50 for one image of 224 × 224 pixels has {} numbers to learn and {} multiplications, counted from the "
      "sizes of its layers. The two layers of SE behind each of its 16 blocks add:\n",
      {millions(all.parameters), millions(all.multiplications)}));
  Table table({"r", "numbers to learn", "added", "multiplications", "added"});
  for (Size r : {4, 16, 32, 64}) {
    const Cost50 added = excitations(r);
    table.row({count(r), millions(added.parameters), percent(share(added.parameters, all.parameters)),
               millions(added.multiplications), percent(share(added.multiplications, all.multiplications), 3)});
  }
  table.print();
  const double of_all = share(excitations(16).multiplications, all.multiplications);
  const double saved = share(excitations(16).multiplications - excitations(64).multiplications, all.multiplications);
  claims.below("r = 16: multiplications added", 100 * of_all, 1, " %");
  claims.at_least("r = 16: numbers to learn added", 100 * share(excitations(16).parameters, all.parameters), 9, " %");
  claims.below("from r = 16 to r = 64: multiplications saved, of all", 100 * saved, 0.1, " %");
  say(fill("From 15 to 22 frames a second, each frame takes {} less time.", {percent(1 - 15.0 / 22.0)}));
}

void block_table(const Options& options, Claims& claims) {
  const Size repetitions = options.quick() ? 3 : 15;
  const Measured block = measure_block(repetitions);
  say("\nThe same, run: one block of the third stage (1024 channels to 256 and back, 14 × 14 positions) and the SE "
      "behind it. Multiplications as the counter of this library finds them, pooling and weighing included; time on "
      "this "
      "machine, median.\n");
  Table table({"", "numbers", "multiplications", "of two layers", "time", "of the block's"});
  const auto milliseconds = [](double seconds) { return fixed(1000 * seconds, 2) + " ms"; };
  table.row(
      {"the block", count(block.parameters), count(block.multiplications), "-", milliseconds(block.seconds), "-"});
  bool as_computed = true;
  for (Size r : {4, 16, 32, 64}) {
    const Measured se = measure_excitation(r, 5 * repetitions);
    table.row({"SE r=" + std::to_string(r), count(se.parameters), count(se.multiplications), count(se.matmul),
               milliseconds(se.seconds), percent(se.seconds / block.seconds)});
    as_computed = as_computed && se.matmul == 2 * 1024 * 1024 / r && se.parameters == se.matmul;
  }
  table.print();
  claims.holds("the two layers: 2 C² / r numbers, and as many multiplications by the counter", as_computed);
}

}  // namespace

void cost_section(const Options& options, Claims& claims) {
  heading("What it costs, and what r saves");
  resnet_table(claims);
  block_table(options, claims);
}

}  // namespace attend::chapter09
