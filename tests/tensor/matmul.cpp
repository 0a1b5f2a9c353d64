#include <doctest/doctest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <thread>

#include "tensor/kernels.hpp"
#include "tensor/parallel.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// [..., m, k] · [..., k, n] with the same batch axes, as it is written.
std::vector<double> product(const Tensor& a, const Tensor& b) {
  const std::vector<double> x = a.to_vector(), y = b.to_vector();
  const std::size_t m = static_cast<std::size_t>(a.shape()[a.rank() - 2]);
  const std::size_t k = static_cast<std::size_t>(a.shape().back()), n = static_cast<std::size_t>(b.shape().back());
  std::vector<double> out;
  for (std::size_t batch = 0; batch * m * k < x.size(); ++batch) {
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t l = 0; l < k; ++l) sum += x[(batch * m + i) * k + l] * y[(batch * k + l) * n + j];
        out.push_back(sum);
      }
    }
  }
  return out;
}

double tolerance(DType dtype) { return dtype == DType::float32 ? 2e-5 : 1e-13; }

// More kinds of matrices: what BLAS reads as it is, and what it cannot read.
std::vector<View> matrices_like(const Tensor& x) {
  std::vector<View> views = views_of(x);
  const Shape& shape = x.shape();
  const Size rank = x.rank();
  const Tensor zero = Tensor::zeros({}, x.dtype());
  views.push_back({"itself", x});
  views.push_back({"a transposed copy", transpose(contiguous(transpose(x)))});
  views.push_back({"columns of a wider matrix",
                   slice(kernel::concat({broadcast_to(zero, x.shape()), x}, -1), -1, shape.back(), shape.back())});
  views.push_back({"rows of a taller matrix", slice(kernel::concat({x, x}, -2), -2, shape[rank - 2], shape[rank - 2])});
  views.push_back({"rows in reverse", flip(contiguous(flip(x, {-2})), {-2})});
  views.push_back({"columns in reverse", flip(contiguous(flip(x, {-1})), {-1})});
  return views;
}

}  // namespace

TEST_CASE("the product of every kind of matrix with every other (O-55)") {
  for (DType dtype : {DType::float32, DType::float64}) {
    for (const auto& [m, k, n] : {std::array<Size, 3>{2, 3, 4},
                                  {4, 4, 4},
                                  {1, 3, 4},
                                  {3, 1, 4},
                                  {3, 4, 1},
                                  {1, 1, 1},
                                  {1, 5, 1},
                                  {5, 1, 1},
                                  {1, 1, 5},
                                  {17, 9, 5}}) {
      const Tensor a = random({m, k}, dtype, 3), b = random({k, n}, dtype, 4);
      const std::vector<double> expected = product(a, b);
      for (const View& left : matrices_like(a)) {
        for (const View& right : matrices_like(b)) {
          INFO(left.name, " ", text(a.shape()), " times ", right.name, " ", text(b.shape()));
          check_close(kernel::matmul(left.tensor, right.tensor), {m, n}, expected, tolerance(dtype));
        }
      }
    }
  }
}

TEST_CASE("a matrix of which one row, or one column, or one number stands for all") {
  for (DType dtype : {DType::float32, DType::float64}) {
    for (const Shape& shape : {Shape{1, 6}, Shape{6, 1}, Shape{1, 1}}) {
      const Tensor repeated = broadcast_to(random(shape, dtype, 3), {6, 6}), x = random({6, 6}, dtype, 4);
      for (const Tensor& matrix : {repeated, transpose(repeated)}) {
        INFO(text(shape), " stands for [6, 6] with strides ", text(matrix.strides()));
        check_close(kernel::matmul(matrix, x), {6, 6}, product(matrix, x), tolerance(dtype));
        check_close(kernel::matmul(x, matrix), {6, 6}, product(x, matrix), tolerance(dtype));
      }
    }
  }
}

