// The tiles of blockwise attention against the composed form, softmax(scale · q kᵀ) v, whose kernels are tested alone.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tensor/cost.hpp"
#include "tensor/kernels.hpp"
#include "tensor/live.hpp"
#include "tensor/parallel.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

struct Found {
  Tensor y, log_sums, dq, dk, dv;
};

Found blockwise(const Tensor& g, const Tensor& q, const Tensor& k, const Tensor& v, const Blockwise& how) {
  const auto [y, log_sums] = kernel::blockwise_attention(q, k, v, how);
  const auto [dq, dk, dv] = kernel::blockwise_attention_backward(g, q, k, v, y, log_sums, how);
  return {y, log_sums, dq, dk, dv};
}

// The same by whole matrices, `may` bool [Tq, Tk] or undefined.
Found composed(const Tensor& g, const Tensor& q, const Tensor& k, const Tensor& v, double scale, const Tensor& may) {
  const Tensor scores = kernel::affine(kernel::matmul(q, transpose(k)), scale, 0);
  const Tensor P = may.defined() ? kernel::masked_softmax(scores, may) : kernel::softmax(scores);
  const Tensor dS = kernel::affine(kernel::softmax_backward(kernel::matmul(g, transpose(v)), P), scale, 0);
  const Tensor hidden = Tensor::full({}, -infinity, scores.dtype());
  const Tensor seen = may.defined() ? kernel::where(may, scores, hidden) : scores;
  return {kernel::matmul(P, v), kernel::logsumexp(seen), kernel::matmul(dS, k), kernel::matmul(transpose(dS), q),
          kernel::matmul(transpose(P), g)};
}

void check_same(const Found& found, const Found& expected, double tolerance) {
  check_agree(found.y, expected.y, tolerance, tolerance);
  check_agree(found.log_sums, expected.log_sums, tolerance, tolerance);
  check_agree(found.dq, expected.dq, tolerance, tolerance);
  check_agree(found.dk, expected.dk, tolerance, tolerance);
  check_agree(found.dv, expected.dv, tolerance, tolerance);
}

void check_same_bits(const Found& a, const Found& b) {
  CHECK(same_bits(a.y, b.y));
  CHECK(same_bits(a.log_sums, b.log_sums));
  CHECK(same_bits(a.dq, b.dq));
  CHECK(same_bits(a.dk, b.dk));
  CHECK(same_bits(a.dv, b.dv));
}

// Query i sees key j where `see` says so.
template <class See>
Tensor mask_of(Size Tq, Size Tk, See see) {
  std::vector<bool> values;
  for (Size i = 0; i < Tq; ++i) {
    for (Size j = 0; j < Tk; ++j) values.push_back(see(i, j));
  }
  return Tensor::from_bools(values, {Tq, Tk});
}

struct Case {
  std::string name;
  bool causal;
  Tensor mask, all;  // what the op is given, and what it must mean
};

std::vector<Case> cases(Size Tq, Size Tk) {
  const Size ahead = Tk - Tq;
  const Tensor causal = mask_of(Tq, Tk, [=](Size i, Size j) { return j <= i + ahead; });
  // The first two thirds of the keys are hidden from the first half of the queries, and one query sees none.
  const Tensor late = mask_of(Tq, Tk, [=](Size i, Size j) { return i != Tq / 3 && (i >= Tq / 2 || j >= 2 * Tk / 3); });
  const Tensor padding = mask_of(1, Tk, [=](Size, Size j) { return j < Tk / 2; });
  return {{"no mask", false, {}, {}},
          {"causal", true, {}, causal},
          {"first tiles hidden, a query without any key", false, late, late},
          {"a padding mask", false, padding, broadcast_to(padding, {Tq, Tk})},
          {"causal and a mask", true, late, kernel::logical_and(causal, late)}};
}

constexpr double scale = 0.3;

}  // namespace

