#include "nn/attention/strided.hpp"

#include <cstdlib>

#include "nn/attention/dilated.hpp"
#include "tests/nn/attention/pattern.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("strided attention sees the stride before it and every stride-th key, each once") {
  for (Size T : {1, 2, 7, 12, 13}) {
    for (Size l : {1, 2, 3, 5, 12, 13, 40}) {
      CAPTURE(l);
      check_pattern(StridedAttention(l), T, true,
                    [=](Size i, Size j) { return std::abs(i - j) <= l || (i - j) % l == 0; });
    }
  }
}

TEST_CASE("fixed attention sees its own block and what speaks for the others") {
  for (Size T : {1, 2, 7, 12, 13}) {
    for (const auto& sizes : std::vector<std::pair<Size, Size>>{{1, 1}, {3, 1}, {3, 3}, {5, 2}, {13, 1}, {40, 7}}) {
      const Size l = sizes.first, c = sizes.second;
      CAPTURE(l);
      CAPTURE(c);
      check_pattern(FixedAttention(l, c), T, true, [=](Size i, Size j) { return i / l == j / l || j % l >= l - c; });
    }
  }
}

TEST_CASE("strided attention of 8 among 64 sees 708 of the 2080 causal pairs, and in two steps all of them") {
  const Mask causal = causal_mask(64, 64);
  const auto once = pairs_seen(StridedAttention(8), 64, causal);
  const auto near = pairs_seen(LocalAttention(8, 0), 64, causal);
  const auto far = pairs_seen(DilatedAttention(64, 0, 8), 64, causal);
  Size pairs = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t j = 0; j < 64; ++j) {
      pairs += once[i][j];
      bool there_and_back = false, back_and_there = false;
      for (std::size_t m = 0; m < 64; ++m) {
        there_and_back = there_and_back || (near[i][m] && far[m][j]);
        back_and_there = back_and_there || (far[i][m] && near[m][j]);
      }
      CHECK(there_and_back == (j <= i));
      CHECK(back_and_there == (j <= i));
    }
  }
  CHECK(pairs == 708);
}

TEST_CASE("strided and fixed attention with a stride of √T cost T√T: four times the positions, eight times the work") {
  // Of T² it would be sixteen times. The scale, T · d, grows with T alone.
  const auto grown = [](Size small, Size large) { return static_cast<double>(large) / static_cast<double>(small); };
  check_close(grown(strided_multiplications(4096, 64, 64), strided_multiplications(16384, 64, 128)), 8, 0.05);
  check_close(grown(fixed_multiplications(4096, 64, 64, 1), fixed_multiplications(16384, 64, 128, 1)), 8, 0.05);
}

TEST_CASE("strided and fixed attention refuse strides, blocks and masks that do not fit") {
  check_throws_with([] { StridedAttention(0); }, {"strided attention", "a stride of 0"});
  check_throws_with([] { FixedAttention(0, 0); }, {"fixed attention", "0 of a block of 0"});
  check_throws_with([] { FixedAttention(3, 0); }, {"fixed attention", "0 of a block of 3"});
  check_throws_with([] { FixedAttention(3, 4); }, {"fixed attention", "4 of a block of 3"});
  const Var x = random({1, 1, 4, 3});
  check_throws_with([&] { StridedAttention(2)(x, x, x, band_mask(4, 4, 1, 1)); },
                    {"strided attention", "[1, 1, 4, 4]", "causal_mask and padding_mask"});
  check_throws_with([&] { FixedAttention(2, 1)(x, x, x, padding_mask({2}, 3)); }, {"fixed attention", "4 keys"});
}
