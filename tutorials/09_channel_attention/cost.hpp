#pragma once
#include <vector>

#include "tensor/shape.hpp"

/// What squeeze-and-excitation costs in ResNet-50, the network of the claims. He et al. 2015 (arXiv:1512.03385).

namespace attend::chapter09 {

/// A stage of ResNet-50: `blocks` bottlenecks 1 × 1, 3 × 3, 1 × 1 that go from `channels` channels to `inner` and back,
/// on maps of side × side positions.
struct Stage {
  Size blocks, channels, inner, side;
};
const std::vector<Stage>& resnet50_stages();

/// For one image of 224 × 224 pixels.
struct Cost50 {
  Size parameters, multiplications;
};

/// All of it, from the sizes of its layers: convolutions, batch norms (parameters only) and the last linear layer; the
/// stride of a stage's first block lies in its 3 × 3 convolution.
Cost50 resnet50();
/// The two linear layers of squeeze-and-excitation behind each of its 16 blocks: 2 C² / r each.
Cost50 excitations(Size reduction);

/// One block of the third stage, alone or followed by squeeze-and-excitation: run, counted and timed here.
struct Measured {
  Size parameters;
  Size multiplications;  // as the CostCounter counts them, in all
  Size matmul;           // those of matrix products alone
  double seconds;        // median of `repetitions` runs
};
Measured measure_block(Size repetitions);
/// The squeeze-and-excitation behind that block.
Measured measure_excitation(Size reduction, Size repetitions);

}  // namespace attend::chapter09
