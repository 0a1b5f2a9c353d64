// Wrong answers to exercise 2, each with the bug that the check must name.
#include <cmath>

#include "tutorials/13_low_rank_and_kernels/exercise_2_features.hpp"

namespace attend::chapter13 {
namespace {

enum class Slip {
  unscaled,
  scaled_whole,
  no_square,
  whole_square,
  square_of_unscaled,
  square_added,
  length,
  no_count,
  count_whole,
  key_maximum,
  mean_square,
  history_cut
};

// The solution, with one slip.
template <Slip slip>
Var slipped(const Var& q, const Var& w) {
  const double d = static_cast<double>(q.shape()[1]), m = static_cast<double>(w.shape()[0]);
  const double power = slip == Slip::unscaled ? 0 : slip == Slip::scaled_whole ? 0.5 : 0.25;
  const Var x = q / std::pow(d, power);
  const Var measured = slip == Slip::square_of_unscaled ? q : x;
  Var square = sum(measured * measured, {1}, true);
  if (slip == Slip::length) square = sqrt(square);
  if (slip == Slip::mean_square) square = square / d;
  const double share = slip == Slip::no_square      ? 0
                       : slip == Slip::whole_square ? 1
                       : slip == Slip::square_added ? -0.5
                                                    : 0.5;
  Var exponent = matmul(x, transpose(w)) - share * square;
  if (slip == Slip::key_maximum) exponent = exponent - max(exponent, {1}, true);
  const double divisor = slip == Slip::no_count ? 1 : slip == Slip::count_whole ? m : std::sqrt(m);
  const Var features = exp(exponent) / divisor;
  return slip == Slip::history_cut ? detach(features) : features;
}

Var unsolved(const Var&, const Var&) { return {}; }
Var turned(const Var& q, const Var& w) { return transpose(slipped<Slip::no_square>(q, w)); }

}  // namespace

std::vector<FeaturesAnswer> features_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"directions as rows", turned, "other way round"},
      {"not divided by d^¼", slipped<Slip::unscaled>, "d^¼ is missing"},
      {"divided by √d", slipped<Slip::scaled_whole>, "divided by √d"},
      {"no |x|² / 2", slipped<Slip::no_square>, "|x|² / 2 is missing"},
      {"|x|² without the half", slipped<Slip::whole_square>, "the half"},
      {"|q|² / 2", slipped<Slip::square_of_unscaled>, "of q and not of x"},
      {"|x|² / 2 added", slipped<Slip::square_added>, "added"},
      {"|x| / 2", slipped<Slip::length>, "the length"},
      {"the mean of the squares", slipped<Slip::mean_square>, "mean"},
      {"no 1 / √m", slipped<Slip::no_count>, "1 / √m is missing"},
      {"1 / m", slipped<Slip::count_whole>, "1 / m"},
      {"the largest exponent taken off each row", slipped<Slip::key_maximum>, "largest exponent"},
      {"detach", slipped<Slip::history_cut>, "cuts the history"},
  };
}

}  // namespace attend::chapter13
