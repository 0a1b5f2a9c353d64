#pragma once
#include <functional>

#include "tutorials/09_channel_attention/cued_digits.hpp"
#include "tutorials/09_channel_attention/network.hpp"

/// Training a network, and asking it.

namespace attend::chapter09 {

struct Course {
  Size channels = 32, blocks = 2, steps = 600, batch = 32;
  double rate = 0.015;  // at the beginning; falls to 0 along half a cosine
};

/// Trains a network with Adam. The seed fixes the first weights and the batches: networks with different gates learn
/// from the same batches. `after_step` is called with the number of each step, its loss and the network.
Network train(const Task& task, const GateKind& kind, const Course& course, std::uint64_t seed,
              const std::function<void(Size step, double loss, const Network& network)>& after_step);

/// The classes that a network names. int64 [N]
Tensor answers(const Network& network, const Tensor& pixels);

/// The share of images whose class it names.
double accuracy(const Network& network, const Examples& examples);

}  // namespace attend::chapter09
