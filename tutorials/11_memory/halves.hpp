#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tensor/tensor.hpp"

/// Numbers of 16 bits: which there are, and what becomes of small steps and small gradients.

namespace attend::chapter11 {

/// x rounded to the nearest number of the format.
double rounded(double x, DType dtype);

/// The numbers of a format, found by rounding.
struct Format {
  DType dtype;
  double largest;
  double smallest;        // above 0
  double smallest_whole;  // the smallest power of two that has all digits behind it
  double spacing;         // from 1 to the next number above it
};
Format format_of(DType dtype);

/// A weight that begins at 1 and goes down by `rate` · `gradient`, `steps` times, held in a format.
double after_steps(DType weights, double rate, double gradient, Size steps);

// ---- a training ---------------------------------------------------------------------------------------------------

/// How the numbers of a training are held: what is computed and remembered in `activations`, the weights that the
/// optimizer changes in `weights`. Of the loss only a `share` counts, as of one loss among many.
struct Precision {
  std::string name;
  DType activations, weights;
  bool scaled = false;  // by a LossScaler
  double share = 1;
};
/// float32; float16 and bfloat16 with weights in float32, float16 scaled; both with weights of their own.
std::vector<Precision> precisions();

/// What came of a training: a network of two hidden layers that names handwritten digits, 8 × 8.
struct Trained {
  double accuracy;    // on images it has not seen
  double loss;        // mean of the last epoch, of the whole loss
  double first_loss;  // of the first step
  Size remembered;    // by the history of a batch
  Size weight_bytes;  // of what the optimizer changes
  double lost;        // share of updates, other than 0, that left their weight as it was; of the last epoch. 1 where
                      // there was none
  double seconds;     // of the processor
  double last_scale;  // of the LossScaler; 1 without
};
Trained train_digits(const Precision& precision, double rate, Size epochs, std::uint64_t seed);

/// Of the derivatives of the loss at the first hidden layer, other than 0 in float32: the share that is 0 when they
/// come back through float16, without and with a LossScaler. The network is trained first, so that the loss is small.
struct Vanished {
  double without, with;
};
Vanished vanished_gradients(Size epochs, std::uint64_t seed);

}  // namespace attend::chapter11
