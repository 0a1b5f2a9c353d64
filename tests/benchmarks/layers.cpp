// What a training step of a layer costs without its optimizer: forward, backward to inputs and parameters, and freeing
// the history. float32, one thread.
#include <benchmark/benchmark.h>

#include "nn/attention/additive.hpp"
#include "nn/gru.hpp"

namespace {

using namespace attend;

// f maps inputs to one Var; `leaves` are what its gradient is taken for.
template <class F>
void forward_and_backward(benchmark::State& state, const Vars& leaves, F f) {
  Rng rng(2);
  const Var cotangent = rng.normal(f().shape(), 0, 1);
  for (auto _ : state) {
    Var y = f();
    benchmark::DoNotOptimize(grad(std::move(y), leaves, cotangent));
  }
}

// 12 queries look at 20 keys, as when a date of 20 letters is read to write 12.
void additive_attention(benchmark::State& state) {
  constexpr Size batch = 16, queries = 12, keys = 20, size = 64, hidden = 64;
  Rng rng(1);
  const AdditiveAttention attention(size, size, hidden, rng);
  const Var query = Var::parameter(rng.normal({batch, queries, size}, 0, 1));
  const Var key = Var::parameter(rng.normal({batch, keys, size}, 0, 1));
  Vars leaves = parameters(attention);
  leaves.insert(leaves.end(), {query, key});
  forward_and_backward(state, leaves, [&] { return attention(query, key, key).context; });
}

void gru(benchmark::State& state) {
  constexpr Size batch = 32, time = 20, input = 64, hidden = 64;
  Rng rng(1);
  const GRU layer(input, hidden, rng);
  const Var x = Var::parameter(rng.normal({batch, time, input}, 0, 1));
  Vars leaves = parameters(layer);
  leaves.push_back(x);
  forward_and_backward(state, leaves, [&] { return layer(x).states; });
}

BENCHMARK(additive_attention)->Unit(benchmark::kMillisecond);
BENCHMARK(gru)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
