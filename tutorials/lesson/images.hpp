#pragma once

#include <string>
#include <vector>

#include "tensor/random.hpp"
#include "tensor/tensor.hpp"
#include "tutorials/lesson/batches.hpp"
#include "tutorials/lesson/size.hpp"

/// Data sets of small grey images, each with the number of its class.

namespace attend::lesson {

/// N images and their classes.
struct Images {
  Tensor pixels;  // float32 [N, 1, height, width], 0 is the background and 1 full ink
  Tensor labels;  // int64 [N]

  Size size() const { return labels.size(); }
  /// The images of these numbers, such as those of `shuffled_batches`, in this order. Throws std::invalid_argument for
  /// a number out of range.
  Images select(const std::vector<std::int64_t>& ids) const;
};

/// Reads a pair of files in the IDX format of LeCun's MNIST: big-endian sizes, one byte a pixel, one byte a label. A
/// byte of `full` becomes 1. Throws DataError for a file that cannot be read, is no such file, is cut short, holds more
/// than its header says or a pixel above `full`, and where the two files differ in their number of images.
Images read_idx(const std::string& pixels_path, const std::string& labels_path, int full = 255);

/// 1,797 handwritten digits of 8 × 8 pixels, in the order of the file.
Images digits8x8();

/// 5,000 pictures of clothes for training and 1,000 for the test, 14 × 14 pixels (Fashion-MNIST, halved).
Images fashion14_training();
Images fashion14_test();

}  // namespace attend::lesson