TEST_CASE("for every block from 1 to T + 1 the tiles give what the whole matrices give") {
  for (const auto& sizes : {std::pair<Size, Size>{37, 37}, {37, 41}, {41, 37}, {1, 40}, {40, 1}}) {
    const Size Tq = sizes.first, Tk = sizes.second;
    const Tensor q = random({Tq, 5}, DType::float64, 2), k = random({Tk, 5}, DType::float64, 3),
                 v = random({Tk, 7}, DType::float64, 4), g = random({Tq, 7}, DType::float64, 5);
    for (const Case& c : cases(Tq, Tk)) {
      INFO(c.name);
      const Found expected = composed(g, q, k, v, scale, c.all);
      for (Size block = 1; block <= std::max(Tq, Tk) + 1; ++block) {
        INFO("Tq ", Tq, ", Tk ", Tk, ", block ", block);
        check_same(blockwise(g, q, k, v, {scale, c.mask, c.causal, block}), expected, 1e-12);
      }
    }
  }
}

TEST_CASE("with the usual block, around its edges") {
  for (Size T : {95, 96, 97, 300}) {
    const Tensor q = random({T, 8}, DType::float64, 2), k = random({T, 8}, DType::float64, 3),
                 v = random({T, 8}, DType::float64, 4), g = random({T, 8}, DType::float64, 5);
    for (const Case& c : cases(T, T)) {
      INFO(c.name);
      Blockwise how;
      how.scale = scale, how.mask = c.mask, how.causal = c.causal;
      check_same(blockwise(g, q, k, v, how), composed(g, q, k, v, scale, c.all), 1e-12);
    }
  }
}

TEST_CASE("in float32 it is as near to the exact result as the composed form, within a factor") {
  const Shape shape{3, 100, 16};
  const Tensor q = random(shape, DType::float32, 2), k = random(shape, DType::float32, 3),
               v = random(shape, DType::float32, 4), g = random(shape, DType::float32, 5);
  const auto exact = [](const Tensor& x) { return kernel::cast(x, DType::float64); };
  for (const Case& c : cases(100, 100)) {
    INFO(c.name);
    const Found found = blockwise(g, q, k, v, {0.25, c.mask, c.causal, 32});
    CHECK(found.y.dtype() == DType::float32);
    CHECK(found.log_sums.dtype() == DType::float32);
    check_same(found, composed(exact(g), exact(q), exact(k), exact(v), 0.25, c.all), 2e-6);
  }
}

TEST_CASE("leading axes broadcast, and each matrix has its own mask") {
  const Tensor q = random({2, 3, 10, 4}, DType::float64, 2), k = random({3, 11, 4}, DType::float64, 3),
               v = random({2, 1, 11, 6}, DType::float64, 4), g = random({2, 3, 10, 6}, DType::float64, 5);
  std::vector<bool> flags;  // sequence b, head h sees the keys from b + h on
  for (Size b = 0; b < 2; ++b) {
    for (Size h = 0; h < 3; ++h) {
      for (Size j = 0; j < 11; ++j) flags.push_back(j >= b + h);
    }
  }
  const Tensor mask = Tensor::from_bools(flags, {2, 3, 1, 11});
  const Found expected = composed(g, q, k, v, scale, mask);
  for (Size block : {1, 3, 16}) {
    const Found found = blockwise(g, q, k, v, {scale, mask, false, block});
    CHECK(found.dk.shape() == Shape{2, 3, 11, 4});
    check_same(found, expected, 1e-12);
  }
}

TEST_CASE("a view is its numbers, whatever its order in memory") {
  const Shape shape{2, 9, 4};
  const Tensor q = random(shape, DType::float64, 2), k = random(shape, DType::float64, 3),
               v = random(shape, DType::float64, 4), g = random(shape, DType::float64, 5);
  const Tensor mask = mask_of(9, 9, [](Size i, Size j) { return (i + j) % 3 != 0; });
  const Blockwise how{scale, mask, true, 4};
  const Found expected = blockwise(g, q, k, v, how);
  const std::vector<View> of_q = views_of(q), of_k = views_of(k), of_v = views_of(v), of_g = views_of(g),
                          of_mask = views_of(mask);
  for (std::size_t i = 0; i < of_q.size(); ++i) {
    INFO(of_q[i].name);
    check_same_bits(blockwise(of_g[i].tensor, of_q[i].tensor, of_k[i].tensor, of_v[i].tensor, how), expected);
  }
  for (const View& view : of_mask) {
    INFO("mask ", view.name);
    check_same_bits(blockwise(g, q, k, v, {scale, view.tensor, true, 4}), expected);
  }
}

