#include "tutorials/12_sparse/cost.hpp"

#include "tensor/cost.hpp"
#include "tutorials/12_sparse/patterns.hpp"
#include "tutorials/lesson/median.hpp"

namespace attend::chapter12 {
namespace {

struct Inputs {
  Var q, k, v;
  AttentionCore core;

  Inputs(const Variant& variant, Size T, Size d, Rng rng)
      : q(rng.normal({1, 1, T, d}, 0, 1)),
        k(rng.normal({1, 1, T, d}, 0, 1)),
        v(rng.normal({1, 1, T, d}, 0, 1)),
        core(variant.make(T, d, rng)) {}
  void forward() const { core(q, k, v); }
};

}  // namespace

std::vector<Variant> costed(bool dense_mask) {
  std::vector<Variant> variants = sparse_family().variants;
  if (!dense_mask) return variants;
  for (Variant& variant : variants) {
    if (variant.name != "local window") continue;
    variant.make = [](Size, Size, Rng&) { return AttentionCore(MaskedWindow{4, 4}); };
  }
  return variants;
}

Size counted(const Variant& variant, Size T, Size d) {
  const Inputs in(variant, T, d, Rng(1));
  const Recording off(false);
  const CostCounter counter;
  in.forward();
  return counter.total().multiplications;
}

double milliseconds(const Variant& variant, Size T, Size d, Size rounds, std::uint64_t seed) {
  const Inputs in(variant, T, d, Rng(seed));
  const Recording off(false);
  in.forward();  // the first one also fetches memory
  return lesson::median_milliseconds(rounds, [&] { in.forward(); });
}

}  // namespace attend::chapter12
