// ./attend variants: every variant of attention at growing lengths, side by side.
#include <iostream>

#include "tensor/parallel.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/comparison/measure.hpp"
#include "tutorials/comparison/pareto.hpp"
#include "tutorials/comparison/tasks.hpp"
#include "tutorials/lesson/lesson.hpp"
#include "tutorials/lesson/variant_cost.hpp"

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

// The time of a forward pass from 256 to 8,192 positions. What is done element by element is not in the count of
// multiplications, so that the two powers are near, not the same.
void slopes(const std::vector<Variant>& variants, const Options& options, Claims& claims) {
  const std::vector<Size> lengths =
      options.quick() ? std::vector<Size>{64, 128, 256} : std::vector<Size>{256, 512, 1024, 2048, 4096, 8192};
  heading("Does time grow as the multiplications do?");
  multiplications_table(variants, lengths, width, claims);
  const std::vector<std::vector<double>> times = time_table(variants, lengths, width, options.seed(), options.quick());
  if (options.quick()) return;  // too short to be timed
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const auto work = [&](Size T) { return static_cast<double>(variants[i].multiplications(T, width)); };
    const double power = growth({lengths.front(), lengths.back()}, {work(lengths.front()), work(lengths.back())});
    // Where element by element is most of the work, as in entmax, time grows by less; out of the caches, by more.
    claims.between(variants[i].name + ": the power of T by which time grows, less that of the multiplications",
                   growth(lengths, times[i]) - power, -0.6, 0.4);
  }
}

std::string results_path() { return std::string(ATTEND_COMPARISON_DIR) + "/results.tsv"; }

// Trains every variant on every task it suits, with each of the seeds.
void learn_all(const std::vector<Variant>& variants, const std::vector<std::uint64_t>& seeds) {
  Results results;
  for (const Trial& trial : trials()) {
    for (const Variant& variant : variants) {
      if (!trial.suits(variant)) continue;
      for (std::uint64_t seed : seeds) results.add(figure_name(variant, trial), seed, learn(variant, trial, seed));
      const Figure& found = results.at(figure_name(variant, trial));
      std::cout << found.name << ": " << percent(found.mean) << std::endl;
    }
  }
  results.write(results_path());
}

// From the worst seed to the best; "?" for what --full has not trained yet.
std::string range_of(const Results& results, const std::string& name) {
  for (const Figure& figure : results.figures()) {
    if (figure.name != name) continue;
    const std::string low = fixed(100 * figure.min, 1), high = fixed(100 * figure.max, 1);
    return (low == high ? low : low + "-" + high) + " %";
  }
  return "?";
}

void print_learned(const std::vector<Variant>& variants) {
  const Results results = Results::read(results_path());
  heading("What a small transformer learns with it");
  say("Right answers of two layers of width 64, from the worst to the best seed, as --full measured them (?: not yet). "
      "Reversal "
      "needs distant positions; recall (causal) needs one position among many alike.");
  std::vector<std::string> headers = {"variant"};
  for (const Trial& trial : trials()) headers.push_back(trial.task.name);
  Table table(headers);
  for (const Variant& variant : variants) {
    std::vector<std::string> cells = {variant.name};
    for (const Trial& trial : trials()) {
      cells.push_back(trial.suits(variant) ? range_of(results, figure_name(variant, trial)) : "-");
    }
    table.row(cells);
  }
  table.print();
}

// Milliseconds beside the error at one length. Softmax attention itself has no error to draw.
void write_pareto(const std::vector<Variant>& variants, const std::vector<ByLength>& measured, std::size_t length,
                  const std::string& path) {
  std::vector<Candidate> choices;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Measured& at = measured[i][length];
    if (at.error > 0) choices.push_back({variants[i].name, at.milliseconds, at.error});
  }
  WholeFile file(path);
  file.stream() << pareto_svg("Error and time at T = " + std::to_string(measured.front()[length].T),
                              "milliseconds, forward and backward", "error", choices);
  file.commit();
}

std::vector<Variant> all_variants() {
  std::vector<Variant> all;
  for (const Family& family : families()) all.insert(all.end(), family.variants.begin(), family.variants.end());
  return all;
}

void claim(const std::vector<Variant>& variants, const std::vector<ByLength>& measured, Claims& claims) {
  bool as_counted = true;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    for (const Measured& at : measured[i]) {
      as_counted &= at.multiplications == static_cast<double>(variants[i].multiplications(at.T, width));
    }
  }
  heading("Claims");
  claims.holds("every variant multiplies as often as its formula says, at every length", as_counted);
  claims.at_most("softmax attention is as far from itself as numbers are rounded", measured.front().back().error, 1e-5);
}

int compare(int argc, char** argv) {
  std::string picture;
  bool with_slopes = false;
  Options options(Program{"The variants of attention side by side", "./attend variants",
                          "only short sequences, in a few seconds", "also train with each, and write results.tsv"});
  options.file("--picture", picture, "write error and time at the longest T but one as an SVG picture");
  options.toggle("--slopes", with_slopes, "only time a forward pass from 256 to 8,192 positions");
  options.parse(argc, argv);
  set_threads(options.threads());
  const std::vector<Variant> variants = all_variants();
  Claims claims;
  if (with_slopes) {
    slopes(variants, options, claims);
    return claims.conclude();
  }
  if (options.full()) learn_all(variants, options.seeds(3));

  const std::vector<Size> lengths =
      options.quick() ? std::vector<Size>{64, 256} : std::vector<Size>{64, 256, 1024, 4096};
  say("One head of width " + std::to_string(width) +
      ", float32, one sequence without a mask, queries and keys of deviation 1/2. Multiplications and the bytes that "
      "are read and written are those of a forward pass; peak (beyond the inputs) and milliseconds (of the processor) "
      "are those of forward and backward. The error is the distance to the result of softmax attention, relative to "
      "its length: 1 is as good as nothing, and no fault of a variant that is not meant to come close.");
  std::vector<ByLength> measured;
  for (const Variant& variant : variants) {
    measured.emplace_back();
    for (Size T : lengths) measured.back().push_back(measure(variant, T, width, 3, options.seed()));
  }
  for (std::size_t length = 0; length < lengths.size(); ++length) print(variants, measured, length);
  print_growth(variants, measured);
  print_learned(variants);
  if (!picture.empty()) write_pareto(variants, measured, lengths.size() - 2, picture);
  claim(variants, measured, claims);
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, compare); }
