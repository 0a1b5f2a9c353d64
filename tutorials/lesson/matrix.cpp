#include "tutorials/lesson/matrix.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace attend::lesson {

Matrix::Matrix(Size rows, Size columns, std::vector<double> values)
    : rows_(rows), columns_(columns), values_(std::move(values)) {
  if (rows < 0 || columns < 0 || size_of(values_) != rows * columns) {
    throw std::invalid_argument("Matrix: " + std::to_string(values_.size()) + " values for [" + std::to_string(rows) +
                                ", " + std::to_string(columns) + "]");
  }
}

}  // namespace attend::lesson
