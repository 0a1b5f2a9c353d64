#include "nn/attention/big_bird.hpp"

#include <cmath>
#include <cstdlib>
#include <map>

#include "tests/nn/attention/pattern.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// The blocks drawn for one block.
std::vector<std::int64_t> drawn_for(const BigBirdAttention& layer, Size block) {
  return slice(layer.drawn, 0, block, 1).to_ints();
}

bool drew(const BigBirdAttention& layer, Size block, Size other) {
  for (std::int64_t drawn : drawn_for(layer, block)) {
    if (drawn == other) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("BigBird sees its window, what was drawn and the global blocks, each once, in whole blocks and in parts") {
  for (const BigBirdOptions& how : std::vector<BigBirdOptions>{
           {1, 0, 0, 0}, {1, 1, 2, 1}, {2, 1, 2, 1}, {3, 0, 2, 0}, {3, 0, 0, 2}, {2, 2, 9, 0}, {40, 3, 3, 3}}) {
    for (Size T : {1, 2, 7, 12, 13}) {
      CAPTURE(how.block);
      Rng rng(4);
      const BigBirdAttention layer(T, how, rng);
      check_pattern(layer, T, false, [&](Size i, Size j) {
        const Size a = i / how.block, b = j / how.block;
        return std::abs(a - b) <= how.window || a < how.global || b < how.global || drew(layer, a, b);
      });
    }
  }
}

TEST_CASE("BigBird drawn for 13 positions serves 6, without what was drawn beyond them") {
  Rng rng(4);
  const BigBirdAttention layer(13, {2, 0, 3, 1}, rng);
  check_pattern(layer, 6, false,
                [&](Size i, Size j) { return i / 2 == j / 2 || i < 2 || j < 2 || drew(layer, i / 2, j / 2); });
}

TEST_CASE("BigBird draws, for each block, others that it does not see anyway, none twice, each as often as another") {
  constexpr Size count = 9, draws = 2000;
  std::map<std::pair<Size, Size>, Size> times;
  Rng rng(11);
  for (Size draw = 0; draw < draws; ++draw) {
    const BigBirdAttention layer(2 * count, {2, 1, 2, 1}, rng);
    for (Size block = 0; block < count; ++block) {
      const std::vector<std::int64_t> drawn = drawn_for(layer, block);
      REQUIRE(drawn.size() == 2);
      CHECK(drawn[0] != drawn[1]);
      for (std::int64_t other : drawn) ++times[{block, other}];
    }
  }
  for (Size block = 0; block < count; ++block) {
    Size candidates = 0;
    for (Size other = 1; other < count; ++other) candidates += std::abs(other - block) > 1;
    const double p = 2.0 / static_cast<double>(candidates);
    for (Size other = 0; other < count; ++other) {
      CAPTURE(block);
      CAPTURE(other);
      const bool candidate = other >= 1 && std::abs(other - block) > 1;
      if (!candidate) CHECK(times[{block, other}] == 0);
      if (candidate) {
        check_close(static_cast<double>(times[{block, other}]) / draws, p, 4 * std::sqrt(p * (1 - p) / draws));
      }
    }
  }
}

TEST_CASE("random blocks: of all pairs a query sees the fraction (1 + r) / blocks") {
  Rng rng(3);
  Size pairs = 0;
  for (const std::vector<bool>& keys : pairs_seen(BigBirdAttention(48, {4, 0, 3, 0}, rng), 48)) {
    for (bool seen : keys) pairs += seen;
  }
  CHECK(pairs == 48 * 4 * (1 + 3));
}

TEST_CASE("the pattern of BigBird is that of its Rng, stays the same from call to call, and is saved as it is") {
  const auto drawn = [](std::uint64_t seed) {
    Rng rng(seed);
    return BigBirdAttention(64, {2, 1, 2, 1}, rng);
  };
  const BigBirdAttention layer = drawn(1);
  CHECK(same_bits(layer.drawn, drawn(1).drawn));
  CHECK_FALSE(same_bits(layer.drawn, drawn(2).drawn));
  const Var x = random({1, 1, 64, 3});
  CHECK(same_bits(layer(x, x, x).context, layer(x, x, x).context));

  const std::vector<NamedVar> buffers = named_buffers(cast(layer, DType::float64));
  REQUIRE(buffers.size() == 1);
  CHECK(buffers[0].first == "drawn");
  CHECK(same_bits(buffers[0].second, layer.drawn));
}

TEST_CASE("BigBird costs O(T): more of the same blocks, as much more work") {
  const BigBirdOptions how{16, 1, 3, 1};
  const auto cost = [&](Size T) { return big_bird_multiplications(T, 64, how); };
  CHECK(cost(4096) - cost(2048) == 2 * (cost(2048) - cost(1024)));
}

TEST_CASE("BigBird refuses numbers that make no pattern, more positions than it was drawn for, and a causal mask") {
  const auto refused = [](Size positions, const BigBirdOptions& how, const std::string& number) {
    Rng rng(1);
    const Rng before = rng;
    check_throws_with([&] { BigBirdAttention(positions, how, rng); }, {"BigBird", number});
    CHECK(rng == before);
  };
  refused(0, {2, 1, 1, 1}, "0 positions");
  refused(8, {0, 1, 1, 1}, "blocks of 0");
  refused(8, {2, -1, 1, 1}, "a window of -1");
  refused(8, {2, 1, -2, 1}, "-2 random");
  refused(8, {2, 1, 1, -3}, "-3 global");
  Rng rng(1);
  const BigBirdAttention layer(8, {2, 1, 1, 1}, rng);
  const Var x = random({1, 1, 9, 3}), fits = slice(x, 2, 0, 8);
  check_throws_with([&] { layer(x, x, x); }, {"BigBird", "9 positions", "8 at most"});
  check_throws_with([&] { layer(fits, fits, fits, causal_mask(8, 8)); }, {"BigBird", "causal", "padding_mask only"});
  check_throws_with([&] { layer(fits, fits, fits, band_mask(8, 8, 1, 1)); }, {"BigBird", "[1, 1, 8, 8]"});
}
