#pragma once
#include "tutorials/08_transformer/number_learning.hpp"
#include "tutorials/lesson/options.hpp"

/// The numbers once more, with activations of 16 bits: what that saves, and what it costs.

namespace attend::chapter08 {

/// What came of a training whose activations have this dtype.
struct Half {
  DType activations;
  Size kept;       // bytes that backward must remember of one step
  double exact;    // share of the held-out numbers
  double loss;     // mean of the last 20
  Size skipped;    // steps whose gradients did not fit
  double seconds;  // of the processor
};
/// The same model from the same first weights on the same batches. Parameters are float32, and the losses of float16
/// are scaled.
Half train_in(DType activations, std::uint64_t seed);

/// The bytes that backward must remember of a step of the model, on a batch that the seed draws.
Size kept_by_step(const translation::Task& task, const Transformer& model, DType activations, std::uint64_t seed);

/// float32, float16 and bfloat16 beside each other. Returns the program's exit code.
int halves_lesson(const lesson::Options& options);

}  // namespace attend::chapter08
