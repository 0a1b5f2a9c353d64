#pragma once
#include <vector>

#include "autograd/ops.hpp"

/// Images whose patches stand in another order.

namespace attend::chapter10 {

/// The inverse of nn/vision_transformer.hpp's image_patches: [B, N, C · patch²] -> [B, C, height, width].
Var image_of_patches(const Var& patches, Size height, Size width, Size patch);

/// x [B, C, H, W] with patch order[n] of it in the place n. Within a patch nothing moves.
Var with_patches_in_order(const Var& x, Size patch, const std::vector<std::int64_t>& order);

/// The order that takes rows × columns patches column by column.
std::vector<std::int64_t> column_order(Size rows, Size columns);

}  // namespace attend::chapter10
