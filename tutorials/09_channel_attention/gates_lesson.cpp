#include "tutorials/09_channel_attention/gates_lesson.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter09 {

using namespace lesson;

namespace {

// Do the channels that open for a cue listen to the digit that it means? In quarters of the order above.
void listening_table(const Network& network, const MeanGates& first_block) {
  const std::vector<std::size_t> order = by_difference(first_block);
  const std::vector<double> on_first = share_on_first_digit(network);
  Table table({"channels of block 1, in the order above", "gate, cue +", "gate, cue −", "kernel on the first digit"});
  const std::size_t quarter = order.size() / 4;
  for (std::size_t q = 0; q < 4; ++q) {
    const auto mean_of = [&](const std::vector<double>& values) {
      double sum = 0;
      for (std::size_t i = q * quarter; i < (q + 1) * quarter; ++i) sum += values[order[i]];
      return sum / static_cast<double>(quarter);
    };
    const std::string places = fill("{} to {}", {std::to_string(q * quarter + 1), std::to_string((q + 1) * quarter)});
    table.row({places, fixed(mean_of(first_block.plus), 2), fixed(mean_of(first_block.minus), 2),
               percent(mean_of(on_first))});
  }
  table.print();
}

}  // namespace

void gates_section(const CuedTask& task, const Network& network, const std::string& picture, Figures& figures,
                   Claims& claims) {
  heading("What the gates do");
  say("The mean gate of each channel over the test pairs with either cue; channels in order, from those that are more "
      "open for + to those that are more open for −.\n");
  const std::vector<MeanGates> means = mean_gates(network, task.cued_test);
  const Vars gates = network.gates(Var(task.cued_test.pixels));
  double gap = 0, least_sum = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < means.size(); ++b) {
    const std::string block = "block " + std::to_string(b + 1);
    const HeatMap map = heat_map(means[b], block);
    draw(map);
    const Range sums = gate_sums(gates[b]);
    say(fill("Largest difference between the cues: {}. Sum of an image's 32 gates: {} to {}.\n",
             {fixed(largest_gap(means[b]), 3), fixed(sums.low, 1), fixed(sums.high, 1)}));
    gap = std::max(gap, largest_gap(means[b]));
    least_sum = std::min(least_sum, sums.low);
    if (b == 0 && !picture.empty()) write_svg(map, picture);
  }
  listening_table(network, means[0]);
  claims.at_least("the channel whose gate the cue moves most: by", gap, 0.5);
  claims.at_least("the smallest sum of an image's gates (attention weights would sum to 1)", least_sum, 2);
  figures.emplace_back("largest move of a mean gate", gap);
}

void exchange_section(const CuedTask& task, const Network& network, Figures& figures, Claims& claims) {
  heading("Is the gate the reason? Exchange it");
  say("Each image keeps its own pixels, but its channels are weighed with other gates.\n");
  const Exchanged answers = exchange_gates(network, task.cued_test);
  Table table({"gates", "names the digit meant", "names the other one"});
  table.row({"its own", percent(answers.own), "-"});
  table.row({"of the same digits under the other cue", percent(answers.twin_meant), percent(answers.twin_other)});
  table.row({"mean over all images", percent(answers.mean_meant), "-"});
  table.print();
  say("(Where both digits have one class, both columns count the answer.)");
  claims.at_least("with the gates of the other cue it names the other digit", answers.twin_other, 0.8);
  claims.at_least("own gates, ahead of the mean gates", 100 * (answers.own - answers.mean_meant), 30, " points");
  figures.insert(figures.end(), {{"names the other digit with the other cue's gates", answers.twin_other},
                                 {"named right with mean gates", answers.mean_meant}});
}

}  // namespace attend::chapter09