TEST_CASE("the product of every kind of batch with every other") {
  for (DType dtype : {DType::float32, DType::float64}) {
    for (const auto& [m, k, n] : {std::array<Size, 3>{2, 3, 4}, {1, 3, 4}, {3, 4, 1}, {3, 1, 2}}) {
      const Tensor a = random({2, 3, m, k}, dtype, 3), b = random({2, 3, k, n}, dtype, 4);
      const std::vector<double> expected = product(a, b);
      for (const View& left : matrices_like(a)) {
        for (const View& right : matrices_like(b)) {
          INFO(left.name, " ", text(a.shape()), " times ", right.name, " ", text(b.shape()));
          check_close(kernel::matmul(left.tensor, right.tensor), {2, 3, m, n}, expected, tolerance(dtype));
        }
      }
    }
  }
}

TEST_CASE("heads that are a permutation of [B, T, H, d] need no copy, and the result lies as the values did") {
  const Tensor x = random({2, 5, 3, 4}), heads = permute(x, {0, 2, 1, 3});  // [B, H, T, d]
  const Tensor scores = kernel::matmul(heads, transpose(heads));
  check_close(scores, {2, 3, 5, 5}, product(heads, transpose(heads)), 1e-13);
  const Tensor out = kernel::matmul(scores, heads);
  check_close(out, {2, 3, 5, 4}, product(scores, heads), 1e-13);
  CHECK(permute(out, {0, 2, 1, 3}).contiguous());
}

