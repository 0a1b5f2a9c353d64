#include "tutorials/13_low_rank_and_kernels/cost_lesson.hpp"

#include "tutorials/13_low_rank_and_kernels/cost.hpp"
#include "tutorials/lesson/lesson.hpp"
#include "tutorials/lesson/variant_cost.hpp"

namespace attend::chapter13 {

using namespace lesson;

void cost_section(const Options& options, Claims& claims) {
  constexpr Size d = 64;
  heading("What it costs");
  const std::vector<Size> lengths = doubling(256, options.quick() ? 2048 : 8192);
  const std::vector<Variant> variants = costed();
  multiplications_table(variants, lengths, d, claims);
  const auto times = time_table(variants, lengths, d, options.seed(), options.quick());
  if (options.quick()) return;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const bool all_pairs = variants[i].name == "softmax";
    claims.between(variants[i].name + ": time grows as T to the power of", growth(lengths, times[i]),
                   all_pairs ? 1.7 : 0.8, all_pairs ? 2.3 : 1.3);
  }
}

}  // namespace attend::chapter13
