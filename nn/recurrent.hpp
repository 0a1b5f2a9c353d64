// What the recurrent layers share: walking a batch of sequences of different lengths.
#pragma once
#include <vector>

#include "autograd/ops.hpp"
#include "nn/init.hpp"

namespace attend {

/// Which way a sequence is read.
enum class Direction { forward, backward };

/// All hidden states of a batch of sequences, and the state after the last element that each of them has.
struct Sequence {
  Var states;  // [B, T, hidden]
  Var last;    // [B, hidden]
};

/// PyTorch's initialisation of recurrent layers, weights and biases alike: uniform within ±1/√hidden.
Var recurrent_init(const Shape& shape, Size hidden, Rng& rng);

/// The lengths as a mask per time step, [B, 1] each; nothing when all sequences are full. Throws std::invalid_argument
/// when there are not B lengths within 0 .. T.
std::vector<Tensor> step_masks(const char* op, const std::vector<Size>& lengths, Size B, Size T);

/// x [B, T, D] with zeros past the end of each sequence. Padding may then hold anything, NaN included, and reaches
/// neither a state nor a derivative.
Var hide_padding(const Var& x, const std::vector<Size>& lengths);

}  // namespace attend
