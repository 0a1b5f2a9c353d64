#include <doctest/doctest.h>

#include <cmath>

#include "tensor/kernels.hpp"
#include "tensor/parallel.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

std::vector<double> softmax_of(const std::vector<double>& x) {
  double total = 0;
  for (double value : x) total += std::exp(value);
  std::vector<double> y;
  for (double value : x) y.push_back(std::exp(value) / total);
  return y;
}

const double e1 = std::exp(1.0);

}  // namespace

TEST_CASE("softmax and its kin of rows of every length, in both types") {
  for (DType dtype : {DType::float32, DType::float64}) {
    const double tolerance = dtype == DType::float32 ? 1e-6 : 1e-14;
    for (Size length = 1; length < 40; ++length) {
      const Tensor row = random({length}, dtype), x = broadcast_to(row, {2, length});
      std::vector<double> once = softmax_of(row.to_vector()), y = once, logs;
      y.insert(y.end(), once.begin(), once.end());
      for (double value : y) logs.push_back(std::log(value));
      check_close(kernel::softmax(x), {2, length}, y, tolerance);
      check_close(kernel::log_softmax(x), {2, length}, logs, 5 * tolerance);
      const double normaliser = row.to_vector()[0] - std::log(once[0]);
      check_close(kernel::logsumexp(x), {2}, {normaliser, normaliser}, 5 * tolerance);
      check_close(kernel::masked_softmax(x, Tensor::ones({1}, DType::boolean)), {2, length}, y, tolerance);
      check_close(kernel::sum(kernel::softmax(x), {1}, false), {2}, {1, 1}, tolerance);
    }
  }
}

TEST_CASE("softmax of a view is softmax of its numbers") {
  const Tensor x = random({3, 2, 5}), y = kernel::softmax(x), logs = kernel::logsumexp(x);
  for (const View& view : views_of(x)) {
    INFO(view.name);
    CHECK(same_bits(kernel::softmax(view.tensor), y));
    CHECK(same_bits(kernel::logsumexp(view.tensor), logs));
    check_agree(kernel::log_softmax(view.tensor), kernel::log_softmax(x), 0);
  }
}

TEST_CASE("a row's softmax has the same bits wherever the row lies, and with two threads") {
  const Tensor x = random({301, 53}, DType::float32), y = kernel::softmax(x);
  for (Size row : {1, 7, 300}) {
    CHECK(same_bits(kernel::softmax(slice(x, 0, row, 1)), contiguous(slice(y, 0, row, 1))));
  }
  set_threads(2);
  CHECK(same_bits(kernel::softmax(x), y));
  set_threads(1);
}

TEST_CASE("large scores do not overflow (O-15)") {
  for (DType dtype : {DType::float32, DType::float64}) {
    const Tensor x = Tensor::from({1000, 1001, -1000, -1001}, {2, 2}, dtype);
    check_close(kernel::softmax(x), {2, 2}, {0.26894142, 0.73105858, 0.73105858, 0.26894142}, 1e-7);
    check_close(kernel::log_softmax(x), {2, 2}, {-1.31326169, -0.31326169, -0.31326169, -1.31326169}, 1e-4);
    check_close(kernel::softmax(Tensor::from({-1000, 1000}, {2}, dtype)), {2}, {0, 1}, 0);
    check_close(kernel::softmax(Tensor::from({-infinity, 0, 1}, {3}, dtype)), {3}, {0, 0.26894142, 0.73105858}, 1e-7);
  }
  const double huge = 1e308;
  check_close(kernel::softmax(numbers({-huge, huge}, {2})), {2}, {0, 1}, 0);
}

TEST_CASE("a largest score that would overflow may stand at any place of a row of any length") {
  for (DType dtype : {DType::float32, DType::float64}) {
    for (Size count = 1; count <= 40; ++count) {
      for (Size place = 0; place < count; ++place) {
        std::vector<double> scores(static_cast<std::size_t>(count), -1000), one_hot(scores.size(), 0);
        scores[static_cast<std::size_t>(place)] = 1000;
        one_hot[static_cast<std::size_t>(place)] = 1;
        CHECK(kernel::softmax(Tensor::from(scores, {count}, dtype)).to_vector() == one_hot);
      }
    }
  }
}

TEST_CASE("log-softmax of two equal rows (O-53)") {
  check_close(kernel::log_softmax(numbers({1, 2, 3, 4}, {2, 2})), {2, 2},
              {-1.31326169, -0.31326169, -1.31326169, -0.31326169}, 1e-8);
}

