#pragma once

#include <vector>

#include "tutorials/lesson/size.hpp"

namespace attend::lesson {

/// Numbers in rows and columns, as the pictures take them.
class Matrix {
 public:
  /// `values` row after row. Throws std::invalid_argument when their number is not rows × columns.
  Matrix(Size rows, Size columns, std::vector<double> values);

  Size rows() const { return rows_; }
  Size columns() const { return columns_; }
  double operator()(Size row, Size column) const { return values_[row * columns_ + column]; }
  /// All of them, row after row.
  const std::vector<double>& all() const { return values_; }

 private:
  Size rows_, columns_;
  std::vector<double> values_;
};

}  // namespace attend::lesson
