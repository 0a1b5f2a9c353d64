// The parts of chapter 12's program.
#include <doctest/doctest.h>

#include "nn/attention/dilated.hpp"
#include "nn/attention/local.hpp"
#include "tensor/difference.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tutorials/12_sparse/cost.hpp"
#include "tutorials/12_sparse/learning.hpp"
#include "tutorials/12_sparse/reach.hpp"
#include "tutorials/lesson/variant_cost.hpp"

using namespace attend;
using namespace attend::chapter12;
using namespace attend::test;

namespace {

Tensor as_numbers(const Mask& mask, Size T) { return kernel::cast(reshape(mask.allowed(), {T, T}), DType::float64); }

}  // namespace

TEST_CASE("a pattern has a 1 where a query has a weight") {
  CHECK(largest_difference(pattern(LocalAttention(2, 1), 7), as_numbers(band_mask(7, 7, 2, 1), 7)) == 0);
  CHECK(largest_difference(pattern(SoftmaxAttention(), 7, causal_mask(7, 7)), as_numbers(causal_mask(7, 7), 7)) == 0);
  CHECK(pairs(pattern(LocalAttention(2, 2), 16)) == 16 * 5 - 2 * 3);
}

TEST_CASE("what is reached is the band that L windows make, by exact zeros") {
  for (const Size depth : {1, 2, 3}) {
    const std::vector<AttentionCore> windows(static_cast<std::size_t>(depth), AttentionCore(LocalAttention(3, 2)));
    CHECK(largest_difference(reached(windows, 20, 5), as_numbers(band_mask(20, 20, 3 * depth, 2 * depth), 20)) == 0);
  }
}

TEST_CASE("the order of layers matters at the ends: a window after strides, and strides after a window") {
  const AttentionCore window = LocalAttention(1, 1), far = DilatedAttention(2, 2, 3);
  const Tensor window_last = reached({far, window}, 12, 1), far_last = reached({window, far}, 12, 1);
  CHECK(largest_difference(window_last, transpose(far_last)) == 0);
  CHECK(largest_difference(window_last, far_last) == 1);
}

TEST_CASE("the reach of the contenders") {
  const std::vector<Contender> all = contenders();
  const auto of = [&](const char* name) { return reach(contender(all, name), 32, 9, 1); };
  CHECK(of("softmax").all_see_all == 1);
  CHECK(of("local window").last_sees_first == 8);
  CHECK_FALSE(of("dilated window").last_sees_first);
  CHECK(of("strided").all_see_all == 2);
  CHECK(of("BigBird").all_see_all == 2);
  CHECK_THROWS_WITH_AS(contender(all, "none"), "chapter 12: no contender 'none'", std::invalid_argument);
}

TEST_CASE("what stands within reach of two layers bounds what can be right") {
  const std::vector<Contender> all = contenders();
  const std::vector<Trial> both = trials();
  const auto share = [&](const char* name, std::size_t task) {
    return within_reach(contender(all, name), both[task], 1);
  };
  CHECK(share("local window", 0) == 1);
  CHECK(share("dilated window", 0) == 0);
  CHECK(share("local window", 1) == 8.0 / 32);
  CHECK(share("dilated window", 1) == 0);
  CHECK(bound(1) == 1);
  check_close(bound(0), 0.1, 0, 1e-15);
}

TEST_CASE("a window that is a mask costs as much as softmax") {
  const std::vector<Variant> broken = costed(true);
  CHECK(broken[1].name == "local window");
  const auto counted = [](const Variant& variant) { return lesson::counted_multiplications(variant, 100, 8); };
  CHECK(counted(broken[1]) == counted(broken[0]));
  CHECK(counted(costed(false)[1]) < counted(broken[0]));
}

TEST_CASE("a window that is a mask gives the same numbers, and random blocks drawn anew do not") {
  Rng rng(3);
  const auto drawn = [&] { return Var(rng.normal({1, 2, 32, 4}, 0, 1, DType::float64)); };
  const Var q = drawn(), k = drawn(), v = drawn();
  check_agree(MaskedWindow{3, 2}(q, k, v).context, LocalAttention(3, 2)(q, k, v).context, 1e-13);
  const RedrawnBigBird redrawn{32, std::make_shared<Rng>(1)};
  CHECK(largest_difference(redrawn(q, k, v).context.value(), redrawn(q, k, v).context.value()) > 0.01);
}
