#include "tutorials/09_channel_attention/network.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tutorials/09_channel_attention/looking.hpp"

using namespace attend;
using namespace attend::chapter09;
using namespace attend::test;

namespace {

const GateKind plain{GateKind::none}, excitation{GateKind::squeeze_excitation, 4};
const NetworkSize size{3, 8, 2};

Network network_of(const GateKind& kind, std::uint64_t seed = 1) {
  Rng rng(seed);
  return Network(size, kind, rng);
}

CuedDigits some_pairs(Size count) {
  Rng rng(2);
  return draw_cued(lesson::digits8x8(), count, rng);
}

GateKind broken(Fault fault) { return {GateKind::broken, 4, fault}; }

}  // namespace

TEST_CASE("networks with different gates begin with the same convolutions and the same head") {
  const Network bare = network_of(plain);
  for (const GateKind& kind : std::vector<GateKind>{excitation,
                                                    {GateKind::article, 4},
                                                    {GateKind::cbam, 4},
                                                    {GateKind::eca},
                                                    broken(Fault::softmax),
                                                    broken(Fault::positions)}) {
    const Network other = network_of(kind);
    for (std::size_t b = 0; b < 2; ++b) CHECK(same_bits(bare.blocks[b].conv.weight, other.blocks[b].conv.weight));
    CHECK(same_bits(bare.head.weight, other.head.weight));
    CHECK(other(Var(some_pairs(2).pixels), Mode::training).shape() == Shape{2, 10});
  }
}

TEST_CASE("squeeze-and-excitation adds 2 C² / r numbers to each block") {
  const Size bare = parameter_count(network_of(plain));
  CHECK(bare == 3 * 8 * 9 + 8 * 8 * 9 + 2 * 2 * 8 + 8 * 10 + 10);
  CHECK(parameter_count(network_of(excitation)) == bare + 2 * 2 * 8 * 8 / 4);
  CHECK(parameter_count(network_of({GateKind::eca})) == bare + 2 * ECA::kernel_size(8));
}

TEST_CASE("without gates the cue changes (blocks + 1)² positions, with gates all of them") {
  const CuedDigits pairs = some_pairs(50);
  CHECK(positions_reached(network_of(plain), pairs) == 9);
  Rng rng(1);
  CHECK(positions_reached(Network({3, 32, 2}, excitation, rng), pairs) == 64);
}

TEST_CASE("a network given its own gates answers as it does without being given any") {
  const Network network = network_of(excitation);
  const Var x(some_pairs(5).pixels);
  check_agree(network.with_gates(x, network.gates(x)), network(x, Mode::evaluation), 1e-6);
  const Exchanged answers = exchange_gates(network, some_pairs(40));
  CHECK(answers.own == accuracy(network, {some_pairs(40).pixels, some_pairs(40).meant}));
}

TEST_CASE("each break is another layer than squeeze-and-excitation with the same weights") {
  Rng rng(3);
  const Var x(random({3, 8, 8, 8}, DType::float32, 4));
  for (Fault fault : {Fault::softmax, Fault::no_relu, Fault::neighbour, Fault::maximum}) {
    const BrokenExcitation layer(8, 64, 4, fault, rng);
    const Var right = layer.layer.gates(x), wrong = layer.gates(x);
    CHECK(wrong.shape() == Shape{3, 8});
    CHECK(max(abs(right - wrong), {0, 1}).item() > 1e-4);
  }
  const BrokenExcitation positions(8, 64, 4, Fault::positions, rng);
  CHECK(positions.gates(x).shape() == Shape{3, 64});
  const BrokenExcitation together(8, 64, 4, Fault::softmax, rng);
  check_close(sum(together.gates(x), {1}), {3}, {1, 1, 1}, 1e-6);
  const BrokenExcitation others(8, 64, 4, Fault::neighbour, rng);
  check_agree(slice(others.gates(x), 0, 1, 2), slice(others.layer.gates(x), 0, 0, 2), 0);
}

TEST_CASE("the mean gates are those of the images with that cue, and the map orders the channels by their difference") {
  const MeanGates gates{{0.2, 0.9, 0.5}, {0.6, 0.1, 0.5}};
  check_close(largest_gap(gates), 0.8, 1e-12);
  const lesson::HeatMap map = heat_map(gates, "");
  CHECK(map.column_labels == std::vector<std::string>{"1", "2", "0"});
  CHECK(map.values.all() == std::vector<double>{0.9, 0.5, 0.2, 0.1, 0.5, 0.6});

  CHECK(by_difference(gates) == std::vector<std::size_t>{1, 2, 0});

  const Network network = network_of(excitation);
  std::vector<double> kernels(8 * 3 * 9, 0.0);
  kernels[5 * 27 + 4] = 1;  // channel 5 listens to the first digit with 1, to the second with 2, to the cue with 7
  kernels[5 * 27 + 9 + 3] = -2;
  kernels[5 * 27 + 18] = 7;
  Network listening = network;
  listening.blocks[0].conv.weight = Var(Tensor::from(kernels, {8, 3, 3, 3}));
  check_close(share_on_first_digit(listening)[5], 0.2, 1e-6);

  const CuedDigits pairs = some_pairs(30);
  Rng rng(1);
  const Network wide({3, 32, 2}, excitation, rng);  // with fewer numbers in the bottleneck all may be closed
  const Tensor first = wide.gates(Var(pairs.pixels))[0].value();
  double plus = 0, minus = 0, n = 0;
  for (Size i = 0; i < 30; ++i) {
    (pairs.plus.at({i}) == 1 ? plus : minus) += first.at({i, 3});
    n += pairs.plus.at({i});
  }
  const MeanGates found = mean_gates(wide, pairs)[0];
  check_close(found.plus[3], plus / n, 1e-6);
  check_close(found.minus[3], minus / (30 - n), 1e-6);
  CHECK(std::fabs(plus / n - minus / (30 - n)) > 1e-4);
}
