// What a node of the history costs:   y = y · c, over and over, with one number each, so that bookkeeping is all there
// is. Everything happens on a thread with a stack of 8 MiB: recursion over the nodes would end it.
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tensor/live.hpp"
#include "tests/benchmarks/median.hpp"

namespace {

using namespace attend;

constexpr int nodes = 300000;
constexpr int runs = 5;
constexpr double factor = 1.000001;
constexpr std::size_t stack_bytes = 8 << 20;

// µs per node, one for each run: by the clock on the wall, and of the processor, which does not count other programs.
struct Measured {
  std::vector<double> wall, processor;
};
struct Times {
  Measured forward, backward, free;
};

// Calls f and adds its time per node.
template <class F>
void measure(Measured& times, F f) {
  using Clock = std::chrono::steady_clock;
  const auto wall = Clock::now();
  const std::clock_t processor = std::clock();
  f();
  times.processor.push_back(1e6 / CLOCKS_PER_SEC * static_cast<double>(std::clock() - processor) / nodes);
  times.wall.push_back(std::chrono::duration<double, std::micro>(Clock::now() - wall).count() / nodes);
}

void chain(Times& times) {
  const Var x = Var::parameter(Tensor::full({}, 1, DType::float64));
  const Var c = Tensor::full({}, factor, DType::float64);
  Var y = x;
  Vars gradient;
  measure(times.forward, [&] {
    for (int i = 0; i < nodes; ++i) y = y * c;
  });
  measure(times.backward, [&] { gradient = grad(y, {x}); });
  measure(times.free, [&] { y = Var(); });
  const double expected = std::pow(factor, nodes);
  if (std::fabs(gradient[0].item() / expected - 1) < 1e-9) return;
  std::printf("the gradient is %.12g and should be %.12g\n", gradient[0].item(), expected);
  std::exit(1);
}

void* all_runs(void* times) {
  for (int run = 0; run < runs; ++run) chain(*static_cast<Times*>(times));
  return nullptr;
}

void print(const char* what, const Measured& times, const char* limit) {
  const auto [fastest, slowest] = std::minmax_element(times.wall.begin(), times.wall.end());
  std::printf("  %-9s %.2f µs a node%s (%.2f to %.2f; of the processor %.2f)\n", what, median(times.wall), limit,
              *fastest, *slowest, median(times.processor));
}

}  // namespace

int main() {
  const auto before = live().nodes;
  Times times;
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  if (pthread_create(&thread, &attributes, all_runs, &times) != 0) {
    std::perror("a thread with a stack of 8 MiB");
    return 1;
  }
  pthread_join(thread, nullptr);

  std::printf("y = y * c, %d scalar nodes, median of %d runs\n", nodes, runs);
  print("forward", times.forward, ", limit 1.50");
  print("backward", times.backward, ", limit 1.50");
  print("free", times.free, "");
  std::printf("built, differentiated and freed on a stack of 8 MiB; nodes left alive: %td\n", live().nodes - before);
  return live().nodes == before ? 0 : 1;
}
