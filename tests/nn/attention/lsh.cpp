#include "nn/attention/lsh.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "nn/attention/shared_query_key.hpp"
#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size B = 2, H = 3, d = 4, dv = 5;

struct Settings {
  Size buckets, chunk, rounds;
};

Tensor query(Size T) { return random({B, H, T, d}, DType::float64, 1); }
Tensor value(Size T) { return random({B, H, T, dv}, DType::float64, 2); }

LshAttention hashed(Size buckets, Size chunk, Size rounds, bool around = true, std::uint64_t seed = 3) {
  Rng rng(seed);
  return cast(LshAttention(d, buckets, chunk, rounds, rng, around), DType::float64);
}

// The hash of one vector in plain loops.
Size bucket_of(const Tensor& q, Size b, Size h, Size t, const Tensor& rotations, Size round) {
  const Size half = rotations.shape()[2];
  Size best = 0;
  double largest = -std::numeric_limits<double>::infinity();
  for (Size bucket = 0; bucket < 2 * half; ++bucket) {
    double product = 0;
    for (Size x = 0; x < d; ++x) product += q.at({b, h, t, x}) * rotations.at({round, x, bucket % half});
    if (bucket >= half) product = -product;
    if (product > largest) {
      largest = product;
      best = bucket;
    }
  }
  return best;
}

// The pairs of all rounds together, as a mask [B, H, T, T]: in each round the `length` of sequence b that is there is
// sorted, and cut into chunks among `count` of them.
Mask pairs(const LshAttention& lsh, const Tensor& q, const std::vector<Size>& lengths) {
  const Size T = q.shape()[2], chunk = std::min(lsh.chunk, T), count = (T + chunk - 1) / chunk;
  std::vector<bool> seen(static_cast<std::size_t>(B * H * T * T), false);
  for (Size b = 0; b < B; ++b) {
    const Size length = lengths[static_cast<std::size_t>(b)];
    for (Size h = 0; h < H; ++h) {
      for (Size round = 0; round < lsh.rotations.shape()[0]; ++round) {
        std::vector<std::pair<Size, Size>> sorted;  // bucket, position
        for (Size t = 0; t < length; ++t) sorted.push_back({bucket_of(q, b, h, t, lsh.rotations, round), t});
        std::sort(sorted.begin(), sorted.end());
        for (Size i = 0; i < length; ++i) {
          for (Size j = 0; j < length; ++j) {
            const Size of_i = i / chunk, of_j = j / chunk, before = lsh.around ? (of_i + count - 1) % count : of_i - 1;
            if (of_j != of_i && of_j != before) continue;
            const Size from = sorted[static_cast<std::size_t>(i)].second,
                       to = sorted[static_cast<std::size_t>(j)].second;
            seen[static_cast<std::size_t>(((b * H + h) * T + from) * T + to)] = true;
          }
        }
      }
    }
  }
  return Mask(Tensor::from_bools(seen, {B, H, T, T}));
}

// The collisions of two vectors at angle theta in `draws` hashes of 2 buckets.
double collisions(double theta, Size draws) {
  Rng rng(5);
  const LshAttention lsh(2, 2, 1, draws, rng);
  const Tensor x = Tensor::from({1, 0, std::cos(theta), std::sin(theta)}, {2, 2}, DType::float64);
  const std::vector<std::int64_t> bucket = lsh_buckets(x, lsh.rotations).to_ints();  // [draws, 2]
  Size same = 0;
  for (std::size_t i = 0; i < bucket.size(); i += 2) same += bucket[i] == bucket[i + 1] ? 1 : 0;
  return static_cast<double>(same) / static_cast<double>(draws);
}

// ‖found − expected‖ / ‖expected‖
double relative_error(const Var& found, const Var& expected) {
  return norm(found - expected, {0, 1, 2, 3}).value().item() / norm(expected, {0, 1, 2, 3}).value().item();
}

}  // namespace

TEST_CASE("LSH attention is shared query-key attention among the pairs of all rounds, each counted once") {
  const SharedQueryKeyAttention full;
  for (Size T : {1, 2, 5, 8, 13, 24}) {
    for (const Settings& set : {Settings{2, 1, 1}, {6, 2, 1}, {4, 3, 2}, {8, 4, 5}, {2, 5, 3}, {16, 40, 2}}) {
      for (bool around : {true, false}) {
        CAPTURE(T);
        CAPTURE(set.chunk);
        CAPTURE(set.rounds);
        CAPTURE(around);
        const LshAttention lsh = hashed(set.buckets, set.chunk, set.rounds, around);
        const Tensor q = query(T), v = value(T);
        const Mask met = pairs(lsh, q, {T, T});
        check_agree(lsh(q, q, v).context, full(q, q, v, met).context, 1e-13);
        check_agree(lsh(q, q, v, causal_mask(T, T)).context, full(q, q, v, met & causal_mask(T, T)).context, 1e-13);
      }
    }
  }
}

