#include "nn/attention/spectrum.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>

#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("q kᵀ has the rank d, and its softmax the full rank, most of whose energy lies in fewer values") {
  const Tensor q = random({64, 16}, DType::float64, 1), k = random({64, 16}, DType::float64, 2);
  const AttentionSpectrum spectrum = attention_spectrum(q, k);
  CHECK(rank_of(spectrum.scores) == 16);
  CHECK(rank_of(spectrum.weights) == 64);
  const Size most = energy_rank(spectrum.weights, 0.99);
  std::printf("  of 64 positions with d = 16: 99 %% of the energy of the scores in %d, of the weights in %d values\n",
              static_cast<int>(energy_rank(spectrum.scores, 0.99)), static_cast<int>(most));
  CHECK(most > 16);
  CHECK(most < 64);
}

TEST_CASE("equal queries give weights of rank 1") {
  const Tensor q = Tensor::ones({8, 3}, DType::float64), k = random({8, 3});
  const AttentionSpectrum spectrum = attention_spectrum(q, k);
  CHECK(rank_of(spectrum.weights) == 1);
  CHECK(energy_rank(spectrum.weights, 0.99) == 1);
}

TEST_CASE("ranks count what is above rounding, and energies are squares") {
  CHECK(rank_of(numbers({4, 2, 1e-15, 0}, {4})) == 2);
  CHECK(rank_of(Tensor::from({4, 2, 1e-4, 1e-9}, {4})) == 3);
  CHECK(rank_of(numbers({0, 0}, {2})) == 0);
  CHECK(rank_of(Tensor::zeros({0})) == 0);
  const Tensor values = numbers({3, 2, 1}, {3});  // energies 9, 4, 1 of 14
  CHECK(energy_rank(values, 0.64) == 1);
  CHECK(energy_rank(values, 0.65) == 2);
  CHECK(energy_rank(values, 0.93) == 3);
  CHECK(energy_rank(values, 1) == 3);
  check_throws_with([&] { energy_rank(values, 0); }, {"energy_rank", "share"});
  check_throws_with([&] { energy_rank(values, 1.5); }, {"energy_rank", "1.5"});
  check_throws_with([] { attention_spectrum(random({2, 3}), random({3, 3})); }, {"attention_spectrum", "[2, 3]"});
}
