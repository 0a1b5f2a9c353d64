#include "tutorials/12_sparse/cost.hpp"

#include "tutorials/12_sparse/patterns.hpp"

namespace attend::chapter12 {

std::vector<Variant> costed(bool dense_mask) {
  std::vector<Variant> variants = sparse_family().variants;
  if (!dense_mask) return variants;
  for (Variant& variant : variants) {
    if (variant.name != "local window") continue;
    variant.make = [](Size, Size, Rng&) { return AttentionCore(MaskedWindow{4, 4}); };
  }
  return variants;
}

}  // namespace attend::chapter12
