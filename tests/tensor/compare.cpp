// Comparisons, logic, selection and casts.
#include "tests/support/compare.hpp"

#include <doctest/doctest.h>

#include "tensor/kernels.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

Tensor truth(const std::vector<bool>& values) { return Tensor::from_bools(values, {static_cast<Size>(values.size())}); }

}  // namespace

TEST_CASE("comparisons of every dtype give bool") {
  for (DType dtype : {DType::float32, DType::float64, DType::int64}) {
    const Tensor a = Tensor::from({1, 2, 3}, {3}, dtype), b = Tensor::from({2, 2, 2}, {3}, dtype);
    check_close(kernel::equal(a, b), {3}, {0, 1, 0}, 0);
    check_close(kernel::not_equal(a, b), {3}, {1, 0, 1}, 0);
    check_close(kernel::less(a, b), {3}, {1, 0, 0}, 0);
    check_close(kernel::less_equal(a, b), {3}, {1, 1, 0}, 0);
    check_close(kernel::greater(a, b), {3}, {0, 0, 1}, 0);
    check_close(kernel::greater_equal(a, b), {3}, {0, 1, 1}, 0);
    CHECK(kernel::equal(a, b).dtype() == DType::boolean);
  }
  check_close(kernel::equal(truth({true, false}), truth({true, true})), {2}, {1, 0}, 0);
}

TEST_CASE("comparisons with NaN are false, but for not_equal") {
  const Tensor x = numbers({not_a_number, 1}, {2});
  check_close(kernel::equal(x, x), {2}, {0, 1}, 0);
  check_close(kernel::not_equal(x, x), {2}, {1, 0}, 0);
  check_close(kernel::less(x, x), {2}, {0, 0}, 0);
  check_close(kernel::greater_equal(x, x), {2}, {0, 1}, 0);
  check_close(kernel::is_finite(numbers({not_a_number, infinity, -infinity, 0}, {4})), {4}, {0, 0, 0, 1}, 0);
}

TEST_CASE("comparisons broadcast and read views") {
  const Tensor a = numbers({1, 2, 3, 4, 5, 6}, {2, 3});
  for (const View& view : views_of(a)) {
    check_close(kernel::less(view.tensor, numbers({2, 5}, {2, 1})), {2, 3}, {1, 0, 0, 1, 0, 0}, 0);
    check_close(kernel::less(numbers({3}, {}), view.tensor), {2, 3}, {0, 0, 0, 1, 1, 1}, 0);
  }
  check_throws_with([&] { kernel::less(a, numbers({1, 2}, {2})); }, {"less", "[2, 3]", "[2]"});
  check_throws_with([&] { kernel::equal(a, Tensor::zeros({2, 3})); }, {"equal", "float64", "float32"});
}

TEST_CASE("logic is for bool alone") {
  const Tensor a = truth({true, true, false, false}), b = truth({true, false, true, false});
  check_close(kernel::logical_and(a, b), {4}, {1, 0, 0, 0}, 0);
  check_close(kernel::logical_or(a, b), {4}, {1, 1, 1, 0}, 0);
  check_close(kernel::logical_not(a), {4}, {0, 0, 1, 1}, 0);
  check_close(kernel::logical_and(a, truth({true})), {4}, {1, 1, 0, 0}, 0);
  check_throws_with([] { kernel::logical_and(Tensor::ones({2}), Tensor::ones({2})); },
                    {"logical_and", "float32", "[2]"});
  check_throws_with([&] { kernel::logical_or(a, Tensor::ones({4})); }, {"logical_or", "bool", "float32"});
  check_throws_with([] { kernel::logical_not(Tensor::arange(2)); }, {"logical_not", "int64", "[2]"});
}

TEST_CASE("any and all, of an empty tensor too") {
  CHECK(kernel::any(truth({false, true})));
  CHECK_FALSE(kernel::any(truth({false, false})));
  CHECK_FALSE(kernel::any(truth({})));
  CHECK(kernel::all(truth({true, true})));
  CHECK_FALSE(kernel::all(truth({true, false})));
  CHECK(kernel::all(truth({})));
  const Tensor mask = Tensor::from_bools({true, false, false, false, false, true, false, false}, {2, 2, 2});
  check_close(kernel::any(mask, -1, false), {2, 2}, {1, 0, 1, 0}, 0);
  check_close(kernel::any(mask, 0, true), {1, 2, 2}, {1, 1, 0, 0}, 0);
  check_close(kernel::any(transpose(mask), 1, false), {2, 2}, {1, 0, 1, 0}, 0);
  check_close(kernel::any(Tensor::from_bools({}, {2, 0}), 1, false), {2}, {0, 0}, 0);
  check_throws_with([] { kernel::any(Tensor::ones({2})); }, {"any", "float32", "[2]"});
}

TEST_CASE("where chooses by a mask, for every dtype and kind of view") {
  const Tensor mask = Tensor::from_bools({true, false, false, true, true, false}, {2, 3});
  for (DType dtype : {DType::float32, DType::float64, DType::int64, DType::boolean}) {
    const Tensor a = Tensor::from({1, 0, 1, 0, 1, 1}, {2, 3}, dtype),
                 b = Tensor::from({0, 1, 1, 0, 0, 0}, {2, 3}, dtype);
    for (std::size_t kind = 0; kind < views_of(a).size(); ++kind) {
      const Tensor chosen =
          kernel::where(views_of(mask)[kind].tensor, views_of(a)[kind].tensor, views_of(b)[kind].tensor);
      check_close(chosen, {2, 3}, {1, 1, 1, 0, 1, 0}, 0);
      CHECK(chosen.dtype() == dtype);
    }
  }
  check_close(kernel::where(truth({true, false}), numbers({1, 2}, {2, 1}), numbers({9}, {})), {2, 2}, {1, 9, 2, 9}, 0);
  check_close(kernel::where(truth({true}), numbers({1}, {1}), numbers({not_a_number}, {1})), {1}, {1}, 0);
  check_throws_with([&] { kernel::where(mask, Tensor::ones({2}), Tensor::ones({3})); }, {"where", "[2]", "[3]"});
  check_throws_with([&] { kernel::where(mask, Tensor::ones({3}), Tensor::arange(3)); }, {"where", "float32", "int64"});
  check_throws_with([&] { kernel::where(mask, Tensor::ones({4}), Tensor::ones({4})); }, {"where", "[2, 3]", "[4]"});
}

TEST_CASE("casts between all dtypes") {
  const Tensor x = numbers({0, 1.75, -2.5, 3}, {2, 2});
  check_close(kernel::cast(x, DType::float32), {2, 2}, {0, 1.75, -2.5, 3}, 0);
  check_close(kernel::cast(x, DType::int64), {2, 2}, {0, 1, -2, 3}, 0);
  check_close(kernel::cast(x, DType::boolean), {2, 2}, {0, 1, 1, 1}, 0);
  check_close(kernel::cast(Tensor::from_bools({true, false}, {2}), DType::float64), {2}, {1, 0}, 0);
  check_close(kernel::cast(transpose(x), DType::int64), {2, 2}, {0, -2, 1, 3}, 0);
  CHECK(kernel::cast(x, DType::float64).shares_block(x));
}
