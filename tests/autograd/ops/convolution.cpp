#include <doctest/doctest.h>

#include <cmath>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/op_table.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr const char* op = "conv(Var, Var, Convolution)";

// The formula, for x [B, C, H, W] and weight [O, C / groups, u, v].
Oracle by_hand(const Convolution& how) {
  return [how](const std::vector<Numbers>& in) {
    const Numbers &x = in[0], &w = in[1];
    const Size H = x.shape[2], W = x.shape[3], O = w.shape[0], C = w.shape[1], u = w.shape[2], v = w.shape[3];
    const Size rows = (H + 2 * how.padding - how.dilation * (u - 1) - 1) / how.stride + 1;
    const Size columns = (W + 2 * how.padding - how.dilation * (v - 1) - 1) / how.stride + 1;
    return build({x.shape[0], O, rows, columns}, [&](const Sizes& at) {
      double sum = 0;
      for (Size c = 0; c < C; ++c) {
        for (Size k = 0; k < u; ++k) {
          for (Size l = 0; l < v; ++l) {
            const Size i = at[2] * how.stride + k * how.dilation - how.padding;
            const Size j = at[3] * how.stride + l * how.dilation - how.padding;
            if (i < 0 || i >= H || j < 0 || j >= W) continue;
            sum += w.at({at[1], c, k, l}) * x.at({at[0], at[1] / (O / how.groups) * C + c, i, j});
          }
        }
      }
      return sum;
    });
  };
}

Row row(const std::string& situation, const Convolution& how, const Shape& x, const Shape& weight) {
  return {op, situation, [how](const Vars& in) { return conv(in[0], in[1], how); }, by_hand(how), {{x}, {weight}}};
}

const std::vector<Row> rows = {
    row("", {}, {2, 3, 4, 5}, {4, 3, 2, 3}),
    row("padded", {1, 1, 1, 1}, {2, 3, 4, 5}, {2, 3, 3, 3}),
    row("padded by more than the kernel", {1, 3, 1, 1}, {1, 2, 2, 3}, {3, 2, 2, 2}),
    row("strided, the last elements in no window", {3, 0, 1, 1}, {2, 2, 7, 8}, {3, 2, 2, 2}),
    row("strided, padded and dilated", {2, 2, 2, 1}, {1, 2, 5, 6}, {3, 2, 2, 3}),
    row("dilated", {1, 0, 3, 1}, {1, 2, 5, 9}, {2, 2, 2, 3}),
    row("in groups", {1, 1, 1, 2}, {2, 4, 3, 4}, {6, 2, 3, 2}),
    row("a group for each channel", {1, 1, 1, 3}, {2, 3, 3, 4}, {3, 1, 3, 3}),
    row("windows of one element", {}, {2, 3, 2, 4}, {4, 3, 1, 1}),
    row("windows of one element, in groups", {1, 0, 1, 2}, {2, 4, 2, 3}, {2, 2, 1, 1}),
    row("windows of one element, strided", {2, 0, 1, 1}, {2, 3, 4, 5}, {4, 3, 1, 1}),
    row("one window", {}, {2, 3, 2, 3}, {4, 3, 2, 3}),
    row("one channel, one row", {1, 0, 1, 1}, {2, 1, 1, 6}, {2, 1, 1, 3}),
    row("no image", {}, {0, 3, 4, 5}, {4, 3, 2, 3}),
    row("no channel comes out", {}, {2, 3, 4, 5}, {0, 3, 2, 3}),
};

// The definition by the ops that it replaces: every window is a column of a matrix.
Var composed(const Var& x, const Var& weight, const Convolution& how) {
  const Size p = how.padding, G = how.groups, O = weight.shape()[0], C = weight.shape()[1], u = weight.shape()[2],
             v = weight.shape()[3], B = x.shape()[0];
  const Var tall = windows(pad(pad(x, 2, p, p), 3, p, p), 2, u, how.stride, how.dilation);
  const Var all = windows(tall, 3, v, how.stride, how.dilation);  // [B, C, H', W', u, v]
  const Size H = all.shape()[2], W = all.shape()[3];
  const Var columns = reshape(permute(all, {0, 1, 4, 5, 2, 3}), {B, G, C * u * v, H * W});
  return reshape(matmul(reshape(weight, {G, O / G, C * u * v}), columns), {B, O, H, W});
}

// Where the numbers are finite.
std::vector<double> finite(const Var& x) { return kernel::is_finite(x.value()).to_vector(); }

struct Case {
  Shape x, weight;
  Convolution how;
};

void check_as_composed(const Case& c, DType dtype, double tolerance) {
  INFO(text(c.x), " by ", text(c.weight), " stride ", c.how.stride, " padding ", c.how.padding, " dilation ",
       c.how.dilation, " groups ", c.how.groups, " ", name_of(dtype));
  const Var x = Var::parameter(random(c.x, dtype, 2)), w = Var::parameter(random(c.weight, dtype, 3));
  const Var expected = composed(x, w, c.how), y = conv(x, w, c.how);
  check_agree(y, expected, tolerance);
  for (const View& g : views_of(random(y.shape(), dtype, 4))) {
    INFO(g.name);
    const Vars should = grad(expected, {x, w}, g.tensor), is = grad(y, {x, w}, g.tensor);
    check_agree(is[0], should[0], tolerance);
    check_agree(is[1], should[1], 10 * tolerance);
  }
}

}  // namespace

