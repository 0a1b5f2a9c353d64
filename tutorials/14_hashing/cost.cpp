#include "tutorials/14_hashing/cost.hpp"

#include "autograd/grad.hpp"
#include "tensor/live.hpp"

namespace attend::chapter14 {

std::vector<Variant> costed() {
  std::vector<Variant> variants = {sparse_family().variants.front()};
  for (const Variant& variant : hashing_family().variants) variants.push_back(variant);
  return variants;
}

double peak_bytes(const Variant& variant, Size T, Size d, std::uint64_t seed) {
  Rng rng(seed);
  const auto drawn = [&] { return Var::parameter(rng.normal({1, 1, T, d}, 0, 1)); };
  const Var q = drawn(), k = drawn(), v = drawn();
  const AttentionCore core = variant.make(T, d, rng);
  const auto before = live().bytes;
  reset_peak();
  grad(sum(core(q, k, v).context), {q, v});
  return static_cast<double>(live().peak_bytes - before);
}

}  // namespace attend::chapter14
