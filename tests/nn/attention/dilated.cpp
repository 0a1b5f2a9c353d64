#include "nn/attention/dilated.hpp"

#include "tensor/kernels.hpp"
#include "tests/nn/attention/pattern.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("dilated attention sees every D-th key of its window, for lengths that D divides and others") {
  for (Size T : {1, 2, 7, 12, 13}) {
    for (Size D : {1, 2, 3, 5, 40}) {
      for (const auto& sides : std::vector<std::pair<Size, Size>>{{0, 0}, {1, 0}, {2, 1}, {0, 3}, {40, 1}}) {
        const Size before = sides.first, after = sides.second;
        CAPTURE(D);
        CAPTURE(before);
        CAPTURE(after);
        check_pattern(DilatedAttention(before, after, D), T, true,
                      [=](Size i, Size j) { return (i - j) % D == 0 && i - j <= before * D && j - i <= after * D; });
      }
    }
  }
}

TEST_CASE("two layers of a dilated window reach twice as far, and only positions of the query's residue") {
  const Var x = Var::parameter(random({1, 1, 31, 3}));
  const DilatedAttention dilated(2, 1, 3);
  const Var once = dilated(x, x, x).context;
  const Var y = slice(dilated(once, once, once).context, 2, 16, 1);
  const Tensor reached =
      kernel::any(kernel::not_equal(random_gradients(y, {x})[0].value(), Tensor::zeros({}, DType::float64)), 3, false);
  for (Size i = 0; i < 31; ++i) {
    CAPTURE(i);
    CHECK(kernel::any(slice(reached, 2, i, 1)) == (i >= 16 - 2 * 6 && i <= 16 + 2 * 3 && (i - 16) % 3 == 0));
  }
}

TEST_CASE("dilated attention costs what a window without gaps costs") {
  CHECK(dilated_multiplications(240, 8, 4, 4, 3) == local_multiplications(240, 8, 4, 4));
  CHECK(dilated_multiplications(480, 8, 4, 4, 3) == 2 * dilated_multiplications(240, 8, 4, 4, 3));
}

TEST_CASE("dilated attention refuses a negative window, a dilation below 1 and a mask of pairs") {
  check_throws_with([] { DilatedAttention(-1, 2, 2); }, {"local attention", "-1 keys before"});
  check_throws_with([] { DilatedAttention(1, 2, 0); }, {"dilated attention", "a dilation of 0"});
  const Var x = random({1, 1, 4, 3});
  const DilatedAttention dilated(1, 1, 2);
  check_throws_with([&] { dilated(x, x, x, band_mask(4, 4, 1, 1)); },
                    {"dilated attention", "[1, 1, 4, 4]", "causal_mask and padding_mask"});
  check_throws_with([&] { dilated(x, x, x, causal_mask(3, 3)); }, {"dilated attention", "[3, 3]", "4"});
  check_throws_with([&] { dilated(x, x, slice(x, 2, 0, 3)); }, {"dilated attention", "[1, 1, 3, 3]"});
}
