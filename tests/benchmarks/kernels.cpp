// How fast the kernels are, float32 on one thread: time per element, and for products the arithmetic per second.
#include "tensor/kernels.hpp"

#include <benchmark/benchmark.h>

#include "tensor/random.hpp"

// Declared here and not taken from cblas.h, which belongs to tensor/ alone.
extern "C" char* openblas_get_corename(void);

namespace {

using namespace attend;

constexpr Size rows = 256, columns = 512;

Tensor random(const Shape& shape) {
  Rng rng(1);
  return rng.normal(shape, 0, 1);
}

// Calls f until the time is known, and tells it per element of a [rows, columns] result.
template <class F>
void per_element(benchmark::State& state, F f) {
  for (auto _ : state) benchmark::DoNotOptimize(f());
  const auto elements = static_cast<double>(state.iterations() * rows * columns);
  state.counters["per_element"] =
      benchmark::Counter(elements, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void add(benchmark::State& state) {
  const Tensor a = random({rows, columns}), b = random({rows, columns});
  per_element(state, [&] { return kernel::add(a, b); });
}
void add_row(benchmark::State& state) {
  const Tensor a = random({rows, columns}), row = random({columns});
  per_element(state, [&] { return kernel::add(a, row); });
}
void add_column(benchmark::State& state) {
  const Tensor a = random({rows, columns}), column = random({rows, 1});
  per_element(state, [&] { return kernel::add(a, column); });
}
void exp(benchmark::State& state) {
  const Tensor a = random({rows, columns});
  per_element(state, [&] { return kernel::exp(a); });
}
void tanh(benchmark::State& state) {
  const Tensor a = random({rows, columns});
  per_element(state, [&] { return kernel::tanh(a); });
}
void softmax(benchmark::State& state) {
  const Tensor a = random({rows, columns});
  per_element(state, [&] { return kernel::softmax(a); });
}
void sum_of_rows(benchmark::State& state) {
  const Tensor a = random({rows, columns});
  per_element(state, [&] { return kernel::sum(a, {-1}, false); });
}

// [n, n] · [n, n]
void matmul(benchmark::State& state) {
  const auto n = static_cast<Size>(state.range(0));
  const Tensor a = random({n, n}), b = random({n, n});
  for (auto _ : state) benchmark::DoNotOptimize(kernel::matmul(a, b));
  state.counters["FLOP"] =
      benchmark::Counter(2.0 * static_cast<double>(n * n * n), benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(add);
BENCHMARK(add_row);
BENCHMARK(add_column);
BENCHMARK(exp);
BENCHMARK(tanh);
BENCHMARK(softmax);
BENCHMARK(sum_of_rows);
BENCHMARK(matmul)->Arg(64)->Arg(256)->Arg(512);

}  // namespace

int main(int argc, char** argv) {
  benchmark::AddCustomContext("BLAS kernels", openblas_get_corename());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
