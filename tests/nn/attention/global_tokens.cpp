#include "nn/attention/global_tokens.hpp"

#include <algorithm>
#include <cstdlib>

#include "tests/nn/attention/pattern.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("global tokens see all and are seen by all, and every other position sees its window") {
  for (Size T : {1, 2, 7, 12, 13}) {
    for (Size window : {0, 1, 3, 40}) {
      for (const Positions& global : std::vector<Positions>{{}, {0}, {6, 1}, {12, 0, 5, 6}}) {
        if (!global.empty() && *std::max_element(global.begin(), global.end()) >= T) continue;
        CAPTURE(window);
        const auto is_global = [&](Size i) { return std::count(global.begin(), global.end(), i) > 0; };
        check_pattern(GlobalTokenAttention(window, global), T, false,
                      [&](Size i, Size j) { return std::abs(i - j) <= window || is_global(i) || is_global(j); });
      }
    }
  }
}

TEST_CASE("global tokens cost O(T): twice the positions, twice the work") {
  CHECK(global_token_multiplications(512, 8, 4, 2) == 2 * global_token_multiplications(256, 8, 4, 2));
}

TEST_CASE("global tokens refuse a negative window, tokens that are not there or named twice, and a causal mask") {
  check_throws_with([] { GlobalTokenAttention(-1, {0}); }, {"global tokens", "a window of -1"});
  check_throws_with([] { GlobalTokenAttention(1, {0, -2}); }, {"global tokens", "token -2"});
  check_throws_with([] { GlobalTokenAttention(1, {3, 0, 3}); }, {"global tokens", "token 3", "once"});
  const Var x = random({1, 1, 4, 3});
  check_throws_with([&] { GlobalTokenAttention(1, {4})(x, x, x); }, {"global tokens", "token 4 of 4"});
  const GlobalTokenAttention layer(1, {0});
  check_throws_with([&] { layer(x, x, x, causal_mask(4, 4)); }, {"global tokens", "causal", "padding_mask only"});
  check_throws_with([&] { layer(x, x, x, band_mask(4, 4, 1, 1)); }, {"global tokens", "[1, 1, 4, 4]"});
}
