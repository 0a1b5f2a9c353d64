#pragma once
#include <string>
#include <utility>
#include <vector>

#include "tutorials/04_dot_products_and_scale/measure.hpp"
#include "tutorials/lesson/chart.hpp"
#include "tutorials/lesson/results.hpp"

/// The figures of the chapter: with one width, and how they stand in tables and charts.

namespace attend::chapter04 {

/// What is measured with queries and keys of one width: first without a factor, then with that of `scaled`.
struct AtWidth {
  Size d;
  double variance, scaled_variance;
  Softness plain, scaled;
  Gradients plain_gradients, scaled_gradients;
  /// The share of the queries whose gradient is below a hundredth of the mean.
  double plain_tiny, scaled_tiny;
};

const std::vector<Size>& widths();  // 16, 64, 256, 1024

AtWidth measure(Size d, Size sets, Centre centre, Factor scaled, std::uint64_t seed);

/// The same figures under the names they have in results.tsv.
std::vector<std::pair<std::string, double>> named(const AtWidth& at);

/// Entropy (in log 64) and trace against d, both from 0 to 1.
lesson::Chart softness_chart(const std::vector<AtWidth>& measured);
/// The same from results.tsv, with the spread of its seeds.
lesson::Chart softness_chart(const lesson::Results& results);

}  // namespace attend::chapter04
