#include "tutorials/13_low_rank_and_kernels/cost.hpp"

#include "nn/attention/linformer.hpp"
#include "nn/attention/nystrom.hpp"

namespace attend::chapter13 {

std::vector<Variant> costed() {
  constexpr Size rank = 64;
  std::vector<Variant> variants = {sparse_family().variants[0]};  // softmax attention
  for (const Variant& variant : low_rank_family().variants) variants.push_back(variant);
  for (const Variant& variant : kernel_family().variants) variants.push_back(variant);
  for (Variant& variant : variants) {
    if (variant.name == "Linformer") {
      variant.make = [](Size T, Size, Rng& rng) { return AttentionCore(LinformerAttention(T, rank, rng)); };
      variant.multiplications = [](Size T, Size d) { return linformer_multiplications(T, d, rank); };
    }
    if (variant.name == "Nyström") {
      variant.make = [](Size, Size, Rng& rng) { return AttentionCore(NystromAttention(rank, rng)); };
      variant.multiplications = [](Size T, Size d) { return nystrom_multiplications(T, d, rank); };
    }
  }
  return variants;
}

}  // namespace attend::chapter13
