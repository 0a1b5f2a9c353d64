#pragma once
#include "tensor/tensor.hpp"

/// The example that the page works out on paper: three channels, two by two positions, one number in the bottleneck.

namespace attend::chapter09 {

struct PaperExample {
  Tensor x;         // float64 [1, 3, 2, 2]: means 2, 0.5 and 1, maxima 3, 1 and 1
  Tensor W_1, W_2;  // [3, 1], [1, 3]
};

inline PaperExample paper_example() {
  return {Tensor::from({1, 2, 2, 3, 0, 0, 1, 1, 1, 1, 1, 1}, {1, 3, 2, 2}, DType::float64),
          Tensor::from({1, -1, 0}, {3, 1}, DType::float64), Tensor::from({2, -2, 1}, {1, 3}, DType::float64)};
}

}  // namespace attend::chapter09
