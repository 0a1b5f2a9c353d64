// The same computations by attend and by libtorch, each as a function without arguments: forward, and backward to
// inputs and parameters, in float32.
#pragma once
#include <functional>

namespace versus {

using Step = std::function<void()>;

// Batch, time steps, width, heads: self-attention with projections of the width.
struct HeadSizes {
  long B, T, D, H;
};
constexpr HeadSizes head_sizes[] = {{1, 8, 16, 2}, {2, 16, 64, 4}, {8, 32, 64, 4}, {8, 128, 256, 8}, {4, 512, 512, 8}};

constexpr long additive_batch = 16, additive_queries = 12, additive_keys = 20, additive_size = 64;
constexpr long gru_batch = 32, gru_time = 20, gru_size = 64;
constexpr long image_batch = 32, image_channels = 32, image_side = 14, reduction = 4;
constexpr long conv_in = 16, conv_out = 32, conv_kernel = 3;
constexpr long rows = 1024, width = 256, hidden = 1024;

namespace attend_side {
void use_threads(int n);
Step multi_head(HeadSizes sizes);
Step additive();
Step gru();
Step squeeze_excitation();
Step conv();
Step feed_forward();
}  // namespace attend_side

namespace torch_side {
void use_threads(int n);
Step multi_head(HeadSizes sizes);
Step additive();
Step gru();
Step squeeze_excitation();
Step conv();
Step feed_forward();
}  // namespace torch_side

// The matrix products of a computation and nothing else, straight from the BLAS on packed operands: what no framework
// that uses this BLAS can be faster than.
namespace products {
void use_threads(int n);
Step multi_head(HeadSizes sizes);
Step feed_forward();
}  // namespace products

}  // namespace versus
