// Blockwise attention against the composed form softmax(q kᵀ / √d) v, forward and backward to q, k and v: one head of
// width 64, float32. First the memory beyond inputs, result and gradients, then the time. An argument sets the block.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tensor/live.hpp"
#include "tensor/parallel.hpp"
#include "tensor/random.hpp"
#include "tests/benchmarks/median.hpp"

namespace {

using namespace attend;

constexpr Size width = 64;
constexpr int runs = 9;
const double scale = 1 / std::sqrt(static_cast<double>(width));

struct Inputs {
  Var q, k, v, cotangent;
  explicit Inputs(Size T) {
    Rng rng(1);
    for (Var* x : {&q, &k, &v}) *x = Var::parameter(rng.normal({T, width}, 0, 1));
    cotangent = rng.normal({T, width}, 0, 1);
  }
};

Var composed(const Inputs& in) { return matmul(softmax(matmul(in.q * scale, transpose(in.k))), in.v); }

Var blockwise(const Inputs& in, bool causal, Size block) {
  return blockwise_attention(in.q, in.k, in.v, {scale, {}, causal, block});
}

// Bytes at the peak of a forward and backward pass, beyond the inputs, the result and three gradients.
template <class Attention>
std::ptrdiff_t bytes_beyond(const Inputs& in, Attention attention) {
  const auto before = live().bytes;
  reset_peak();
  Var y = attention(in);
  const Vars gradients = grad(y, {in.q, in.k, in.v}, in.cotangent);
  const auto of_each = static_cast<std::ptrdiff_t>(in.q.size() * static_cast<Size>(sizeof(float)));
  return live().peak_bytes - before - 4 * of_each;
}

// Milliseconds of the processor, for one pass: other programs do not count.
template <class Attention>
double milliseconds(const Inputs& in, Attention attention) {
  const std::clock_t start = std::clock();
  grad(attention(in), {in.q, in.k, in.v}, in.cotangent);
  return 1e3 / CLOCKS_PER_SEC * static_cast<double>(std::clock() - start);
}

void compare_times(Size T, Size block) {
  const Inputs in(T);
  std::vector<double> of_composed, of_blockwise, of_causal, ratios;
  for (int run = 0; run <= runs; ++run) {  // in turns; the first is not counted
    const double whole = milliseconds(in, composed);
    const double tiles = milliseconds(in, [=](const Inputs& x) { return blockwise(x, false, block); });
    const double causal = milliseconds(in, [=](const Inputs& x) { return blockwise(x, true, block); });
    if (run == 0) continue;
    of_composed.push_back(whole);
    of_blockwise.push_back(tiles);
    of_causal.push_back(causal);
    ratios.push_back(tiles / whole);
  }
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  std::printf("T = %4td: composed %7.2f ms, blockwise %7.2f ms: ratio %.2f (%.2f to %.2f); causal %7.2f ms\n", T,
              median(of_composed), median(of_blockwise), median(ratios), *least, *most, median(of_causal));
}

}  // namespace

int main(int argc, char** argv) {
  const Size block = argc > 1 ? std::atoll(argv[1]) : Blockwise().block;
  const double mib = 1 << 20;
  for (bool causal : {false, true}) {
    const auto bytes = bytes_beyond(Inputs(8192), [&](const Inputs& in) { return blockwise(in, causal, block); });
    std::printf("T = 8192%s, blocks of %td: %.2f MiB beyond inputs, result and gradients   limit 16\n",
                causal ? ", causal" : "", block, static_cast<double>(bytes) / mib);
  }
  std::printf("T = 2048, composed: %.2f MiB\n", static_cast<double>(bytes_beyond(Inputs(2048), composed)) / mib);
  std::printf("Time of the processor, one thread, median of %d; limit of the ratio at 2048: 1.00\n", runs);
  for (Size T : {512, 2048}) compare_times(T, block);
}