TEST_CASE("what is padding takes no place in the chunks of LSH attention") {
  const Size T = 13;
  const std::vector<Size> lengths = {13, 6};
  const Mask padding = padding_mask(lengths, T);
  const Tensor q = query(T), v = value(T), there = reshape(padding.visible_keys(), {B, 1, T, 1});
  const auto real = [&](const Var& x) { return where(there, x, Tensor::zeros({}, DType::float64)); };
  for (bool around : {true, false}) {
    const LshAttention lsh = hashed(6, 3, 3, around);
    const Mask met = pairs(lsh, q, lengths);
    for (const Mask& mask : {padding, padding & causal_mask(T, T)}) {
      const Var expected = SharedQueryKeyAttention()(q, q, v, met & mask).context;
      check_agree(real(lsh(q, q, v, mask).context), real(expected), 1e-13);
    }
  }
  // Without going around a sequence is then what it is alone.
  const LshAttention lsh = hashed(6, 3, 3, false);
  const auto alone = [&](const Tensor& x) { return slice(slice(x, 0, 1, 1), 2, 0, 6); };
  check_agree(lsh(alone(q), alone(q), alone(v)).context, alone(lsh(q, q, v, padding).context.value()), 1e-13);
}

TEST_CASE("buckets of any size: all queries in one, and more buckets than positions") {
  const Size T = 8;
  const Tensor v = value(T), one = random({B, H, 1, d}, DType::float64, 4);
  const Tensor same = contiguous(broadcast_to(one, {B, H, T, d}));
  // All are in one bucket, so that each position sees its own two and the two before, all but itself alike.
  const Var found = hashed(4, 2, 1, false)(same, same, v).context;
  for (Size i = 0; i < T; ++i) {
    const Size from = i < 2 ? 0 : i / 2 * 2 - 2, to = i / 2 * 2 + 2;
    for (Size x = 0; x < dv; ++x) {
      double sum = 0;
      for (Size j = from; j < to; ++j) sum += j == i ? 0 : v.at({1, 2, j, x});
      check_close(found.value().at({1, 2, i, x}), sum / static_cast<double>(to - from - 1), 1e-13);
    }
  }
  const LshAttention many = hashed(64, 3, 2);
  const Tensor q = query(T);
  check_agree(many(q, q, v).context, SharedQueryKeyAttention()(q, q, v, pairs(many, q, {T, T})).context, 1e-13);
}

TEST_CASE("hashes are those of plain loops, and do not depend on the length of a vector") {
  const Size T = 9;
  const LshAttention lsh = hashed(6, 3, 2);
  const Tensor q = query(T), buckets = lsh_buckets(q, lsh.rotations);
  CHECK(buckets.shape() == Shape{B, H, 2, T});
  for (Size b = 0; b < B; ++b) {
    for (Size round = 0; round < 2; ++round) {
      for (Size t = 0; t < T; ++t) {
        CHECK(buckets.at({b, 1, round, t}) == static_cast<double>(bucket_of(q, b, 1, t, lsh.rotations, round)));
      }
    }
  }
  CHECK(lsh_buckets((8.0 * Var(q)).value(), lsh.rotations).to_ints() == buckets.to_ints());
}

TEST_CASE("two vectors share one of two buckets with the probability 1 − θ/π") {
  const Size draws = 20000;
  for (double theta : {0.2, 1.0, 2.0, 3.0}) {
    const double p = 1 - theta / std::acos(-1.0), found = collisions(theta, draws);
    const double standard_error = std::sqrt(p * (1 - p) / static_cast<double>(draws));
    std::printf("  θ %.1f: %.4f collide, 1 − θ/π is %.4f (standard error %.4f)\n", theta, found, p, standard_error);
    CHECK(std::abs(found - p) < 4 * standard_error);
  }
}

