// The parts of chapter 14's program.
#include <doctest/doctest.h>

#include <cmath>

#include "nn/attention/shared_query_key.hpp"
#include "nn/parameters.hpp"
#include "tensor/difference.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tutorials/14_hashing/collisions.hpp"
#include "tutorials/14_hashing/cost.hpp"
#include "tutorials/14_hashing/learning.hpp"
#include "tutorials/14_hashing/rounds.hpp"

using namespace attend;
using namespace attend::chapter14;
using namespace attend::test;

namespace {

constexpr Size T = 23, d = 5, dv = 3;

LshAttention hashes(Size buckets, Size chunk, Size rounds, bool around = true) {
  Rng rng(4);
  return cast(LshAttention(d, buckets, chunk, rounds, rng, around), DType::float64);
}

Tensor numbers(const Shape& shape, std::uint64_t seed) { return random(shape, DType::float64, seed); }

}  // namespace

TEST_CASE("two vectors share one of two buckets with 1 − angle / π, and one of more less often") {
  for (const double angle : {0.2, 1.0, 2.0, 3.0}) {
    check_close(collision_probability(angle, 2), 1 - angle / std::acos(-1.0), 1e-3);
    CHECK(collision_probability(angle, 4) < collision_probability(angle, 2));
    CHECK(collision_probability(angle, 16) < collision_probability(angle, 4));
  }
  // At a right angle all buckets are alike: for 4 buckets 1/4 by symmetry.
  check_close(collision_probability(std::acos(0.0), 4), 0.25, 1e-3);
  check_close(collision_probability(std::acos(0.0), 16), 1.0 / 16, 1e-3);
}

TEST_CASE("what is counted is what is to be expected, in some round too") {
  Rng rng(6);
  const Size draws = 5000;
  for (const Size rounds : {1, 3}) {
    const double expected = in_some_round(collision_probability(0.8, 8), rounds);
    const double found = counted_collisions(0.8, 8, rounds, draws, rng);
    CHECK(std::abs(found - expected) < 4 * standard_error(expected, draws));
  }
  check_close(in_some_round(0.5, 3), 0.875, 1e-15);
}

TEST_CASE("positions are sorted by bucket, then position; a query meets its chunk and the one before") {
  const Buckets buckets = {2, 0, 1, 0, 2};
  CHECK(sorted_by_bucket(buckets) == std::vector<Size>{1, 3, 2, 0, 4});
  // Chunks of 2: {1, 3}, {2, 0}, {4}.
  const Tensor open = met(buckets, 2, false), around = met(buckets, 2, true);
  const auto row = [](const Tensor& map, Size i) { return slice(map, 0, i, 1).to_vector(); };
  CHECK(row(open, 1) == std::vector<double>{0, 1, 0, 1, 0});
  CHECK(row(open, 0) == std::vector<double>{1, 1, 1, 1, 0});
  CHECK(row(open, 4) == std::vector<double>{1, 0, 1, 0, 1});
  CHECK(row(around, 3) == std::vector<double>{0, 1, 0, 1, 1});
  CHECK(row(around, 0) == row(open, 0));
}

TEST_CASE("one chunk or two: everybody meets everybody, if the first looks back at the last") {
  const Buckets buckets = {2, 0, 1, 0, 2};
  const auto pairs = [](const Tensor& map) { return kernel::sum(map, {0, 1}, false).item(); };
  CHECK(pairs(met(buckets, 9, true)) == 25);
  CHECK(pairs(met(buckets, 3, true)) == 25);
  CHECK(pairs(met(buckets, 3, false)) == 25 - 3 * 2);
  CHECK(met({}, 3, true).size() == 0);
}

TEST_CASE("the definition, with a mask for each round, is LSH attention; causal and padded by nothing too") {
  const Tensor q = numbers({1, 1, T, d}, 1), v = numbers({1, 1, T, dv}, 2);
  for (const bool around : {true, false}) {
    for (const Size rounds : {1, 4}) {
      const LshAttention lsh = hashes(6, 4, rounds, around);
      for (const Mask& mask : {Mask(), causal_mask(T, T)}) {
        check_agree(LshByDefinition{lsh}(q, q, v, mask).context, lsh(q, q, v, mask).context, 1e-13);
      }
    }
  }
  const Tensor two = numbers({2, 1, T, d}, 1);
  check_throws_with([&] { LshByDefinition{hashes(6, 4, 1)}(two, two, two); }, {"LSH by definition", "[2, 1, 23, 5]"});
}

