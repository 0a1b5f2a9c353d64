// Reading, adding and scanning along axes, and putting together.
#include <doctest/doctest.h>

#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

const Tensor ids = Tensor::from_ints({2, 0, 2}, {3});

}  // namespace

TEST_CASE("take works for every dtype and kind of view") {
  for (DType dtype : {DType::float32, DType::float64, DType::int64, DType::boolean}) {
    const Tensor x = Tensor::from({0, 1, 1, 0, 1, 0}, {2, 3}, dtype);
    for (const View& view : views_of(x)) {
      for (const View& of_ids : views_of(ids)) {
        INFO(view.name, " by ", of_ids.name);
        check_close(kernel::take(view.tensor, 1, of_ids.tensor), {2, 3}, {1, 0, 1, 0, 0, 0}, 0);
      }
    }
  }
  check_close(kernel::take(numbers({1, 2, 3}, {3}), 0, Tensor::from_ints({1}, {})), {}, {2}, 0);
  check_close(kernel::take(numbers({}, {3, 0}), 0, ids), {3, 0}, {}, 0);
}

TEST_CASE("index_add adds every row that is named, as often as it is named (O-37)") {
  const Tensor zero = Tensor::zeros({2, 3}, DType::float64), src = numbers({1, 2, 3, 10, 20, 30}, {2, 3});
  check_close(kernel::index_add(zero, 1, ids, src), {2, 3}, {2, 0, 4, 20, 0, 40}, 0);
  for (std::size_t kind = 0; kind < views_of(src).size(); ++kind) {
    check_close(
        kernel::index_add(views_of(zero)[kind].tensor, 1, views_of(ids)[kind].tensor, views_of(src)[kind].tensor),
        {2, 3}, {2, 0, 4, 20, 0, 40}, 0);
  }
  check_close(zero, {2, 3}, {0, 0, 0, 0, 0, 0}, 0);
}

TEST_CASE("gather and scatter_add are each other's transpose, for every kind of view") {
  const Tensor x = numbers({1, 2, 3, 4, 5, 6}, {2, 3}), src = numbers({10, 20, 30, 40}, {2, 2});
  const Tensor index = Tensor::from_ints({2, 2, 0, 1}, {2, 2});
  for (std::size_t kind = 0; kind < views_of(x).size(); ++kind) {
    const Tensor view = views_of(x)[kind].tensor, of_index = views_of(index)[kind].tensor;
    check_close(kernel::gather(view, 1, of_index), {2, 2}, {3, 3, 4, 5}, 0);
    check_close(kernel::scatter_add(view, -1, of_index, views_of(src)[kind].tensor), {2, 3}, {1, 2, 33, 34, 45, 6}, 0);
  }
  const Tensor whole = kernel::gather(Tensor::from_ints({5, 6, 7, 8}, {2, 2}), 0, Tensor::from_ints({1, 0}, {1, 2}));
  check_close(whole, {1, 2}, {7, 6}, 0);
  CHECK(whole.dtype() == DType::int64);
}

TEST_CASE("cumsum, argmax and argsort of every kind of view, along each axis") {
  const Tensor x = numbers({3, 1, 2, 0, 5, 4}, {2, 3});
  for (const View& view : views_of(x)) {
    INFO(view.name);
    check_close(kernel::cumsum(view.tensor, 1), {2, 3}, {3, 4, 6, 0, 5, 9}, 0);
    check_close(kernel::cumsum(view.tensor, -2), {2, 3}, {3, 1, 2, 3, 6, 6}, 0);
    check_close(kernel::argmax(view.tensor, 1, false), {2}, {0, 1}, 0);
    check_close(kernel::argmax(view.tensor, 0, true), {1, 3}, {0, 1, 1}, 0);
    check_close(kernel::argsort(view.tensor, 1, false), {2, 3}, {1, 2, 0, 0, 2, 1}, 0);
    check_close(kernel::argsort(view.tensor, 0, true), {2, 3}, {0, 1, 1, 1, 0, 0}, 0);
  }
}

TEST_CASE("equal elements keep their order, however many there are") {
  std::vector<double> values, expected;
  for (int i = 0; i < 90; ++i) values.push_back(i % 3);
  for (int digit = 0; digit < 3; ++digit) {
    for (int i = digit; i < 90; i += 3) expected.push_back(i);
  }
  check_close(kernel::argsort(numbers(values, {90}), 0, false), {90}, expected, 0);
}

TEST_CASE("NaN is last in either order, and the first NaN is the largest, as in max") {
  const Tensor x = numbers({not_a_number, 1, infinity, not_a_number, -infinity}, {5});
  check_close(kernel::argsort(x, 0, false), {5}, {4, 1, 2, 0, 3}, 0);
  check_close(kernel::argsort(x, 0, true), {5}, {2, 1, 4, 0, 3}, 0);
  CHECK(kernel::argmax(x, 0, false).item() == 0);
  CHECK(kernel::argmax(slice(x, 0, 1, 4), 0, false).item() == 2);
  CHECK(kernel::argmax(slice(x, 0, 1, 2), 0, false).item() == 1);
  CHECK(kernel::argmax(Tensor::from_ints({3, 9, 9}, {3}), 0, false).item() == 1);
}

TEST_CASE("concat joins parts of every dtype, views among them") {
  for (DType dtype : {DType::float32, DType::float64, DType::int64, DType::boolean}) {
    const Tensor a = Tensor::from({0, 1, 1, 0}, {2, 2}, dtype), b = Tensor::from({1, 0}, {2, 1}, dtype);
    for (const View& view : views_of(a)) {
      check_close(kernel::concat({view.tensor, b, view.tensor}, 1), {2, 5}, {0, 1, 1, 0, 1, 1, 0, 0, 1, 0}, 0);
    }
  }
}

TEST_CASE("embed writes a window of a larger tensor") {
  check_close(kernel::embed(numbers({1, 2, 3, 4}, {2, 2}), {3, 5}, {1, 0}, {1, 3}, 9), {3, 5},
              {9, 9, 9, 9, 9, 1, 9, 9, 2, 9, 3, 9, 9, 4, 9}, 0);
  check_close(kernel::embed(numbers({1, 2}, {2}), {4}, {3}, {-2}, 0), {4}, {0, 2, 0, 1}, 0);
  check_close(kernel::embed(numbers({}, {0}), {2}, {0}, {1}, 7), {2}, {7, 7}, 0);
  CHECK_THROWS_AS(kernel::embed(numbers({1, 2}, {2}), {2}, {1}, {1}, 0), std::invalid_argument);
}