TEST_CASE("logsumexp of infinite scores (O-16)") {
  for (DType dtype : {DType::float32, DType::float64}) {
    const Tensor x = Tensor::from({-infinity, 0, 1, -infinity, -infinity, -infinity, infinity, 0, 0}, {3, 3}, dtype);
    check_close(kernel::logsumexp(x), {3}, {std::log(1 + e1), -infinity, infinity}, 1e-6);
  }
  check_close(kernel::logsumexp(Tensor::zeros({2, 0})), {2}, {-infinity, -infinity}, 0);
}

TEST_CASE("rows without elements have a softmax without elements (O-12)") {
  const Tensor empty = Tensor::zeros({2, 0});
  check_close(kernel::softmax(empty), {2, 0}, {}, 0);
  check_close(kernel::log_softmax(empty), {2, 0}, {}, 0);
  check_close(kernel::masked_softmax(empty, Tensor::ones({2, 1}, DType::boolean)), {2, 0}, {}, 0);
  check_close(kernel::softmax(Tensor::zeros({0, 3})), {0, 3}, {}, 0);
  check_throws_with([] { kernel::softmax(Tensor::zeros({})); }, {"softmax", "[]"});
  check_throws_with([] { kernel::softmax(Tensor::arange(3)); }, {"softmax", "int64", "[3]"});
}

TEST_CASE("a row that may attend to nothing has weights 0 (O-17)") {
  const Tensor none = Tensor::from_bools({false, false}, {2});
  check_close(kernel::masked_softmax(numbers({1, 2, 3, 4}, {2, 2}), none), {2, 2}, {0, 0, 0, 0}, 0);
}

TEST_CASE("what stands in a masked place has no part in the weights, NaN and infinity included (O-18)") {
  const Tensor mask = Tensor::from_bools({true, false, true, false}, {4});
  const std::vector<double> expected = {1 / (1 + e1), 0, e1 / (1 + e1), 0};
  for (double hidden : {0.0, 1e30, -1e30, infinity, -infinity, not_a_number}) {
    check_close(kernel::masked_softmax(numbers({1, hidden, 2, hidden}, {4}), mask), {4}, expected, 1e-15);
  }
}

TEST_CASE("true means: may attend (O-19)") {
  const Tensor mask = Tensor::from_bools({true, false, false}, {3});
  check_close(kernel::masked_softmax(numbers({0, 0, 0}, {1, 3}), mask), {1, 3}, {1, 0, 0}, 0);
}

TEST_CASE("a mask broadcasts to the scores, and is read through any view") {
  const Tensor x = random({2, 3, 4});
  const Tensor mask = Tensor::from_bools({true, false, true, true, true, true, false, false}, {2, 1, 4});
  const Tensor full = contiguous(broadcast_to(mask, {2, 3, 4})), y = kernel::masked_softmax(x, full);
  CHECK(same_bits(kernel::masked_softmax(x, mask), y));
  for (std::size_t kind = 0; kind < views_of(x).size(); ++kind) {
    CHECK(same_bits(kernel::masked_softmax(views_of(x)[kind].tensor, views_of(full)[kind].tensor), y));
    CHECK(same_bits(kernel::masked_softmax(x, views_of(mask)[kind].tensor), y));
  }
  const Tensor column = Tensor::from_bools({true, false, true}, {3, 1});
  const Tensor by_row = kernel::masked_softmax(x, column);
  check_agree(slice(by_row, 1, 0, 1), kernel::softmax(slice(x, 1, 0, 1)), 1e-15);
  check_close(slice(by_row, 1, 1, 1), {2, 1, 4}, std::vector<double>(8, 0), 0);
  check_throws_with(
      [&] {
        kernel::masked_softmax(x, Tensor::ones({3, 3}, DType::boolean));
      },
      {"masked_softmax", "[2, 3, 4]", "[3, 3]"});
  check_throws_with(
      [&] {
        kernel::masked_softmax(x, Tensor::ones({5, 2, 3, 4}, DType::boolean));
      },
      {"masked_softmax", "[5, 2, 3, 4]", "[2, 3, 4]"});
  check_throws_with([&] { kernel::masked_softmax(x, Tensor::ones({4})); }, {"masked_softmax", "float32", "[4]"});
}

TEST_CASE("the backward kernel gives a masked place 0, whatever cotangent reaches it (O-18)") {
  const Tensor y = numbers({0.25, 0, 0.75, 0, 0, 0}, {2, 3});
  const Tensor g = numbers({1, not_a_number, 3, infinity, not_a_number, 5}, {2, 3});
  check_close(kernel::softmax_backward(g, y), {2, 3}, {0.25 * (1 - 2.5), 0, 0.75 * (3 - 2.5), 0, 0, 0}, 1e-15);
}
