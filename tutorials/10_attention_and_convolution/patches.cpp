#include "tutorials/10_attention_and_convolution/patches.hpp"

#include "nn/vision_transformer.hpp"

namespace attend::chapter10 {

Var image_of_patches(const Var& patches, Size height, Size width, Size patch) {
  const auto [B, N, size] = dims<3>(patches, "image of patches");
  static_cast<void>(N);
  const Size C = size / (patch * patch), h = height / patch, w = width / patch;
  const Var apart = reshape(patches, {B, h, w, C, patch, patch});
  return reshape(permute(apart, {0, 3, 1, 4, 2, 5}), {B, C, height, width});
}

Var with_patches_in_order(const Var& x, Size patch, const std::vector<std::int64_t>& order) {
  const Tensor ids = Tensor::from_ints(order, {static_cast<Size>(order.size())});
  return image_of_patches(take(image_patches(x, patch), 1, ids), x.shape()[2], x.shape()[3], patch);
}

std::vector<std::int64_t> column_order(Size rows, Size columns) {
  std::vector<std::int64_t> order;
  for (Size j = 0; j < columns; ++j) {
    for (Size i = 0; i < rows; ++i) order.push_back(i * columns + j);
  }
  return order;
}

}  // namespace attend::chapter10
