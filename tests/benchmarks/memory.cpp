// What checkpoints save and what they cost: 64 transformer layers, forward and backward, plain and in segments. The
// limits are for some number of segments, which is the reader's to choose; where a layer remembers more than one tensor
// the best is above √64.
#include <chrono>
#include <cstdio>
#include <vector>

#include "autograd/checkpoint.hpp"
#include "autograd/grad.hpp"
#include "nn/transformer.hpp"
#include "tensor/live.hpp"
#include "tests/benchmarks/median.hpp"

namespace {

using namespace attend;

constexpr Size layers = 64, batch = 8, time_steps = 128, size = 64, heads = 4, hidden = 256;
constexpr int rounds = 5;
constexpr double mebibyte = 1 << 20;
constexpr double most_of_peak = 0.15, most_of_time = 1.45;

struct Measured {
  double peak_bytes = 0, seconds = 0;
};

// The peak above what is there before: that of the activations, and the gradients that exist by then.
Measured step(const std::vector<ChainLayer>& chain, const Var& x, const Vars& parameters, Size segments) {
  using Clock = std::chrono::steady_clock;
  const std::ptrdiff_t before = live().bytes;
  reset_peak();
  const auto start = Clock::now();
  Var y = checkpoint_sequential(chain, x, segments);
  y = mean(y * y);
  const Vars gradients = grad(std::move(y), parameters);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return {static_cast<double>(live().peak_bytes - before), seconds};
}

}  // namespace

int main() {
  Rng rng(1);
  std::vector<ChainLayer> chain;
  Vars parameters;
  for (Size i = 0; i < layers; ++i) {
    const EncoderLayer layer({size, heads, hidden, 0, NormPlace::before}, rng);
    for (const Var& parameter : attend::parameters(layer)) parameters.push_back(parameter);
    chain.push_back([layer](const Var& x, Rng* own) { return layer(x, {}, own); });
  }
  const Var x(rng.normal({batch, time_steps, size}, 0, 1));

  std::printf("%td transformer layers, x [%td, %td, %td], %td heads: forward and backward, float32, median of %d\n\n",
              layers, batch, time_steps, size, heads, rounds);
  std::puts("  segments   peak MiB   of plain   seconds   of plain");
  const std::vector<Size> forms = {1, 4, 8, 11, 16};  // 1 segment: the plain chain
  std::vector<std::vector<double>> seconds(forms.size());
  std::vector<double> peaks(forms.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const Measured measured = step(chain, x, parameters, forms[i]);
      seconds[i].push_back(measured.seconds);
      peaks[i] = measured.peak_bytes;
    }
  }
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const double of_peak = peaks[i] / peaks[0], of_time = median(seconds[i]) / median(seconds[0]);
    std::printf("  %8td %10.1f %10.3f %9.3f %10.2f%s\n", forms[i], peaks[i] / mebibyte, of_peak, median(seconds[i]),
                of_time, of_peak <= most_of_peak && of_time <= most_of_time ? "   within both limits" : "");
  }
  std::printf("\nlimits: %.2f of the peak at %.2f of the time, for some number of segments\n", most_of_peak,
              most_of_time);
}
