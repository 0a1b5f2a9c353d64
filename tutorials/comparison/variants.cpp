// ./attend variants: every variant of attention at growing lengths, side by side.
#include <cstdio>

#include "tutorials/comparison/measure.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::comparison;

namespace {

constexpr Size width = 64;

std::string mebibytes(double bytes) { return fixed(bytes / (1 << 20), 2); }

using ByLength = std::vector<Measured>;

void print(const std::vector<Variant>& variants, const std::vector<ByLength>& measured, std::size_t length) {
  heading("T = " + std::to_string(measured.front()[length].T));
  Table table({"variant", "million mult.", "moved MiB", "peak MiB", "ms", "error"});
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Measured& at = measured[i][length];
    table.row({variants[i].name, fixed(at.multiplications / 1e6, 2), mebibytes(at.bytes), mebibytes(at.peak_bytes),
               significant(at.milliseconds, 3), significant(at.error, 2)});
  }
  table.print();
}

void print_growth(const std::vector<Variant>& variants, const std::vector<ByLength>& measured) {
  heading("How time and memory grow");
  say("The power of T with which the time and the peak grow between the two largest lengths: 2 for all pairs, 1 for a "
      "fixed number of keys each.");
  Table table({"variant", "time", "peak", "source"});
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Measured &last = measured[i].back(), &before = *(measured[i].end() - 2);
    const std::vector<double> T = {static_cast<double>(before.T), static_cast<double>(last.T)};
    table.row({variants[i].name, fixed(exponent(T, {before.milliseconds, last.milliseconds}), 2),
               fixed(exponent(T, {before.peak_bytes, last.peak_bytes}), 2), variants[i].source});
  }
  table.print();
}

int compare(int argc, char** argv) {
  Options options("variants", "The variants of attention side by side");
  options.parse(argc, argv);
  const std::vector<Size> lengths =
      options.quick() ? std::vector<Size>{64, 256} : std::vector<Size>{64, 256, 1024, 4096};
  say("One head of width " + std::to_string(width) +
      ", float32, one sequence without a mask, queries and keys of deviation 1/2. Multiplications and the bytes that "
      "are read and written are those of a forward pass; peak (beyond the inputs) and milliseconds (of the processor) "
      "are those of forward and backward. The error is the distance to the result of softmax attention, relative to "
      "its length: 1 is as good as nothing, and no fault of a variant that is not meant to come close.");
  std::vector<Variant> variants;
  std::vector<ByLength> measured;
  for (const Family& family : families()) {
    for (const Variant& variant : family.variants) {
      variants.push_back(variant);
      measured.emplace_back();
      for (Size T : lengths) measured.back().push_back(measure(variant, T, width, 3, options.seed()));
    }
  }
  for (std::size_t length = 0; length < lengths.size(); ++length) print(variants, measured, length);
  print_growth(variants, measured);

  Claims claims;
  bool as_counted = true;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    for (const Measured& at : measured[i]) {
      as_counted &= at.multiplications == static_cast<double>(variants[i].multiplications(at.T, width));
    }
  }
  heading("Claims");
  claims.holds("every variant multiplies as often as its formula says, at every length", as_counted);
  claims.at_most("softmax attention is as far from itself as numbers are rounded", measured.front().back().error, 1e-5);
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, compare); }
