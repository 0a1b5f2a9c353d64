#pragma once
#include <cstdint>
#include <vector>

#include "autograd/checkpoint.hpp"
#include "tensor/random.hpp"
#include "tutorials/lesson/chart.hpp"

/// A chain of layers in segments: what is remembered, how much memory is in use at the peak, and what it costs.

namespace attend::chapter11 {

/// n layers tanh(x W), of which each remembers one tensor of the size of x: its result, which is the next one's input.
/// x [rows, width], float32; W [width, width].
struct Chain {
  Var x;
  Vars weights;
  std::vector<ChainLayer> layers;
};
Chain tanh_chain(Size n, Size rows, Size width, std::uint64_t seed);

/// One forward and backward pass. Bytes beyond x and the weights.
struct Step {
  Size segments, remembered, peak, multiplications;
  double seconds;  // of the processor, the least of some passes
  Vars gradients;  // of the weights
};
Step step_in_segments(const Chain& chain, Size segments, int passes = 1);

/// s − 1 inputs of segments and one segment of n / s layers, rounded up: how many tensors of the size of x are
/// remembered after the forward pass. (The first segment's input is x, which is there anyway.)
Size remembered_tensors(Size n, Size segments);

/// The number of segments with the smallest peak, of all from 1 to n; of equals the fewest.
struct Least {
  Size segments, peak, plain_peak, remembered, plain_remembered;
};
Least least_peak(Size n);

/// Peak and multiplications in those of the plain chain, against the number of segments.
lesson::Chart segments_chart(const std::vector<Step>& steps, Size n);

/// Which random numbers a layer with dropout takes: those that it is given, or, which is wrong, those of a stream that
/// it holds itself and that a checkpoint therefore cannot take back.
enum class Stream { given, held };

/// A chain of layers with dropout, plain and in segments: whether all gradients are equal to the last bit, how far they
/// are apart, and whether the random stream is afterwards where the plain run leaves it.
struct Compared {
  bool same_bits, same_stream;
  double difference;
};
Compared compare_with_dropout(Size segments, Stream stream);

}  // namespace attend::chapter11
