#include "nn/attention/nystrom.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tensor/kernels.hpp"
#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size B = 2, H = 3, T = 11, d = 4, dv = 5;

Var heads(std::uint64_t seed, Size width = d) { return random({B, H, T, width}, DType::float64, seed); }

NystromAttention nystrom(Size landmarks, const NystromOptions& options = {}) {
  Rng rng(5);
  return cast(NystromAttention(landmarks, rng, options), DType::float64);
}

NystromOptions exactly() {
  NystromOptions options;
  options.exact = true;
  return options;
}

NystromOptions with_steps(Size steps) {
  NystromOptions options;
  options.steps = steps;
  return options;
}

NystromOptions with_convolution(Size size) {
  NystromOptions options;
  options.convolution = size;
  options.heads = H;
  return options;
}

Var rows_of(const Var& x, Size count) { return slice(x, 2, 0, count); }

// Means of segments written out by hand, each with the positions given.
Var means_of(const Var& x, const std::vector<std::vector<Size>>& segments) {
  Vars means;
  for (const std::vector<Size>& segment : segments) {
    Var total = select(x, 2, segment[0]);
    for (std::size_t i = 1; i < segment.size(); ++i) total = total + select(x, 2, segment[i]);
    means.push_back(total / static_cast<double>(segment.size()));
  }
  return stack(means, 2);
}

Var by_segments(const Var& q, const Var& k, const Var& v, const std::vector<std::vector<Size>>& segments) {
  const auto kernel = [](const Var& a, const Var& b) { return softmax(matmul(a, transpose(b)) / 2.0); };  // √d = 2
  const Var ql = means_of(q, segments), kl = means_of(k, segments);
  return matmul(matmul(matmul(kernel(q, kl), inverse(kernel(ql, kl))), kernel(ql, k)), v);
}

// ‖found − exact‖ / ‖exact‖
double relative_error(const Var& found, const Var& exact) {
  const auto size_of = [](const Var& x) { return norm(x, {0, 1, 2, 3}).value().item(); };
  return size_of(found - exact) / size_of(exact);
}

// The same of all weights of some heads, with an iteration that has come to its end.
double map_error(const Var& q, const Var& k, Size landmarks) {
  return relative_error(attention_map(nystrom(landmarks, with_steps(40)), q, k),
                        attention_map(SoftmaxAttention(), q, k));
}

constexpr Size maps = 8, positions = 64, width = 8;

Var rough(std::uint64_t seed) { return random({1, maps, positions, width}, DType::float64, seed); }

// Positions whose neighbours are alike: each number is a wave along them, of about a period, with the variance 1.
Var smooth(std::uint64_t seed) {
  const Var starts = random({1, maps, 1, width}, DType::float64, seed),
            speeds = random({1, maps, 1, width}, DType::float64, seed + 1);
  const Var time = kernel::cast(reshape(Tensor::arange(positions), {1, 1, positions, 1}), DType::float64);
  return std::sqrt(2.0) * sin(6.0 * starts + (4.0 / double{positions}) * time * speeds);
}

}  // namespace

TEST_CASE("landmarks are means of segments whose lengths differ by at most 1") {
  const Var q = heads(1), k = heads(2), v = heads(3, dv);
  check_agree(nystrom(3, exactly())(q, k, v).context, by_segments(q, k, v, {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10}}),
              1e-12);
  check_agree(nystrom(4, exactly())(q, k, v).context, by_segments(q, k, v, {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10}}),
              1e-12);
  const auto first = [](const Var& x) { return rows_of(x, 8); };
  check_agree(nystrom(4, exactly())(first(q), first(k), first(v)).context,
              by_segments(first(q), first(k), first(v), {{0, 1}, {2, 3}, {4, 5}, {6, 7}}), 1e-12);
  CHECK_FALSE(nystrom(3)(q, k, v).weights.defined());
}

