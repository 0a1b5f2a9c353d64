#include "tutorials/14_hashing/cost_lesson.hpp"

#include "tutorials/14_hashing/cost.hpp"
#include "tutorials/lesson/lesson.hpp"
#include "tutorials/lesson/variant_cost.hpp"

namespace attend::chapter14 {

using namespace lesson;

namespace {

constexpr Size d = 64;

// From which length on is `b` faster than `a`?
std::string crossing(const std::vector<Size>& lengths, const std::vector<double>& a, const std::vector<double>& b) {
  std::string from = "longer ones";
  for (std::size_t i = lengths.size(); i-- > 0 && b[i] < a[i];) from = count(lengths[i]);
  return from;
}

std::vector<std::vector<double>> memory_table(const std::vector<Variant>& variants, const std::vector<Size>& lengths,
                                              std::uint64_t seed) {
  say("\nMemory of a forward and a backward pass at its peak, beyond the inputs, in MiB:\n");
  return cost_table(
      variants, lengths, [&](const Variant& variant, Size T) { return peak_bytes(variant, T, d, seed); },
      [](double bytes) { return fixed(bytes / (1 << 20), 1); });
}

}  // namespace

void cost_section(const Options& options, Claims& claims) {
  heading("What it costs");
  say("LSH in its usual settings: 4 rounds, chunks of √T, two buckets for each chunk.\n");
  const std::vector<Variant> variants = costed();
  const std::vector<Size> lengths = doubling(256, options.quick() ? 1024 : 8192);
  multiplications_table(variants, lengths, d, claims);
  const std::vector<Variant> timed = {variants.front(), variants.back()};  // softmax and LSH
  const auto times = time_table(timed, lengths, d, options.seed(), options.quick());
  say(fill("\nLSH takes less time than softmax from this length on: {}.", {crossing(lengths, times[0], times[1])}));
  const auto peaks = memory_table(variants, doubling(256, options.quick() ? 512 : 2048), options.seed());
  if (options.quick()) return;
  claims.between("softmax: time grows as T to the power of", growth(lengths, times[0]), 1.7, 2.3);
  claims.between("LSH: time grows as T to the power of", growth(lengths, times[1]), 1.1, 1.7);
  claims.at_least("T = 256: LSH takes times as long as softmax", times[1].front() / times[0].front(), 2);
  claims.at_most("T = 8,192: LSH takes times as long as softmax", times[1].back() / times[0].back(), 1.5);
  claims.at_least("T = 256: LSH needs times the memory of softmax", peaks[2].front() / peaks[0].front(), 2);
  claims.at_most("T = 2,048: LSH needs times the memory of softmax", peaks[2].back() / peaks[0].back(), 1);
}

}  // namespace attend::chapter14
