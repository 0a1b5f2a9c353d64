#include "tutorials/07_positions/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "nn/position/rotary.hpp"
#include "nn/position/sinusoidal.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/lesson/difference.hpp"

namespace attend::chapter07 {
namespace {

Tensor sinusoids(Size T, Size width, Size first = 0) {
  return sinusoidal_positions(T, width, first, 10000, DType::float64);
}

// x [d], for each of `count` positions from `first` on: with the sinusoids added, or turned. [count, d]
Var placed(Meeting meeting, const Tensor& x, Size first, Size count) {
  const Size d = x.size();
  const Var rows = broadcast_to(Var(x), {count, d});
  return meeting == Meeting::added ? rows + Var(sinusoids(count, d, first)) : rotary(rows, first);
}

}  // namespace

Tensor shift_map(Size k, Size width) {
  std::vector<double> values(static_cast<std::size_t>(width * width));
  const auto cell = [&](Size row, Size column) -> double& {
    return values[static_cast<std::size_t>(row * width + column)];
  };
  for (Size i = 0; i < width; i += 2) {
    const double angle = static_cast<double>(k) * std::pow(10000, -static_cast<double>(i) / static_cast<double>(width));
    cell(i, i) = cell(i + 1, i + 1) = std::cos(angle);
    cell(i, i + 1) = std::sin(angle);
    cell(i + 1, i) = -std::sin(angle);
  }
  return Tensor::from(values, {width, width}, DType::float64);
}

double shift_residual(Size k, Size T, Size width) {
  const Var here(sinusoids(T, width)), map(shift_map(k, width));
  const Var shifted = matmul(here, transpose(map));  // [T, width], a row is R(k) P(p)
  return lesson::largest_difference(shifted.value(), sinusoids(T, width, k));
}

Turns turns(Size T, Size d) {
  const Tensor pairs = sinusoids(T, d);  // sine, cosine, sine, ... of the same angles
  return {slice(pairs, 1, 1, d / 2, 2), slice(pairs, 1, 0, d / 2, 2)};
}

lesson::Spread product_at(Meeting meeting, const Tensor& query, const Tensor& key, Size distance, Size first,
                          Size count) {
  const Var q = placed(meeting, query, first, count), k = placed(meeting, key, first - distance, count);
  const Var products = sum(q * k, {1}) / std::sqrt(static_cast<double>(query.size()));  // [count]
  const std::vector<double> all = products.value().to_vector();
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  return {*low, mean(products, {0}).item(), *high};
}

double spread_by_distance(const Tensor& products, const Extent& extent) {
  std::map<std::tuple<Size, Size, Size>, std::pair<double, double>> ranges;  // by distance: smallest and largest
  const Size plane = extent.height * extent.width, row = extent.width, n = extent.count();
  double widest = 0;
  for (Size i = 0; i < n; ++i) {
    for (Size j = 0; j < n; ++j) {
      const double product = products.at({i, j});
      const std::tuple<Size, Size, Size> distance{i / plane - j / plane, i % plane / row - j % plane / row,
                                                  i % row - j % row};
      auto& [low, high] = ranges.try_emplace(distance, product, product).first->second;
      low = std::min(low, product);
      high = std::max(high, product);
      widest = std::max(widest, high - low);
    }
  }
  return widest;
}

lesson::HeatMap sinusoid_map(Size T, Size width) {
  std::vector<std::string> rows, columns;
  for (Size p = 0; p < T; ++p) rows.push_back(std::to_string(p));
  for (Size c = 0; c < width; ++c) columns.push_back(std::to_string(c));
  lesson::HeatMap map{lesson::Matrix(T, width, sinusoids(T, width).to_vector()), rows, columns,
                      "Sinusoids: a row for each position, a column for each number"};
  map.range = lesson::Range{-1, 1};
  return map;
}

}  // namespace attend::chapter07
