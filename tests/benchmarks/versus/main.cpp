// attend beside libtorch, in one process and on the same BLAS: milliseconds of forward and backward of layers, and of
// whole training steps of chapters, in turns, the median of several rounds. Where matrix products are most of the work,
// the time of these alone stands beside. With several threads, so does attend's own time with one, in turns of its own.
//
//   ./attend bench --versus torch [--threads N] [--rounds N] [WORD]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/benchmarks/median.hpp"
#include "tests/benchmarks/versus/chapters.hpp"
#include "tests/benchmarks/versus/peak.hpp"
#include "tests/benchmarks/versus/sides.hpp"

namespace {

using attend::median;
using namespace versus;

struct Case {
  std::string name;
  Step attend, torch, products;  // products may be missing
  double limit_torch, limit_products;
  double least_gain = 0.95;  // of two threads over one
};

// One of those that are measured in turns.
struct Side {
  Step step;
  int attend_threads, blas_threads;
};

// Two models in training. Throws std::runtime_error when they have not as many parameters: then they are not the same.
Case chapter_case(const std::string& name, const Training& attend, const Training& torch) {
  if (attend.parameters != torch.parameters) {
    throw std::runtime_error(name + ": " + std::to_string(attend.parameters) + " parameters beside " +
                             std::to_string(torch.parameters));
  }
  return {name, attend.step, torch.step, {}, 0.5, 0};
}

std::vector<Case> chapter_cases() {
  const TextBatch dates = attend_side::dates(), numbers = attend_side::numbers();
  const ImageBatch digits = attend_side::digits();
  return {chapter_case("step of chapter 03", attend_side::translator(dates), torch_side::translator(dates)),
          chapter_case("step of chapter 08", attend_side::transformer(numbers), torch_side::transformer(numbers)),
          chapter_case("step of chapter 10, CNN", attend_side::attention_network(digits),
                       torch_side::attention_network(digits)),
          chapter_case("step of chapter 10, ViT", attend_side::vision_transformer(digits),
                       torch_side::vision_transformer(digits))};
}

std::vector<Case> cases() {
  const double limits[] = {0.15, 0.35, 0.50, 0.85, 0.78}, product_limits[] = {0, 0, 1.5, 1.25, 1.2};
  const double gains[] = {0.95, 0.95, 0.95, 1.4, 1.6};
  std::vector<Case> all;
  for (std::size_t i = 0; i < std::size(head_sizes); ++i) {
    const HeadSizes s = head_sizes[i];
    const std::string name = "multi-head [" + std::to_string(s.B) + "," + std::to_string(s.T) + "," +
                             std::to_string(s.D) + "," + std::to_string(s.H) + "]";
    all.push_back({name, attend_side::multi_head(s), torch_side::multi_head(s),
                   product_limits[i] > 0 ? products::multi_head(s) : Step(), limits[i], product_limits[i], gains[i]});
  }
  all.push_back({"additive 16, 12 x 20, 64", attend_side::additive(), torch_side::additive(), {}, 0.5, 0});
  all.push_back({"GRU 32 x 20, 64", attend_side::gru(), torch_side::gru(), {}, 0.5, 0});
  all.push_back(
      {"SE 32 x 32 x 14 x 14", attend_side::squeeze_excitation(), torch_side::squeeze_excitation(), {}, 0.35, 0});
  all.push_back({"conv 3 x 3, 16 to 32", attend_side::conv(), torch_side::conv(), {}, 1.0, 0});
  all.push_back({"norm, GELU feed-forward", attend_side::feed_forward(), torch_side::feed_forward(),
                 products::feed_forward(), 1.0, 1.15});
  for (const Case& chapter : chapter_cases()) all.push_back(chapter);
  return all;
}

double milliseconds(const Step& step, int times) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) step();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / times;
}

struct Options {
  int threads = 1, rounds = 9;
  std::string word;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--threads" && has_value) {
      options.threads = std::max(1, std::atoi(argv[++i]));
    } else if (argument == "--rounds" && has_value) {
      options.rounds = std::max(1, std::atoi(argv[++i]));
    } else {
      options.word = argument;
    }
  }
  return options;
}

// The sides in turns, each often enough for its time to be read: their medians.
std::vector<double> in_turns(const std::vector<Side>& sides, int rounds) {
  const auto time = [](const Side& side, int times) {
    attend_side::use_threads(side.attend_threads);
    products::use_threads(side.blas_threads);
    return milliseconds(side.step, times);
  };
  constexpr double least_milliseconds = 40;
  std::vector<int> times;
  for (const Side& side : sides) {
    time(side, 2);
    times.push_back(std::max(1, static_cast<int>(least_milliseconds / time(side, 2))));
  }
  std::vector<std::vector<double>> measured(sides.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < sides.size(); ++i) measured[i].push_back(time(sides[i], times[i]));
  }
  std::vector<double> medians;
  for (const auto& each : measured) medians.push_back(median(each));
  return medians;
}

void print_heading(const Options& options) {
  std::printf("\nforward and backward, float32, %d thread%s, median of %d rounds in turns\n\n", options.threads,
              options.threads == 1 ? "" : "s", options.rounds);
  std::printf("                            attend    torch  ratio limit  products  ratio limit%s\n",
              options.threads == 1 ? "" : "  1 thread   gain limit");
}

void print_row(const Case& row, const Options& options) {
  // attend cuts its own work and lets the BLAS run on one thread; libtorch and the products let the BLAS cut.
  std::vector<Side> sides = {{row.attend, options.threads, 1}, {row.torch, options.threads, options.threads}};
  if (row.products) sides.push_back({row.products, options.threads, options.threads});
  const std::vector<double> ms = in_turns(sides, options.rounds);
  std::printf("%-25s %8.3f %8.3f  %5.2f  %4.2f", row.name.c_str(), ms[0], ms[1], ms[0] / ms[1], row.limit_torch);
  if (row.products) std::printf(" %9.3f  %5.2f  %4.2f", ms.back(), ms[0] / ms.back(), row.limit_products);
  if (options.threads > 1) {
    // Without libtorch between them: its threads go on spinning for a while, on the cores that ours need.
    const std::vector<double> own = in_turns({{row.attend, options.threads, 1}, {row.attend, 1, 1}}, options.rounds);
    std::printf("%*s %9.3f  %5.2f  %4.2f", row.products ? 0 : 23, "", own[1], own[1] / own[0], row.least_gain);
  }
  std::puts("");
  std::fflush(stdout);
}

// Before anything else has run, since a child process begins with the memory of this one.
void print_memory() {
  constexpr double mebibyte = 1 << 20;
  const HeadSizes large = head_sizes[4], small = head_sizes[2];
  const double ours = peak_bytes([=] { return attend_side::multi_head(large); }, attend_side::multi_head(small));
  const double theirs = peak_bytes([=] { return torch_side::multi_head(large); }, torch_side::multi_head(small));
  std::printf("\nmulti-head [4,512,512,8], one step, MiB beyond parameters and input:\n");
  std::printf("%-25s %8.1f %8.1f  %5.2f  0.70\n", "peak resident size", ours / mebibyte, theirs / mebibyte,
              ours / theirs);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  torch_side::use_threads(options.threads);
  if (options.word.empty()) print_memory();
  print_heading(options);
  for (const Case& row : cases()) {
    if (row.name.find(options.word) != std::string::npos) print_row(row, options);
  }
}