TEST_CASE("every row of ops/convolution.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/convolution.cpp has a row") { check_complete("ops/convolution.cpp", rows); }

TEST_CASE("for every width around that of a vector a convolution is the product of its windows") {
  for (Size W = 1; W <= 19; ++W) {
    for (Size kernel : {1, 2, 3}) {
      for (const Convolution& how : {Convolution{1, 1, 1, 1}, Convolution{2, 1, 1, 2}, Convolution{1, 2, 2, 1}}) {
        const Case c{{2, 2, 3, W}, {4, 2 / how.groups, kernel, kernel}, how};
        check_as_composed(c, DType::float64, 1e-12);
        check_as_composed(c, DType::float32, 1e-4);
      }
    }
  }
}

TEST_CASE("images that are taken in parts, and weights that are summed in pieces, give the same") {
  for (const Case& c : {Case{{2, 64, 7, 40}, {3, 64, 3, 3}, {1, 1, 1, 1}},      // two rows at a time, and a rest
                        Case{{1, 128, 13, 69}, {4, 64, 3, 3}, {2, 1, 1, 2}},    // the same in groups, strided
                        Case{{1, 64, 4, 131}, {2, 64, 3, 3}, {1, 1, 1, 1}},     // one row, for it is long
                        Case{{1, 70, 31, 33}, {2, 70, 1, 1}, {1, 0, 1, 1}},     // the image itself, in parts
                        Case{{37, 8, 14, 14}, {32, 8, 3, 3}, {1, 1, 1, 1}},     // 4 pieces, the last of them short
                        Case{{19, 16, 12, 12}, {32, 8, 3, 3}, {1, 1, 1, 2}},    // of each of two groups
                        Case{{4, 48, 6, 6}, {160, 48, 3, 3}, {1, 1, 1, 1}}}) {  // as few as keep them small
    check_as_composed(c, DType::float64, 1e-10);
  }
}

TEST_CASE("views of an image and of a weight are read where they lie") {
  for (const Convolution& how : {Convolution{1, 1, 1, 2}, Convolution{2, 0, 1, 2}}) {
    for (Size kernel : {1, 3}) {
      const Tensor x = random({2, 4, 5, 6}, DType::float64, 2), w = random({6, 2, kernel, kernel}, DType::float64, 3);
      const Var expected = composed(x, w, how);
      for (const View& image : views_of(x)) {
        for (const View& weight : views_of(w)) {
          INFO(image.name, ", ", weight.name);
          const Var in = Var::parameter(image.tensor), by = Var::parameter(weight.tensor);
          check_agree(conv(in, by, how), expected, 1e-12);
          const Vars gradients = grad(sum(conv(in, by, how)), {in, by});
          const Vars should = grad(sum(composed(in, by, how)), {in, by});
          check_agree(gradients[0], should[0], 1e-12);
          check_agree(gradients[1], should[1], 1e-12);
        }
      }
    }
  }
}

TEST_CASE("what is not finite reaches the windows that hold it, and no others") {
  const Convolution how{1, 1, 1, 1};
  for (double bad : {infinity, not_a_number}) {
    for (Size place : {0, 8, 13, 14, 27, 97}) {
      std::vector<double> values(98, 1);
      values[static_cast<std::size_t>(place)] = bad;
      for (DType dtype : {DType::float32, DType::float64}) {
        const Var x = Var::parameter(Tensor::from(values, {1, 1, 7, 14}, dtype)), g = x;
        const Var w = Var::parameter(random({1, 1, 3, 3}, dtype, 3));
        CHECK(finite(conv(x, w, how)) == finite(composed(x, w, how)));
        const Var plain = Var::parameter(random({1, 1, 7, 14}, dtype, 4));
        CHECK(finite(grad(conv(plain, w, how), {plain}, g)[0]) == finite(grad(composed(plain, w, how), {plain}, g)[0]));
      }
    }
  }
}

TEST_CASE("images and weights that do not fit are named") {
  const Var x(random({2, 4, 5, 6})), w(random({6, 2, 3, 3}));
  check_throws_with([&] { conv(x, w); }, {"conv: ", "[2, 4, 5, 6]", "[6, 2, 3, 3]", "1 groups"});
  check_throws_with([&] { conv(x, w, {0, 0, 1, 2}); }, {"conv: ", "stride 0"});
  check_throws_with([&] { conv(x, w, {1, 0, 3, 2}); }, {"conv: ", "dilation 3"});
  check_throws_with(
      [&] {
        conv(select(x, 0, 0), w, {1, 0, 1, 2});
      },
      {"conv: ", "[4, 5, 6]", "[6, 2, 3, 3]", "[B, C, H, W]"});
  check_throws_with([&] { conv(x, Var(random({6, 2, 3, 3}, DType::float32)), {1, 0, 1, 2}); }, {"conv: ", "float32"});
}
