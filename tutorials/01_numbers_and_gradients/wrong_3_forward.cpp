// Wrong answers to exercise 3, each with the bug that the check must name.
#include "tutorials/01_numbers_and_gradients/exercise_3_forward.hpp"

namespace attend::chapter_01 {
namespace {

using Slopes = std::vector<double>;

std::size_t index(Size place) { return static_cast<std::size_t>(place); }

// The walk forward, with `combine` in place of "add slope of the use times slope of the input".
template <class Combine>
Slopes walk(const Tape& tape, Size x, Combine combine) {
  Slopes slopes(tape.numbers.size(), 0.0);
  slopes[index(x)] = 1;
  for (std::size_t i = index(x) + 1; i < slopes.size(); ++i) {
    for (const Use& use : tape.numbers[i].uses) combine(slopes[i], use, slopes[index(use.input)]);
  }
  return slopes;
}

namespace unsolved {
Slopes slopes_along(const Tape& tape, Size) { return Slopes(tape.numbers.size(), 0.0); }
}  // namespace unsolved

namespace cut_short {
Slopes slopes_along(const Tape&, Size x) { return Slopes(index(x) + 1, 1.0); }
}  // namespace cut_short

namespace last_use {
Slopes slopes_along(const Tape& tape, Size x) {
  return walk(tape, x, [](double& slope, const Use& use, double of_input) { slope = use.slope * of_input; });
}
}  // namespace last_use

namespace no_chain {
Slopes slopes_along(const Tape& tape, Size x) {
  return walk(tape, x, [](double& slope, const Use& use, double of_input) { slope += of_input == 0 ? 0 : use.slope; });
}
}  // namespace no_chain

namespace no_own_slope {
Slopes slopes_along(const Tape& tape, Size x) {
  return walk(tape, x, [](double& slope, const Use&, double of_input) { slope += of_input; });
}
}  // namespace no_own_slope

namespace added {
Slopes slopes_along(const Tape& tape, Size x) {
  return walk(tape, x, [](double& slope, const Use& use, double of_input) {
    slope += of_input == 0 ? 0 : use.slope + of_input;
  });
}
}  // namespace added

namespace youngest_first {
Slopes slopes_along(const Tape& tape, Size x) {
  Slopes slopes(tape.numbers.size(), 0.0);
  slopes[index(x)] = 1;
  for (std::size_t i = slopes.size(); i-- > index(x) + 1;) {
    for (const Use& use : tape.numbers[i].uses) slopes[i] += use.slope * slopes[index(use.input)];
  }
  return slopes;
}
}  // namespace youngest_first

namespace backward {
Slopes slopes_along(const Tape& tape, Size) {
  Slopes slopes(tape.numbers.size(), 0.0);
  slopes.back() = 1;
  for (std::size_t i = slopes.size(); i-- > 0;) {
    for (const Use& use : tape.numbers[i].uses) slopes[index(use.input)] += use.slope * slopes[i];
  }
  return slopes;
}
}  // namespace backward

namespace every_leaf {
Slopes slopes_along(const Tape& tape, Size) {
  Slopes slopes(tape.numbers.size(), 0.0);
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    if (tape.numbers[i].uses.empty()) slopes[i] = 1;
    for (const Use& use : tape.numbers[i].uses) slopes[i] += use.slope * slopes[index(use.input)];
  }
  return slopes;
}
}  // namespace every_leaf

namespace first_number {
Slopes slopes_along(const Tape& tape, Size) {
  return walk(tape, 0, [](double& slope, const Use& use, double of_input) { slope += use.slope * of_input; });
}
}  // namespace first_number

}  // namespace

std::vector<ForwardAnswer> forward_answers() {
  return {
      {"the hole is not filled", unsolved::slopes_along, "still 0"},
      {"too few slopes", cut_short::slopes_along, "one slope for each number"},
      {"= in place of +=", last_use::slopes_along, "only the last use"},
      {"the input's slope left out", no_chain::slopes_along, "slope of the number it uses is left out"},
      {"the use's slope left out", no_own_slope::slopes_along, "slope of the use is left out"},
      {"added, not multiplied", added::slopes_along, "added where they must be multiplied"},
      {"youngest first", youngest_first::slopes_along, "youngest first"},
      {"the walk back", backward::slopes_along, "the walk back"},
      {"every leaf begins with 1", every_leaf::slopes_along, "every leaf begins with 1"},
      {"always along the first number", first_number::slopes_along, "always along number 0"},
  };
}

}  // namespace attend::chapter_01