TEST_CASE("a padded sequence gets what it gets alone, also with fewer positions than landmarks, and 0 with none") {
  const Var q = heads(1), k = heads(2), v = heads(3, dv);
  const auto of_first = [](const Var& x) { return slice(x, 0, 0, 1); };
  for (const NystromOptions& options : {NystromOptions(), exactly(), with_convolution(3)}) {
    for (Size length : {Size{1}, Size{2}, Size{4}, Size{9}}) {
      CAPTURE(length);
      const Var padded = nystrom(4, options)(q, k, v, padding_mask({length, T}, T)).context;
      const auto alone = [&](const Var& x) { return rows_of(of_first(x), length); };
      check_agree(alone(padded), nystrom(std::min<Size>(4, length), options)(alone(q), alone(k), alone(v)).context,
                  1e-12);
    }
  }
  const Var nothing = of_first(nystrom(4)(q, k, v, padding_mask({0, T}, T)).context);
  check_agree(nothing, Tensor::zeros({1, H, T, dv}, DType::float64), 0);
}

TEST_CASE("a query at padding reaches no other, as a landmark neither") {
  const Var q = heads(1), k = heads(2), v = heads(3, dv);
  const Mask mask = padding_mask({T - 3, T - 3}, T);
  const Var other = concat({rows_of(q, T - 3), 100.0 * slice(q, 2, T - 3, 3)}, 2);
  check_agree(rows_of(nystrom(3)(other, k, v, mask).context, T - 3), rows_of(nystrom(3)(q, k, v, mask).context, T - 3),
              0);
}

TEST_CASE("a sequence's result does not depend on the others of its batch, bit for bit") {
  const Var q = heads(1), k = heads(2), v = heads(3, dv);
  const auto one = [](const Var& x) { return slice(x, 0, 0, 1); };
  const Var factors = Tensor::from({1, 50}, {B, 1, 1, 1}, DType::float64);
  const NystromAttention layer = nystrom(4, with_steps(2));  // where the start still matters
  CHECK(same_bits(one(layer(q * factors, k * factors, v).context), one(layer(q, k, v).context)));
}

TEST_CASE("a step of the iteration makes ¼ (3 E³ + E⁴) of E = I − A Z") {
  const Var A = softmax(random({2, 7, 7}));
  const Var I = one_hot(Tensor::arange(7), 7, DType::float64);
  for (Size steps : {0, 1, 2}) {
    const Var E = I - matmul(A, iterated_inverse(A, steps));
    const Var cube = matmul(E, matmul(E, E));
    check_agree(I - matmul(A, iterated_inverse(A, steps + 1)), 0.25 * (3.0 * cube + matmul(cube, E)), 1e-14);
  }
}

TEST_CASE("the iteration comes to the inverse; where every position is a landmark, the paper's 6 steps have not") {
  const Var q = random({1, 1, 16, 8}, DType::float64, 1), k = random({1, 1, 16, 8}, DType::float64, 2);
  const Var v = random({1, 1, 16, 4}, DType::float64, 3);
  const Var A = attention_map(SoftmaxAttention(), q, k), exact = inverse(A);
  const Var full = SoftmaxAttention()(q, k, v).context;
  std::vector<double> of_inverse, of_result;
  std::printf("  steps   error of the inverse   of the result\n");
  for (Size steps : {0, 2, 4, 6, 8, 12, 16, 20}) {
    of_inverse.push_back(relative_error(iterated_inverse(A, steps), exact));
    of_result.push_back(relative_error(nystrom(16, with_steps(steps))(q, k, v).context, full));
    std::printf("  %5d   %20.1e   %13.1e\n", static_cast<int>(steps), of_inverse.back(), of_result.back());
    if (steps > 0) CHECK(of_result.back() < of_result[of_result.size() - 2]);
  }
  CHECK(of_result[3] > 1e-3);
  CHECK(of_inverse.back() < 1e-12);
  CHECK(of_result.back() < 1e-12);
}

TEST_CASE("Nyström attention is near to softmax attention on smooth maps and far from it on random ones") {
  std::vector<double> of_smooth, of_rough;
  std::printf("  landmarks   error on smooth maps   on random ones\n");
  for (Size landmarks : {4, 8, 16, 32}) {
    of_smooth.push_back(map_error(smooth(3), smooth(8), landmarks));
    of_rough.push_back(map_error(rough(3), rough(8), landmarks));
    std::printf("  %9d   %20.1e   %14.1e\n", static_cast<int>(landmarks), of_smooth.back(), of_rough.back());
    CHECK(of_smooth.back() < of_rough.back());
    if (landmarks > 4) CHECK(of_smooth.back() < of_smooth[of_smooth.size() - 2]);
  }
  CHECK(of_smooth[1] < 0.1 * *std::min_element(of_rough.begin(), of_rough.end()));
}

