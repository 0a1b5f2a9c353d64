#include "tensor/cost.hpp"

#include <doctest/doctest.h>

#include "tensor/kernels.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

TEST_CASE("a product counts m·k·n multiplications and each operand once") {
  const Tensor a = random({2, 3}), b = random({3, 5});
  CostCounter counter;
  kernel::matmul(a, b);
  CHECK(counter.total().multiplications == 30);
  CHECK(counter.total().bytes_read == 8 * (6 + 15));
  CHECK(counter.total().bytes_written == 8 * 10);
  kernel::matmul(random({4, 2, 3}, DType::float32), kernel::cast(b, DType::float32));
  CHECK(counter.per_op().at("matmul").multiplications == 30 + 120);
}

TEST_CASE("costs are told per op") {
  const Tensor a = random({2, 3}, DType::float32), row = random({3}, DType::float32);
  CostCounter counter;
  kernel::mul(a, row);
  kernel::add(a, row);
  kernel::exp(a);
  kernel::affine(a, 2, 1);
  const auto& per_op = counter.per_op();
  CHECK(per_op.size() == 4);
  CHECK(per_op.at("mul").multiplications == 6);
  CHECK(per_op.at("mul").bytes_read == 4 * 9);
  CHECK(per_op.at("mul").bytes_written == 4 * 6);
  CHECK(per_op.at("add").multiplications == 0);
  CHECK(per_op.at("exp").bytes_read == 4 * 6);
  CHECK(per_op.at("affine").multiplications == 6);
  CHECK(counter.total().multiplications == 12);
}

TEST_CASE("the multiplications of products are counted apart from all others") {
  const Tensor a = random({2, 3}), b = random({3, 5}), image = random({1, 2, 4, 4}), kernels = random({3, 2, 3, 3});
  CostCounter counter;
  kernel::mul(a, a);
  CHECK(counter.products() == 0);
  kernel::matmul(a, b);
  kernel::conv(image, kernels, {});
  CHECK(counter.products() == 30 + 3 * (2 * 3 * 3) * (2 * 2));
}

TEST_CASE("views cost nothing, and nothing is counted outside of a counter's life") {
  const Tensor x = random({2, 3});
  kernel::exp(x);
  CHECK_FALSE(cost_is_counted());
  CostCounter counter;
  CHECK(cost_is_counted());
  transpose(reshape(slice(x, 0, 0, 1), {3, 1}));
  broadcast_to(x, {4, 2, 3});
  CHECK(counter.per_op().empty());
}

TEST_CASE("counters nest, and each counts all that happens in its life") {
  const Tensor x = random({4});
  CostCounter outer;
  kernel::mul(x, x);
  {
    CostCounter inner;
    kernel::mul(x, x);
    CHECK(inner.total().multiplications == 4);
  }
  kernel::mul(x, x);
  CHECK(outer.total().multiplications == 12);
}