TEST_CASE("a block of a matrix times itself (O-55)") {
  const Tensor a = numbers({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, {4, 4});
  const Tensor block = slice(slice(a, 0, 0, 2, 2), 1, 0, 2, 2);
  check_close(kernel::matmul(block, block), {2, 2}, {28, 36, 108, 148}, 0);
}

TEST_CASE("batch axes broadcast, and two 3-D operands are a batch (O-55)") {
  const Tensor a = random({4, 1, 2, 3}, DType::float64, 3), b = random({5, 3, 2}, DType::float64, 4);
  const Tensor wide_a = broadcast_to(a, {4, 5, 2, 3}), wide_b = broadcast_to(b, {4, 5, 3, 2});
  check_close(kernel::matmul(a, b), {4, 5, 2, 2}, product(wide_a, wide_b), 1e-13);
  CHECK(kernel::matmul(random({2, 2, 3}), random({2, 3, 2})).shape() == Shape{2, 2, 2});
  check_close(kernel::matmul(wide_a, wide_b), {4, 5, 2, 2}, product(wide_a, wide_b), 1e-13);
}

TEST_CASE("empty matrices, and a product over nothing, which is 0 (O-12)") {
  check_close(kernel::matmul(numbers({}, {2, 0}), numbers({}, {0, 3})), {2, 3}, {0, 0, 0, 0, 0, 0}, 0);
  check_close(kernel::matmul(numbers({}, {0, 2}), numbers({1, 2}, {2, 1})), {0, 1}, {}, 0);
  check_close(kernel::matmul(numbers({}, {0, 2, 2}), numbers({1, 2, 3, 4}, {2, 2})), {0, 2, 2}, {}, 0);
}

TEST_CASE("sizes that do not fit are refused with both shapes, an inner size of 1 too (O-08)") {
  const auto fails = [](const Shape& a, const Shape& b, const std::vector<std::string>& more) {
    std::vector<std::string> texts = {"matmul", text(a), text(b)};
    texts.insert(texts.end(), more.begin(), more.end());
    check_throws_with([&] { kernel::matmul(Tensor::zeros(a), Tensor::zeros(b)); }, texts);
  };
  fails({2, 3}, {4, 5}, {"inner sizes differ"});
  fails({2, 1}, {3, 2}, {"inner sizes differ"});
  fails({2, 3}, {1, 2}, {"inner sizes differ"});
  fails({2, 2, 3}, {5, 3, 4}, {"broadcast"});
  fails({3}, {3, 4}, {"matrices"});
  check_throws_with(
      [] {
        kernel::matmul(Tensor::zeros({2, 2}), Tensor::zeros({2, 2}, DType::float64));
      },
      {"matmul", "float32", "float64", "[2, 2]"});
  check_throws_with(
      [] {
        kernel::matmul(Tensor::zeros({2, 2}, DType::int64), Tensor::zeros({2, 2}, DType::int64));
      },
      {"matmul", "int64", "[2, 2]"});
}

TEST_CASE("x W + b is the product and then the sum, for every kind of matrix, and b stays what it is") {
  for (DType dtype : {DType::float32, DType::float64}) {
    for (const auto& [m, k, n] :
         {std::array<Size, 3>{2, 3, 4}, {1, 3, 4}, {3, 1, 4}, {3, 4, 1}, {1, 1, 1}, {17, 9, 5}, {100, 120, 200}}) {
      const Tensor x = random({m, k}, dtype, 3), weight = random({k, n}, dtype, 4), bias = random({n}, dtype, 5);
      const std::vector<double> before = bias.to_vector();
      const Tensor expected = kernel::add(kernel::matmul(x, weight), bias);
      for (const View& left : matrices_like(x)) {
        for (const View& right : matrices_like(weight)) {
          INFO(left.name, " ", text(x.shape()), " times ", right.name, " ", text(weight.shape()));
          check_agree(kernel::linear(left.tensor, right.tensor, bias), expected, tolerance(dtype), tolerance(dtype));
        }
      }
      for (const View& view : views_of(bias)) {
        INFO(view.name);
        check_agree(kernel::linear(x, weight, view.tensor), expected, tolerance(dtype), tolerance(dtype));
      }
      CHECK(bias.to_vector() == before);
    }
  }
}

TEST_CASE("x W + b without rows, without columns, and over nothing, which is b") {
  check_close(kernel::linear(numbers({}, {0, 2}), numbers({1, 2}, {2, 1}), numbers({5}, {1})), {0, 1}, {}, 0);
  check_close(kernel::linear(numbers({1, 2}, {1, 2}), numbers({}, {2, 0}), numbers({}, {0})), {1, 0}, {}, 0);
  check_close(kernel::linear(numbers({}, {2, 0}), numbers({}, {0, 2}), numbers({5, 6}, {2})), {2, 2}, {5, 6, 5, 6}, 0);
}

TEST_CASE("NaN and infinities of x, W and b reach the sums they belong to, and no other") {
  const Tensor x = numbers({1, not_a_number, 3, infinity}, {4, 1}), weight = numbers({1, 2}, {1, 2});
  check_close(kernel::linear(slice(x, 0, 2, 2), weight, numbers({0, 1}, {2})), {2, 2}, {3, 7, infinity, infinity}, 0);
  const Tensor y = kernel::linear(slice(x, 0, 0, 3), weight, numbers({0, not_a_number}, {2}));
  CHECK(y.at({0, 0}) == 1);
  CHECK(y.at({2, 0}) == 3);
  for (const auto& [i, j] : {std::pair<Size, Size>{1, 0}, {0, 1}, {1, 1}, {2, 1}}) CHECK(std::isnan(y.at({i, j})));
}

// One thread hands all of a product to BLAS, many hand it over in pieces. The last two could end in a small one.
TEST_CASE("the bits of a product do not depend on where it is cut (O-59)") {
  for (DType dtype : {DType::float32, DType::float64}) {
    for (const auto& [m, k, n] : {std::array<Size, 3>{1000, 193, 77},
                                  {769, 96, 200},
                                  {1001, 256, 64},
                                  {97, 700, 65},
                                  {439, 581, 531},
                                  {493, 568, 40}}) {
      const Tensor a = random({m, k}, dtype, 3), b = random({k, n}, dtype, 4), bias = random({n}, dtype, 5);
      const Tensor a_turned = transpose(contiguous(transpose(a))), b_turned = transpose(contiguous(transpose(b)));
      for (const Tensor& left : {a, a_turned}) {
        for (const Tensor& right : {b, b_turned}) {
          const Tensor product = kernel::matmul(left, right), with_bias = kernel::linear(left, right, bias);
          for (Size count : {2, 3, 4, 7, 16}) {
            INFO(text(a.shape()), " x ", text(b.shape()), ", ", count, " threads");
            set_threads(count);
            CHECK(same_bits(kernel::matmul(left, right), product));
            CHECK(same_bits(kernel::linear(left, right, bias), with_bias));
          }
          set_threads(1);
        }
      }
    }
  }
}

TEST_CASE("the bits of a product do not depend on the number of threads (O-59)") {
  for (DType dtype : {DType::float32, DType::float64}) {
    const Tensor a = random({1024, 96}, dtype, 3), b = random({96, 200}, dtype, 4),
                 batch = random({37, 40, 96}, dtype, 5);
    const Tensor alone = kernel::matmul(a, b), turned = kernel::matmul(transpose(a), a),
                 alone_of_batch = kernel::matmul(batch, b), column = kernel::matmul(a, slice(b, 1, 0, 1));
    for (Size count : {2, 3}) {
      set_threads(count);
      CHECK(same_bits(kernel::matmul(a, b), alone));
      CHECK(same_bits(kernel::matmul(transpose(a), a), turned));
      CHECK(same_bits(kernel::matmul(batch, b), alone_of_batch));
      CHECK(same_bits(kernel::matmul(a, slice(b, 1, 0, 1)), column));
    }
    set_threads(1);
  }
}

TEST_CASE("two threads of the caller may multiply at once (O-57)") {
  const Tensor a = random({160, 120}, DType::float64, 3), b = random({120, 140}, DType::float64, 4);
  const Tensor expected = kernel::matmul(a, b);
  for (Size count : {1, 2}) {
    set_threads(count);
    bool right[2] = {true, true};
    std::thread callers[2];
    for (int t = 0; t < 2; ++t) {
      callers[t] = std::thread([&, t] {
        for (int i = 0; i < 50; ++i) right[t] = same_bits(kernel::matmul(a, b), expected) && right[t];
      });
    }
    for (std::thread& caller : callers) caller.join();
    CHECK(right[0]);
    CHECK(right[1]);
  }
  set_threads(1);
}

TEST_CASE("a thread of the caller may multiply with a small stack") {
  constexpr std::size_t small = std::size_t{256} << 10;
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, small) == 0);
  const Tensor a = random({300, 300}, DType::float32, 3);
  const Tensor square = kernel::matmul(a, a), with_transpose = kernel::matmul(a, transpose(a));
  bool right = false;
  auto multiply = [&] {
    right = same_bits(kernel::matmul(a, a), square) && same_bits(kernel::matmul(a, transpose(a)), with_transpose);
  };
  const auto call = [](void* work) -> void* { return (*static_cast<decltype(multiply)*>(work))(), nullptr; };
  pthread_t caller;
  REQUIRE(pthread_create(&caller, &attributes, call, &multiply) == 0);
  pthread_join(caller, nullptr);
  pthread_attr_destroy(&attributes);
  CHECK(right);
}

TEST_CASE("a child process can multiply after a fork (O-57)") {
  const Tensor a = random({200, 200}, DType::float64, 3), expected = kernel::matmul(a, a);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(30);  // a child that hangs is ended by the signal
    _exit(same_bits(kernel::matmul(a, a), expected) ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("what was in the result's block before does not matter, NaN least of all (O-57)") {
  const Tensor a = random({50, 50}, DType::float64, 3), column = slice(a, 1, 0, 1), expected = kernel::matmul(a, a);
  const Tensor expected_column = kernel::matmul(a, column);
  for (int i = 0; i < 3; ++i) {
    { const Tensor poison = Tensor::full({50, 50}, not_a_number, DType::float64); }
    CHECK(same_bits(kernel::matmul(a, a), expected));
    { const Tensor poison = Tensor::full({50, 1}, not_a_number, DType::float64); }
    CHECK(same_bits(kernel::matmul(a, column), expected_column));
  }
}
