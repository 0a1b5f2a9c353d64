#include "tutorials/14_hashing/collisions.hpp"

#include <cmath>

#include "nn/attention/lsh.hpp"

namespace attend::chapter14 {
namespace {

const double pi = std::acos(-1.0);

// The density of two standard normal numbers whose correlation is r.
double density(double x, double y, double r) {
  const double rest = 1 - r * r;
  return std::exp(-(x * x - 2 * r * x * y + y * y) / (2 * rest)) / (2 * pi * std::sqrt(rest));
}

}  // namespace

double collision_probability(double angle, Size buckets) {
  constexpr int cells = 300;
  constexpr double step = 6.0 / cells;  // beyond 6 standard deviations there is nothing
  const double r = std::cos(angle), others = static_cast<double>(buckets / 2 - 1);
  double probability = 0;
  std::vector<double> above(cells + 1, 0);  // P(|x| < i step, |y| < j step) for the row before, and for this one
  for (int i = 0; i < cells; ++i) {
    std::vector<double> here(cells + 1, 0);
    double row = 0;
    for (int j = 0; j < cells; ++j) {
      const double x = (i + 0.5) * step, y = (j + 0.5) * step;
      const double same_sign = 2 * density(x, y, r) * step * step, opposite = 2 * density(x, y, -r) * step * step;
      row += same_sign + opposite;
      here[static_cast<std::size_t>(j + 1)] = above[static_cast<std::size_t>(j + 1)] + row;
      const auto left = static_cast<std::size_t>(j), right = left + 1;
      const double smaller = (above[left] + above[right] + here[left] + here[right]) / 4;
      probability += same_sign * std::pow(smaller, others);  // all other pairs are nearer to 0, in x and in y
    }
    above = here;
  }
  return probability * static_cast<double>(buckets / 2);
}

double in_some_round(double probability, Size rounds) {
  return 1 - std::pow(1 - probability, static_cast<double>(rounds));
}

double counted_collisions(double angle, Size buckets, Size rounds, Size draws, Rng& rng) {
  constexpr Size d = 8;
  std::vector<double> both(2 * d, 0);
  both[0] = 1;
  both[d] = std::cos(angle);
  both[d + 1] = std::sin(angle);
  const Tensor x = Tensor::from(both, {2, d}, DType::float64);
  const Tensor bucket = lsh_buckets(x, rng.normal({draws * rounds, d, buckets / 2}, 0, 1));  // [draws · rounds, 2]
  const std::vector<std::int64_t> of = bucket.to_ints();
  Size met = 0;
  for (Size draw = 0; draw < draws; ++draw) {
    bool together = false;
    for (Size round = draw * rounds; round < (draw + 1) * rounds; ++round) {
      const auto at = static_cast<std::size_t>(2 * round);
      together = together || of[at] == of[at + 1];
    }
    met += together ? 1 : 0;
  }
  return static_cast<double>(met) / static_cast<double>(draws);
}

double standard_error(double probability, Size draws) {
  return std::sqrt(probability * (1 - probability) / static_cast<double>(draws));
}

}  // namespace attend::chapter14
