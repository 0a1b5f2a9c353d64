#include "nn/attention/local.hpp"

#include <doctest/doctest.h>

#include "tensor/kernels.hpp"
#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("local attention is softmax attention under a band mask, for windows and lengths around the block") {
  for (Size T : {1, 2, 5, 6, 7, 12, 13}) {
    for (const auto& sides : std::vector<std::pair<Size, Size>>{{0, 0}, {1, 0}, {0, 2}, {3, 3}, {2, 5}, {40, 1}}) {
      const Size before = sides.first, after = sides.second;
      CAPTURE(T);
      CAPTURE(before);
      CAPTURE(after);
      const Var q = random({2, 3, T, 4}), k = random({2, 3, T, 4}, DType::float64, 2),
                v = random({2, 3, T, 5}, DType::float64, 3);
      const Mask band = band_mask(T, T, before, after);
      const LocalAttention local(before, after);
      check_agree(local(q, k, v).context, scaled_dot_attention(q, k, v, {band}).context, 1e-13);
      check_agree(local(q, k, v, causal_mask(T, T)).context,
                  scaled_dot_attention(q, k, v, {band & causal_mask(T, T)}).context, 1e-13);
      const Mask padded = padding_mask({T / 2, T}, T);
      check_agree(local(q, k, v, padded).context, scaled_dot_attention(q, k, v, {band & padded}).context, 1e-13);
    }
  }
}

TEST_CASE("two layers of a window of 2 reach 4 positions and no further") {
  const Var x = Var::parameter(random({1, 1, 15, 3}));
  const LocalAttention local(2, 2);
  const Var once = local(x, x, x).context;
  const Var y = slice(local(once, once, once).context, 2, 7, 1);
  const Tensor reached =
      kernel::any(kernel::not_equal(random_gradients(y, {x})[0].value(), Tensor::zeros({}, DType::float64)), 3, false);
  for (Size i = 0; i < 15; ++i) {
    CAPTURE(i);
    CHECK(kernel::any(slice(reached, 2, i, 1)) == (i >= 3 && i <= 11));
  }
}

TEST_CASE("local attention refuses a negative window and a mask of pairs") {
  check_throws_with([] { LocalAttention(-1, 2); }, {"local attention", "-1 keys before"});
  check_throws_with([] { LocalAttention(1, -2); }, {"local attention", "-2 after"});
  const Var x = random({1, 1, 4, 3});
  check_throws_with([&] { LocalAttention(1, 1)(x, x, x, band_mask(4, 4, 1, 1)); },
                    {"local attention", "[1, 1, 4, 4]", "causal_mask and padding_mask"});
  check_throws_with([&] { LocalAttention(1, 1)(x, x, x, causal_mask(3, 3)); }, {"local attention", "[3, 3]", "4"});
  check_throws_with([&] { LocalAttention(1, 1)(x, x, x, padding_mask({2}, 3)); }, {"local attention", "3", "4 keys"});
}
