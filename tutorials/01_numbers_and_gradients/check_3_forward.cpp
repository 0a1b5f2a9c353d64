// The check of exercise 3: shape, tiny numbers, agreement with the walk back, differences.
#include <algorithm>
#include <cmath>

#include "tensor/random.hpp"
#include "tutorials/01_numbers_and_gradients/exercise_3_forward.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter01;
using namespace attend::lesson;

namespace {

using Slopes = std::vector<double>;

std::string listed(const Slopes& slopes) {
  std::string out;
  for (double slope : slopes) out += (out.empty() ? "[" : ", ") + significant(slope, 4);
  return out + "]";
}

void check_shape(const ForwardAnswer& answer, Steps& steps) {
  Tape tape;
  const Size a = tape.leaf(2);
  diamond(tape, a);
  const std::size_t found = answer.slopes_along(tape, a).size();
  if (found != tape.numbers.size()) {
    throw Mistake("The tape has " + std::to_string(tape.numbers.size()) + " numbers, and " + std::to_string(found) +
                      " slopes come back.",
                  "the answer holds one slope for each number, 0 where x has no effect.");
  }
  steps.passed("one slope for each number");
}

// On the diamond at a = 2 the usual bugs all give different slopes of (a, b, 3, b + 3, d).
std::string likely_bug(const Slopes& found) {
  if (found == Slopes{0, 0, 0, 0, 0})
    return "all slopes are still 0: begin with the slope 1 of x, then go on from there.";
  if (found == Slopes{1, 2, 0, 0, 0}) return "only the last use counts; the uses of a number add up (+=).";
  if (found == Slopes{1, 4, 0, 1, 11})
    return "the slope of the number it uses is left out: the chain rule multiplies both.";
  if (found == Slopes{1, 2, 0, 2, 4}) return "the slope of the use is left out: the chain rule multiplies both.";
  if (found == Slopes{1, 6, 0, 7, 24}) return "the two slopes are added where they must be multiplied.";
  if (found == Slopes{1, 4, 0, 0, 0}) return "the walk goes youngest first, and meets each user before what it uses.";
  if (found == Slopes{44, 11, 4, 4, 1}) return "this is the walk back: the slopes of the last number along all others.";
  if (found == Slopes{1, 4, 1, 5, 48}) return "every leaf begins with 1; only x may, the 3 does not move when x does.";
  return "none of the usual ones. Work out the five slopes on paper and compare them from the left.";
}

void check_numbers(const ForwardAnswer& answer, Steps& steps) {
  Tape tape;
  const Size a = tape.leaf(2);
  diamond(tape, a);
  const Slopes along_a = answer.slopes_along(tape, a), right = {1, 4, 0, 4, 44};
  if (along_a != right) {
    throw Mistake(
        "Along a, at 2, the slopes of a, b, 3, b + 3, d are " + listed(along_a) + ", expected " + listed(right) + ".",
        likely_bug(along_a));
  }
  const Slopes along_b = answer.slopes_along(tape, a + 1), right_b = {0, 1, 0, 1, 11};
  if (along_b != right_b) {
    throw Mistake("Along b, at 4, the slopes are " + listed(along_b) + ", expected " + listed(right_b) + ".",
                  along_b == right
                      ? "the slopes are always along number 0, whatever x is."
                      : "right along a leaf, wrong along a number in the middle: where does the walk begin?");
  }
  steps.passed("slopes of the diamond along a and along b");
}

// 20 numbers, each made from two that came before.
Tape random_tape(std::uint64_t seed, double moved_by) {
  Rng rng(seed);
  Tape tape;
  for (int i = 0; i < 4; ++i) tape.leaf(rng.normal() + (i == 0 ? moved_by : 0));
  while (tape.numbers.size() < 20) {
    const Size a = static_cast<Size>(rng.below(static_cast<std::int64_t>(tape.numbers.size())));
    const Size b = static_cast<Size>(rng.below(static_cast<std::int64_t>(tape.numbers.size())));
    if (rng.uniform() < 0.6) {
      tape.add(a, b);
    } else {
      tape.mul(a, b);
    }
  }
  return tape;
}

bool near(double a, double b, double tolerance) { return std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(b)); }

void check_random(const ForwardAnswer& answer, Steps& steps) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Tape tape = random_tape(seed, 0);
    const Slopes slopes = answer.slopes_along(tape, 0);
    const double back = ordered_walk(tape, 19, 0).gradient;
    if (!near(slopes[19], back, 1e-12)) {
      throw Mistake("On a random tape of 20 numbers the walk back finds " + significant(back, 6) +
                        " for the last number, the walk forward " + significant(slopes[19], 6) + ".",
                    "right on the diamond, wrong here: is there a number whose uses are left out?");
    }
    const double h = 1e-6;
    for (std::size_t i = 0; i < 20; ++i) {
      const double above = random_tape(seed, h).numbers[i].value, below = random_tape(seed, -h).numbers[i].value;
      if (near(slopes[i], (above - below) / (2 * h), 1e-4)) continue;
      throw Mistake("On a random tape number " + std::to_string(i) + " has the slope " + significant(slopes[i], 6) +
                        ", and differences find " + significant((above - below) / (2 * h), 6) + ".",
                    "the last number is right and one before it is not: is every number on the way given its slope?");
    }
  }
  steps.passed("20 random tapes: as the walk back finds it, and as differences find it");
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/01_numbers_and_gradients/exercise_3_forward.cpp", forward_answers(),
                       {check_shape, check_numbers, check_random});
}
