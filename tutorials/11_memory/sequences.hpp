#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tensor/tensor.hpp"
#include "tutorials/lesson/chart.hpp"

/// A stack of transformer layers over longer and longer texts, in five forms: memory, time, and how far the gradients
/// are from the plain ones.

namespace attend::chapter11 {

constexpr Size encoder_layers = 8, encoder_heads = 4, encoder_size = 64;

/// plain: float32, all remembered. checkpointed: each layer but the last forgets. half: activations in float16.
/// blockwise: attention without the matrix of its weights. both: checkpointed and blockwise.
enum class Form { plain, checkpointed, half, blockwise, both };
const std::vector<Form>& forms();
std::string name_of(Form form);

/// A forward and backward pass over a text of T words. Bytes beyond the text and the parameters.
struct AtLength {
  Form form;
  Size T, remembered, peak;
  double seconds;     // of the processor, the least of some passes
  double difference;  // ‖gradient − plain gradient‖ / ‖plain gradient‖, over all parameters
};

/// All forms at one length, in the order of `forms`. The passes are made in turns, so that a busy machine meets all.
std::vector<AtLength> measure_length(Size T, int passes, std::uint64_t seed);

/// Of the relus of the plain form, those that are on the other side of 0 in the blockwise form: their input is so near
/// to 0 that rounding decides, and with them a derivative jumps between 0 and 1.
struct Flipped {
  Size flipped, of;
};
Flipped relus_on_the_other_side(Size T, std::uint64_t seed);

/// The peaks of all forms but both, in MiB, against T.
lesson::Chart lengths_chart(const std::vector<std::vector<AtLength>>& measured);

}  // namespace attend::chapter11
