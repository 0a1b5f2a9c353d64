#pragma once
#include "tutorials/08_transformer/transformer.hpp"

/// Where the norm stands, and why the learning rate warms up. Xiong et al. 2020 (arXiv:2002.04745).

namespace attend::chapter08 {

/// The norm of the loss's gradient with respect to the last feed-forward matrix of an untrained transformer with so
/// many layers in each stack, the mean over eight of them. The paper: with the norm after the residual sum it stays as
/// large however deep the stacks are; with the norm before, it falls like 1/√layers.
double last_layer_gradient(const translation::Task& task, NormPlace norm, Size layers, std::uint64_t seed);

/// The mean loss of the last ten of `steps` steps, with the rate rising over the first half of them or full at once.
enum class Start { warm, cold };
double loss_after(const translation::Task& task, NormPlace norm, Start start, Size layers, Size steps,
                  std::uint64_t seed);

}  // namespace attend::chapter08