TEST_CASE("heads stay where they are in memory: the result and the gradients lie as their operands do") {
  const auto heads = [](std::uint64_t seed) {
    return permute(random({2, 9, 3, 4}, DType::float64, seed), {0, 2, 1, 3});
  };
  const Tensor q = heads(2), k = heads(3), v = heads(4), g = heads(5);
  const Found found = blockwise(g, q, k, v, {scale, {}, false, 4});
  check_same(found, composed(g, q, k, v, scale, {}), 1e-12);
  CHECK(found.y.strides() == q.strides());
  CHECK(found.dq.strides() == q.strides());
  CHECK(found.dk.strides() == k.strides());
  CHECK(found.dv.strides() == v.strides());
}

TEST_CASE("the same bits with two threads, for one matrix and for many") {
  for (const Shape& shape : {Shape{400, 16}, Shape{2, 300, 16}, Shape{3, 2, 150, 16}}) {
    const Tensor q = random(shape, DType::float32, 2), k = random(shape, DType::float32, 3),
                 v = random(shape, DType::float32, 4), g = random(shape, DType::float32, 5);
    for (bool causal : {false, true}) {
      const Blockwise how{scale, {}, causal, 48};
      const Found one = blockwise(g, q, k, v, how);
      set_threads(2);
      const Found two = blockwise(g, q, k, v, how);
      set_threads(1);
      check_same_bits(one, two);
    }
  }
}

TEST_CASE("scores of tens of thousands do not overflow, and the largest may stand in any tile") {
  constexpr double huge = 4e4;
  for (DType dtype : {DType::float32, DType::float64}) {
    const Tensor q = random({30, 5}, dtype, 2), k = random({30, 5}, dtype, 3), v = random({30, 7}, dtype, 4),
                 g = random({30, 7}, dtype, 5);
    const Found expected = composed(g, q, k, v, huge, {});
    for (Size block : {1, 7, 16, 31}) {
      const Found found = blockwise(g, q, k, v, {huge, {}, false, block});
      for (const Tensor& x : {found.y, found.log_sums, found.dq, found.dk, found.dv}) CHECK(kernel::all_finite(x));
      if (dtype == DType::float32) continue;
      const auto unscaled = [&](const Tensor& x) { return kernel::affine(x, 1 / huge, 0); };  // both have the factor
      check_same({found.y, found.log_sums, unscaled(found.dq), unscaled(found.dk), found.dv},
                 {expected.y, expected.log_sums, unscaled(expected.dq), unscaled(expected.dk), expected.dv}, 1e-12);
    }
  }
}

TEST_CASE("what stands in hidden keys and values, NaN and infinities included, reaches nothing") {
  const Tensor q = random({12, 4}, DType::float64, 2), g = random({12, 6}, DType::float64, 5);
  const Tensor clean_k = random({12, 4}, DType::float64, 3), clean_v = random({12, 6}, DType::float64, 4);
  // Keys from 9 on are hidden from all, and key 5 from the first queries (by causality from those before it).
  const Tensor padding = mask_of(1, 12, [](Size, Size j) { return j < 9; });
  const Tensor there = unsqueeze(squeeze(padding, {0}), 1);
  for (Size block : {1, 4, 5, 12, 13}) {
    const Blockwise how{scale, padding, true, block};
    const Found expected = blockwise(g, q, clean_k, clean_v, how);
    for (double filler : {not_a_number, infinity, -infinity, 1e300}) {
      const Tensor other = Tensor::full({}, filler, DType::float64);
      const Found found =
          blockwise(g, q, kernel::where(there, clean_k, other), kernel::where(there, clean_v, other), how);
      check_same_bits(found, expected);
    }
  }
}

