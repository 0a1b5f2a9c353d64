#pragma once
#include "tutorials/10_attention_and_convolution/models.hpp"
#include "tutorials/lesson/claims.hpp"

/// What must hold for patches, convolutions and attention whatever they have learned, and the gradient checks.

namespace attend::chapter10 {

/// Patches and a linear layer are a convolution, and what attention beside a convolution is without its channels.
void claim_patches(lesson::Claims& claims);

/// What the order of the patches means to a ViT with and without positions, and to a CNN. With Without::positions the
/// model that should see an order has none either.
void claim_order(Without left_out, lesson::Claims& claims);

/// Weights and rollout share out one whole.
void claim_shares(lesson::Claims& claims);

void claim_gradients(std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter10
