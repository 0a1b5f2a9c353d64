// The check of exercise 2: a number on paper, the way there and back, and the dictionary of the page.
#include <cmath>

#include "tutorials/05_self_attention/dictionary.hpp"
#include "tutorials/05_self_attention/exercise_2_sharpness.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter05;
using namespace attend::lesson;

namespace {

bool near(double a, double b) { return std::fabs(a - b) < 1e-9; }

std::string likely_bug(const SharpnessAnswer& answer) {
  const double weight = 0.9, odds = 9, c = answer.sharpness(weight, 8);
  if (c == 0) return "the result is still 0: the hole is not filled.";
  if (near(c, std::log(odds * 8))) return "the entry counts itself among the others: of 8 entries, 7 are left.";
  if (near(c, std::log(odds))) return "the number of entries plays no part; that is right for two of them alone.";
  if (near(c, odds * 7)) return "that is eᶜ; the logarithm is missing.";
  if (near(c, std::log10(odds * 7))) return "that is the logarithm to base 10; softmax has e.";
  if (near(c, std::log(7 / odds))) return "the fraction stands upside down: a larger weight needs a longer query.";
  if (near(c, std::log(weight * 7))) return "1 − weight, the share of the others, is missing below the line.";
  return "none of the usual ones. Multiply the formula with its denominator and solve for eᶜ.";
}

void check_paper(const SharpnessAnswer& answer, Steps& steps) {
  const double c = answer.sharpness(0.99, 8);
  if (!near(c, std::log(99.0 * 7))) {
    throw Mistake("For the weight 0.99 among 8 entries yours gives c = " + fixed(c, 4) + ".", likely_bug(answer));
  }
  steps.passed("0.99 among 8 entries: c = " + fixed(c, 4));
}

void check_there_and_back(const SharpnessAnswer& answer, Steps& steps) {
  for (const double weight : {0.01, 0.125, 0.5, 0.999}) {
    for (const Size entries : {2, 8, 1000}) {
      const double back = right_weight(entries, answer.sharpness(weight, entries));
      if (near(back, weight)) continue;
      throw Mistake("With yours the weight becomes " + significant(back, 4) + " among " + count(entries) +
                        " entries; wanted was " + significant(weight, 4) + ".",
                    likely_bug(answer));
    }
  }
  steps.passed("the page's formula gives back the weight, from 0.01 to 0.999, among 2 to 1,000 entries");
}

void check_dictionary(const SharpnessAnswer& answer, Steps& steps) {
  Rng rng(1);
  const Dictionary dictionary = orthonormal_dictionary(8, 16, 3, rng);
  const Answer found = look_up(dictionary, query_for(dictionary, 3, answer.sharpness(0.75, 8)));
  const double weight = found.weights.to_vector()[3];
  if (!near(weight, 0.75)) {
    throw Mistake("In a dictionary of 8 entries the one asked for gets " + fixed(weight, 4) + ", not 0.75.",
                  likely_bug(answer));
  }
  steps.passed("a dictionary of 8 entries: the one asked for gets 0.75");
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/05_self_attention/exercise_2_sharpness.cpp", sharpness_answers(),
                       {check_paper, check_there_and_back, check_dictionary});
}