TEST_CASE("a key or value that is not finite makes NaN of those who may see it, and of no other") {
  const Tensor q = random({8, 3}, DType::float64, 2), k = random({8, 3}, DType::float64, 3),
               v = random({8, 2}, DType::float64, 4), g = random({8, 2}, DType::float64, 5);
  const Tensor fifth = mask_of(8, 1, [](Size j, Size) { return j == 5; });
  const Tensor nan = Tensor::full({}, not_a_number, DType::float64);
  for (Size block : {1, 3, 8}) {
    const Blockwise how{scale, {}, true, block};
    const Found clean = blockwise(g, q, k, v, how);
    for (bool in_key : {false, true}) {
      const Found found =
          blockwise(g, q, in_key ? kernel::where(fifth, nan, k) : k, in_key ? v : kernel::where(fifth, nan, v), how);
      CHECK(same_bits(slice(found.y, 0, 0, 5), slice(clean.y, 0, 0, 5)));
      CHECK(same_bits(slice(found.dq, 0, 0, 5), slice(clean.dq, 0, 0, 5)));
      for (Size i = 5; i < 8; ++i) CHECK(std::isnan(found.y.at({i, 1})));
      CHECK(std::isnan(found.dk.at({5, 0})));
    }
  }
}

TEST_CASE("a query that is not finite spoils the gradients of the keys that it sees, and of no other") {
  const Tensor k = random({6, 3}, DType::float64, 3), v = random({6, 2}, DType::float64, 4),
               g = random({4, 2}, DType::float64, 5), q = random({4, 3}, DType::float64, 2);
  const Tensor mask = mask_of(4, 6, [](Size i, Size j) { return i == 1 ? j % 2 == 0 : j % 2 == 1; });
  const Tensor second = mask_of(4, 1, [](Size i, Size) { return i == 1; });
  for (Size block : {1, 4, 8}) {
    const Blockwise how{scale, mask, false, block};
    const Found clean = blockwise(g, q, k, v, how);
    const Found found =
        blockwise(g, kernel::where(second, Tensor::full({}, not_a_number, DType::float64), q), k, v, how);
    for (Size j = 0; j < 6; ++j) {
      for (const auto& [now, before] : {std::pair{found.dk, clean.dk}, {found.dv, clean.dv}}) {
        if (j % 2 == 0) CHECK(std::isnan(now.at({j, 0})));
        if (j % 2 == 1) CHECK(same_bits(slice(now, 0, j, 1), slice(before, 0, j, 1)));
      }
    }
  }
}

TEST_CASE("without a mask NaN and −∞ do what they do in softmax") {
  const Tensor q = numbers({1, 1}, {2, 1}), v = numbers({1, 2, 3}, {3, 1}), g = numbers({1, 1}, {2, 1});
  for (Size block : {1, 2, 3}) {
    INFO("block ", block);
    const Blockwise how{1, {}, false, block};
    const Found nan = blockwise(g, q, numbers({-infinity, not_a_number, 0}, {3, 1}), v, how);
    CHECK(std::isnan(nan.y.at({0, 0})));
    const Found first = blockwise(g, q, numbers({-infinity, -1000, -1000}, {3, 1}), v, how);
    check_close(first.y, {2, 1}, {2.5, 2.5}, 1e-15);
    const Found none = blockwise(g, q, numbers({-infinity, -infinity, -infinity}, {3, 1}), v, how);
    CHECK(std::isnan(none.y.at({0, 0})));  // as softmax of a row of −∞: there is no distribution
  }
}

