// Blockwise attention against the composed form softmax(q kᵀ / √d) v, forward and backward to q, k and v: one head of
// width 64, float32. First the memory beyond inputs, result and gradients, then the time.
//
//   blockwise [BLOCK]    queries, and keys, of a tile
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

void print_bytes(const char* form, Size T, std::ptrdiff_t bytes, const std::string& limit) {
  std::printf("  T = %4td  %-18s %7.2f MiB%s\n", T, form, static_cast<double>(bytes) / (1 << 20), limit.c_str());
}

void compare_bytes(Size block) {
  const double limit = 16 << 20;
  for (bool causal : {false, true}) {
    const auto bytes = bytes_beyond(Inputs(8192), [&](const Inputs& in) { return blockwise(in, causal, block); });
    const char* verdict = static_cast<double>(bytes) <= limit ? "met" : "NOT met";
    print_bytes(causal ? "blockwise, causal" : "blockwise", 8192, bytes, std::string("   limit 16 MiB: ") + verdict);
  }
  print_bytes("composed", 2048, bytes_beyond(Inputs(2048), composed), "");
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
  std::printf("  %4td %8.2f %9.2f %7.2f  %5.2f (%.2f to %.2f)", T, median(of_composed), median(of_blockwise),
              median(of_causal), median(ratios), *least, *most);
  if (T == 2048) std::printf("   limit 1.00: %s", median(ratios) <= 1 ? "met" : "NOT met");
  std::puts("");
}

// The size of a block that was asked for; 0 where it is none.
Size block_from(int argc, char** argv) {
  if (argc == 1) return Blockwise().block;
  char* end = nullptr;
  const long long block = std::strtoll(argv[1], &end, 10);
  return argc == 2 && *end == '\0' && block > 0 && block <= 8192 ? static_cast<Size>(block) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Size block = block_from(argc, argv);
  if (block == 0) {
    std::fputs("blockwise: the only argument is the size of a block, from 1 to 8192, as in: blockwise 96\n", stderr);
    return 2;
  }
  std::printf("One head of width 64, float32, forward and backward, blocks of %td.\n\n", block);
  std::puts("Memory at its peak, beyond inputs, result and gradients");
  compare_bytes(block);
  std::printf("\nTime of the processor in ms, one thread, in turns, median of %d; ratio is\n", runs);
  std::puts("blockwise / composed, with the least and the largest of the runs");
  std::puts("     T composed blockwise  causal  ratio");
  for (Size T : {512, 2048}) compare_times(T, block);
}