TEST_CASE("with one round all three ways to put rounds together are one; with several, three") {
  const Tensor q = numbers({1, 1, T, d}, 1), v = numbers({1, 1, T, dv}, 2);
  const auto found = [&](Size rounds, Together together) {
    return LshByDefinition{hashes(6, 4, rounds), together}(q, q, v).context.value();
  };
  for (const Together wrong : {Together::twice, Together::averaged}) {
    CHECK(largest_difference(found(1, Together::once), found(1, wrong)) < 1e-14);
    CHECK(largest_difference(found(3, Together::once), found(3, wrong)) > 1e-3);
  }
  CHECK(largest_difference(found(3, Together::twice), found(3, Together::averaged)) > 1e-3);
}

TEST_CASE("who may see itself looks mostly at itself; rotations drawn anew give other numbers") {
  Rng rng(3);
  const Var q = reshape(directed(Directions::scattered, T, d, 20, rng), {1, 1, T, d});
  const Tensor map = attention_map(LshByDefinition{hashes(6, 4, 2), Together::once, true}, q, q).value();
  double itself = 0;
  for (Size i = 0; i < T; ++i) itself += map.at({0, 0, i, i}) / T;
  CHECK(itself > 0.5);
  const RedrawnLsh redrawn{d, 6, 4, 1, std::make_shared<Rng>(1)};
  CHECK(largest_difference(redrawn(q, q, q).context.value(), redrawn(q, q, q).context.value()) > 1e-3);
}

TEST_CASE("twins agree, the scattered do not, and half of the crowded do; all have the length asked for") {
  const auto cosine = [](Directions how, Size i, Size j) {
    Rng rng(5);
    const Tensor x = directed(how, 32, 16, 3, rng);
    double product = 0, square = 0;
    for (Size a = 0; a < 16; ++a) {
      product += x.at({i, a}) * x.at({j, a}) / 9;
      square += x.at({i, a}) * x.at({i, a});
    }
    check_close(square, 9, 1e-12);
    return product;
  };
  CHECK(cosine(Directions::twins, 3, 28) > 0.95);
  CHECK(std::abs(cosine(Directions::twins, 3, 27)) < 0.8);
  CHECK(std::abs(cosine(Directions::scattered, 3, 28)) < 0.8);
  CHECK(cosine(Directions::crowded, 2, 20) > 0.95);
  CHECK(std::abs(cosine(Directions::crowded, 3, 21)) < 0.8);
}

TEST_CASE("more rounds find more, and one chunk finds all") {
  const auto found = [](Size chunk, Size rounds) {
    return found_of(Directions::twins, {32, 8, 20, 8, chunk}, rounds, Together::once, 2, Rng(1));
  };
  const Found one = found(4, 1), four = found(4, 4), all = found(32, 1);
  CHECK(one.pairs == 0.25);
  CHECK(four.pairs > one.pairs);
  CHECK(four.weight > one.weight);
  CHECK(four.error < one.error);
  check_close(all.pairs, 1, 1e-14);
  check_close(all.weight, 1, 1e-14);
  CHECK(all.error < 1e-14);
}

TEST_CASE("softmax and the hashing family are what is costed, and hashes need less memory for long sequences") {
  const std::vector<Variant> variants = costed();
  REQUIRE(variants.size() == 3);
  CHECK(variants[0].name == "softmax");
  CHECK(variants[2].name == "LSH");
  CHECK(peak_bytes(variants[0], 128, 4, 1) >= 128 * 128 * sizeof(float));
  CHECK(peak_bytes(variants[0], 256, 4, 1) > 3 * peak_bytes(variants[0], 128, 4, 1));
}

TEST_CASE("a model gets other rounds, and nothing else of it changes") {
  Trial trial = trials()[0];
  trial.plan.steps = 1;
  trial.plan.test_sequences = 8;
  const Learned learned = learn(hashed(8, 1), trial, 2);
  Rng rng(1);
  lesson::CoreTransformer other = with_rounds(learned.model, 4, rng), same = learned.model;
  std::vector<Shape> shapes;
  each_buffer(other, [&](const std::string&, Tensor& rotations) { shapes.push_back(rotations.shape()); });
  CHECK(shapes == std::vector<Shape>{{4, 8, 4}});
  each_buffer(same, [&](const std::string&, Tensor& rotations) { CHECK(rotations.shape() == Shape{1, 8, 4}); });
  CHECK(same_bits(parameters(other), parameters(same)));
  CHECK(hashed(8, 1).name == "LSH, chunks of 8, 1 round");
  CHECK(hashed(4, 2).name == "LSH, chunks of 4, 2 rounds");
}