TEST_CASE("more rounds, less error") {
  const Size T = 64, seeds = 8;
  const std::vector<Size> all_rounds = {1, 2, 4, 8, 16};
  std::vector<double> errors;
  for (Size rounds : all_rounds) {
    double total = 0;
    for (Size seed = 0; seed < seeds; ++seed) {
      const auto number = static_cast<std::uint64_t>(seed);
      const Var q = 8.0 * Var(random({1, 1, T, d}, DType::float64, 20 + number));
      const Var v = random({1, 1, T, dv}, DType::float64, 40 + number);
      const Var full = SharedQueryKeyAttention()(q, q, v).context;
      total += relative_error(hashed(16, 8, rounds, true, 60 + number)(q, q, v).context, full);
    }
    errors.push_back(total / static_cast<double>(seeds));
    std::printf("  %2d rounds: relative error %.3f\n", static_cast<int>(rounds), errors.back());
  }
  for (std::size_t i = 1; i < errors.size(); ++i) CHECK(errors[i] < errors[i - 1]);
}

TEST_CASE("the inverse of the order puts rows back") {
  Rng rng(8);
  std::vector<std::int64_t> places;
  for (Size line = 0; line < B * H; ++line) {
    for (Size place : rng.permutation(7)) places.push_back(place);
  }
  const Tensor order = Tensor::from_ints(places, {B, H, 7});
  const Var x = value(7);
  const Var sorted = rows_at(x, order);
  CHECK(sorted.value().at({1, 2, 3, 4}) == x.value().at({1, 2, static_cast<Size>(order.at({1, 2, 3})), 4}));
  CHECK(same_bits(rows_at(sorted, argsort(order, -1)), x));
}

TEST_CASE("LSH attention has derivatives to order 2 where no step changes a hash") {
  const Size T = 7;
  const LshAttention lsh = hashed(6, 2, 2);
  const Tensor q = random({1, 2, T, d}, DType::float64, 9), v = random({1, 2, T, dv}, DType::float64, 2);
  const std::vector<std::int64_t> frozen = lsh_buckets(q, lsh.rotations).to_ints();
  const GradcheckOptions options;
  const std::vector<double> numbers_of_q = q.to_vector();
  for (std::size_t i = 0; i < numbers_of_q.size(); ++i) {
    for (double steps : {-2.0, 2.0}) {  // the farthest points of a difference quotient
      std::vector<double> moved = numbers_of_q;
      moved[i] += steps * options.step;
      CHECK(lsh_buckets(numbers(moved, q.shape()), lsh.rotations).to_ints() == frozen);
    }
  }
  for (const Mask& mask : {Mask(), causal_mask(T, T), padding_mask({5}, T)}) {
    const GradcheckReport report = gradcheck(
        "LSH", [&](const Vars& xs) { return lsh(xs[0], xs[0], xs[1], mask).context; }, {q, v}, options);
    CHECK_MESSAGE(report.passed(), report.text());
  }
}

TEST_CASE("rotations are drawn once, are a buffer and no parameter, and follow the generator") {
  Rng rng(1);
  const LshAttention first(d, 8, 4, 3, rng), second(d, 8, 4, 3, rng);
  CHECK(first.rotations.shape() == Shape{3, d, 4});
  CHECK_FALSE(same_bits(Var(first.rotations), Var(second.rotations)));
  CHECK(named_parameters(first).empty());
  std::vector<std::string> buffers;
  LshAttention copy = first;
  each_buffer(copy, [&](const std::string& name, Tensor&) { buffers.push_back(name); });
  CHECK(buffers == std::vector<std::string>{"rotations"});
  const Tensor q = query(11), v = value(11);
  CHECK(same_bits(first(q, q, v).context, first(q, q, v).context));
}

TEST_CASE("LSH attention refuses settings, widths and masks that do not fit") {
  Rng rng(1);
  const Rng before = rng;
  const auto refused = [&](Size width, Size buckets, Size chunk, Size rounds, const std::string& what) {
    check_throws_with([&] { LshAttention(width, buckets, chunk, rounds, rng); }, {"LSH attention", what});
  };
  refused(0, 2, 1, 1, "width 0");
  refused(4, 0, 1, 1, "buckets 0");
  refused(4, 7, 1, 1, "7 buckets");
  refused(4, 2, 0, 1, "chunk 0");
  refused(4, 2, -3, 1, "chunk -3");
  refused(4, 2, 1, 0, "rounds 0");
  CHECK(rng == before);

  const Var x = random({1, 1, 5, d});
  const LshAttention lsh = hashed(4, 2, 2);
  const Var wide = random({1, 1, 5, d + 1});
  check_throws_with([&] { lsh(wide, wide, x); }, {"LSH attention", "[1, 1, 5, 5]", "[2, 4, 2]"});
  check_throws_with([&] { lsh(x, x, x, band_mask(5, 5, 1, 1)); }, {"LSH attention", "[1, 1, 5, 5]", "padding_mask"});
  check_throws_with([&] { lsh(x, x, x, causal_mask(4, 4)); }, {"LSH attention", "[4, 4]", "5"});
}