TEST_CASE("a query without any key has the result 0, the logarithm −∞, and all derivatives 0") {
  const Tensor q = random({3, 2}, DType::float64, 2), k = random({2, 2}, DType::float64, 3),
               v = random({2, 2}, DType::float64, 4), g = random({3, 2}, DType::float64, 5);
  const Found found = blockwise(g, q, k, v, {scale, mask_of(3, 1, [](Size, Size) { return false; }), false, 2});
  check_close(found.y, {3, 2}, std::vector<double>(6, 0), 0);
  check_close(found.log_sums, {3}, {-infinity, -infinity, -infinity}, 0);
  check_close(found.dq, {3, 2}, std::vector<double>(6, 0), 0);
  check_close(found.dk, {2, 2}, std::vector<double>(4, 0), 0);
  check_close(found.dv, {2, 2}, std::vector<double>(4, 0), 0);
}

TEST_CASE("8192 queries and keys of width 64 need at most 16 MiB beyond what goes in and comes out") {
  const Shape shape{8192, 64};
  const Tensor q = random(shape, DType::float32, 2), k = random(shape, DType::float32, 3),
               v = random(shape, DType::float32, 4), g = random(shape, DType::float32, 5);
  const auto before = live().bytes;
  reset_peak();
  const Found found = blockwise(g, q, k, v, {0.125, {}, true});
  CHECK(live().peak_bytes - before <= (16 + 4 * 2) * 1024 * 1024);  // the result and three gradients have 2 MiB each
  CHECK(kernel::all_finite(found.dq));
}

TEST_CASE("the cost of causal attention is that of the tiles it looks at") {
  const Tensor x = random({4, 3}, DType::float64, 2);
  const auto multiplications = [&](bool causal, Size block) {
    CostCounter counter;
    blockwise(x, x, x, x, {scale, {}, causal, block});
    return std::pair<Size, Size>{counter.per_op().at("blockwise_attention").multiplications,
                                 counter.per_op().at("blockwise_attention_backward").multiplications};
  };
  CHECK(multiplications(false, 2) == std::pair<Size, Size>{16 * 7, 16 * 16});
  CHECK(multiplications(true, 2) == std::pair<Size, Size>{12 * 7, 12 * 16});
  CHECK(multiplications(true, 1) == std::pair<Size, Size>{10 * 7, 10 * 16});
}

TEST_CASE("operands that do not fit are refused, with their shapes") {
  const auto call = [](const Shape& q, const Shape& k, const Shape& v, const Blockwise& how = {}) {
    kernel::blockwise_attention(random(q), random(k), random(v), how);
  };
  const std::string op = "blockwise_attention: ";
  check_throws_with([&] { call({3}, {4, 3}, {4, 2}); }, {op, "[3]", "[4, 3]", "[4, 2]"});
  check_throws_with([&] { call({2, 3}, {4, 5}, {4, 2}); }, {op, "[2, 3]", "[4, 5]"});
  check_throws_with([&] { call({2, 3}, {4, 3}, {5, 2}); }, {op, "[4, 3]", "[5, 2]"});
  check_throws_with([&] { call({2, 2, 3}, {3, 4, 3}, {4, 2}); }, {"blockwise_attention", "[2]", "[3]"});
  check_throws_with([&] { call({2, 3}, {4, 3}, {4, 2}, {1, {}, false, 0}); }, {op, "blocks of 0"});
  check_throws_with([&] { call({2, 3}, {4, 3}, {4, 2}, {1, random({2, 4}), false}); }, {op, "float64", "bool"});
  const Tensor wrong = Tensor::ones({3, 4}, DType::boolean), wide = Tensor::ones({5, 2, 4}, DType::boolean);
  check_throws_with([&] { call({2, 3}, {4, 3}, {4, 2}, {1, wide, false}); }, {op, "[5, 2, 4]", "[2, 4]"});
  check_throws_with(
      [&] {
        call({2, 3}, {4, 3}, {4, 2}, {1, wrong, false});
      },
      {"blockwise_attention", "[3, 4]", "[2, 4]"});
  check_throws_with(
      [&] {
        kernel::blockwise_attention(random({2, 3}), random({4, 3}, DType::float32), random({4, 2}), {});
      },
      {op, "float64", "float32"});
}
