// Wrong answers to exercise 2, each with the bug that the check must name.
#include <cmath>

#include "tutorials/05_self_attention/exercise_2_sharpness.hpp"

namespace attend::chapter05 {
namespace {

double number(Size entries) { return static_cast<double>(entries); }

double unsolved(double, Size) { return 0; }
double all_entries(double weight, Size entries) { return std::log(weight / (1 - weight) * number(entries)); }
double two_entries(double weight, Size) { return std::log(weight / (1 - weight)); }
double without_log(double weight, Size entries) { return weight / (1 - weight) * (number(entries) - 1); }
double decimal(double weight, Size entries) { return std::log10(without_log(weight, entries)); }
double upside_down(double weight, Size entries) { return std::log((1 - weight) / weight * (number(entries) - 1)); }
double weight_alone(double weight, Size entries) { return std::log(weight * (number(entries) - 1)); }

}  // namespace

std::vector<SharpnessAnswer> sharpness_answers() {
  return {{"the hole is not filled", unsolved, "still 0"},
          {"entries in place of entries − 1", all_entries, "counts itself"},
          {"as if there were two entries", two_entries, "number of entries plays no part"},
          {"the logarithm left out", without_log, "that is eᶜ"},
          {"the decimal logarithm", decimal, "base 10"},
          {"the fraction upside down", upside_down, "upside down"},
          {"not divided by 1 − weight", weight_alone, "share of the others"}};
}

}  // namespace attend::chapter05
