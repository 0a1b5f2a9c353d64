#include "tutorials/12_sparse/cost_lesson.hpp"

#include "tutorials/12_sparse/cost.hpp"
#include "tutorials/lesson/lesson.hpp"
#include "tutorials/lesson/variant_cost.hpp"

namespace attend::chapter12 {

using namespace lesson;

void cost_section(const Options& options, Claims& claims) {
  constexpr Size d = 64;
  heading("What it costs");
  const std::vector<Size> lengths = doubling(256, options.quick() ? 2048 : 8192);
  const std::vector<Variant> variants = costed(options.breaks("dense-mask"));
  multiplications_table(variants, lengths, d, claims);
  const auto times = time_table(variants, lengths, d, options.seed(), options.quick());
  if (options.quick()) return;
  claims.between("softmax: time grows as T to the power of", growth(lengths, times[0]), 1.7, 2.3);
  claims.between("local window: time grows as T to the power of", growth(lengths, times[1]), 0.8, 1.3);
  claims.at_least(fill("T = {}: softmax takes times as long as the window", {count(lengths.back())}),
                  times[0].back() / times[1].back(), 20);
}

}  // namespace attend::chapter12
