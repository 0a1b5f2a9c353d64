#include "tutorials/comparison/measure.hpp"

#include "autograd/grad.hpp"
#include "tensor/cost.hpp"
#include "tensor/live.hpp"
#include "tutorials/lesson/median.hpp"

namespace attend::comparison {
namespace {

double length_of(const Var& x) { return norm(x, all_axes(x.rank())).item(); }

}  // namespace

Measured measure(const Variant& variant, Size T, Size d, Size rounds, std::uint64_t seed) {
  Rng rng(seed);
  const Var q = Var::parameter(rng.normal({1, 1, T, d}, 0, 0.5)), k = Var::parameter(rng.normal({1, 1, T, d}, 0, 0.5)),
            v = Var::parameter(rng.normal({1, 1, T, d}, 0, 1)), gy = rng.normal({1, 1, T, d}, 0, 1);
  const AttentionCore core = variant.make(T, d, rng);
  Measured found{T, 0, 0, 0, 0, 0};
  {
    const Recording off(false);
    const CostCounter counter;
    const Var context = core(q, k, v).context;
    const Cost cost = counter.total();
    found.multiplications = static_cast<double>(cost.multiplications);
    found.bytes = static_cast<double>(cost.bytes_read + cost.bytes_written);
    const Var exact = SoftmaxAttention()(q, k, v).context;
    found.error = length_of(context - exact) / length_of(exact);
  }
  const auto step = [&] { grad(core(q, k, v).context, {q, k, v}, gy); };
  const auto before = live().bytes;
  reset_peak();
  step();
  found.peak_bytes = static_cast<double>(live().peak_bytes - before);

  found.milliseconds = lesson::median_milliseconds(rounds, step);
  return found;
}

}  // namespace attend::comparison