TEST_CASE("Nyström attention with the exact inverse, padded, and with a convolution has its derivatives to order 2") {
  const std::vector<Tensor> inputs = {heads(1).value(), heads(2).value(), heads(3, dv).value()};
  std::vector<LayerRow> rows;
  const auto add = [&](const std::string& name, const NystromOptions& options, const Mask& mask) {
    rows.push_back(layer_row(name, nystrom(4, options), inputs, [mask](const NystromAttention& layer, const Vars& xs) {
      return layer(xs[0], xs[1], xs[2], mask).context;
    }));
  };
  add("exact", exactly(), {});
  add("exact, padded", exactly(), padding_mask({T, 3}, T));
  add("convolution, padded", with_convolution(5), padding_mask({T, 3}, T));
  check_derivatives(rows);
  check_visits(rows);
}

TEST_CASE("the convolution is added, one kernel a head, over the positions around each") {
  const Var q = heads(1), k = heads(2), v = heads(3, dv);
  const NystromAttention layer = nystrom(4, with_convolution(3));
  CHECK(layer.convolution.shape() == Shape{H, 1, 3, 1});
  const Tensor added = (layer(q, k, v).context - nystrom(4)(q, k, v).context).value();
  std::vector<double> expected;
  for (Size b = 0; b < B; ++b) {
    for (Size h = 0; h < H; ++h) {
      for (Size i = 0; i < T; ++i) {
        for (Size c = 0; c < dv; ++c) {
          double sum_of_three = 0;
          for (Size u = 0; u < 3; ++u) {
            const Size j = i + u - 1;
            if (j >= 0 && j < T)
              sum_of_three += layer.convolution.value().at({h, 0, u, 0}) * v.value().at({b, h, j, c});
          }
          expected.push_back(sum_of_three);
        }
      }
    }
  }
  check_close(added, {B, H, T, dv}, expected, 1e-12);
}

TEST_CASE("Nyström attention refuses a causal mask, pairs, more landmarks than positions and settings without sense") {
  const Var x = heads(1);
  check_throws_with([&] { nystrom(12)(x, x, x); }, {"Nyström attention", "12 landmarks for 11 positions"});
  check_throws_with([&] { nystrom(3)(x, x, x, causal_mask(T, T)); }, {"Nyström attention", "no causal form"});
  check_throws_with([&] { nystrom(3)(x, x, x, band_mask(T, T, 1, 1)); }, {"Nyström attention", "[1, 1, 11, 11]"});
  check_throws_with([] { nystrom(0); }, {"Nyström attention", "0 landmarks"});
  check_throws_with([] { nystrom(2, with_steps(-1)); }, {"Nyström attention", "-1 steps"});
  check_throws_with([] { nystrom(2, with_convolution(4)); }, {"Nyström attention", "over 4 positions of 3 heads"});
  check_throws_with([] { nystrom(2, with_convolution(-3)); }, {"Nyström attention", "over -3 positions"});
  NystromOptions without_heads;
  without_heads.convolution = 3;
  check_throws_with([&] { nystrom(2, without_heads); }, {"Nyström attention", "of 0 heads"});
  check_throws_with([] { iterated_inverse(random({2, 3}), 6); }, {"iterated_inverse", "[2, 3]"});
  check_throws_with([] { iterated_inverse(random({3, 3}), -2); }, {"iterated_inverse", "-2 steps"});
}

TEST_CASE("landmarks that are alike have no exact inverse, and the iteration gives the pseudo-inverse's result") {
  const Var same = Var(Tensor::ones({1, 1, 6, 3}, DType::float64)), v = random({1, 1, 6, 2});
  check_throws_with([&] { nystrom(2, exactly())(same, same, v); }, {"inverse", "singular"});
  check_agree(nystrom(2)(same, same, v).context, SoftmaxAttention()(same, same, v).context, 1e-12);
}
