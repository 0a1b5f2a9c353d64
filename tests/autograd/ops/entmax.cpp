#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/op_table.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

using Line = std::vector<double>;
using Allowed = std::vector<bool>;

double sum_over(const Line& x, const Allowed& in) {
  double total = 0;
  for (std::size_t i = 0; i < x.size(); ++i) total += in[i] ? x[i] : 0;
  return total;
}

// The projection to the simplex by trying every support: the right one is above its own threshold, and alone so.
Line projected(const Line& x, const Allowed& allowed) {
  const std::size_t n = x.size();
  for (std::size_t bits = 1; bits < (std::size_t{1} << n); ++bits) {
    Allowed in(n);
    double size = 0;
    for (std::size_t i = 0; i < n; ++i) in[i] = bits >> i & 1, size += in[i];
    const double threshold = (sum_over(x, in) - 1) / size;
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) {
      right = right && (in[i] ? allowed[i] && x[i] > threshold : !allowed[i] || x[i] <= threshold);
    }
    Line y(n);
    for (std::size_t i = 0; i < n; ++i) y[i] = in[i] ? x[i] - threshold : 0;
    if (right) return y;
  }
  return Line(n);
}

// alpha-entmax by halving an interval that holds the threshold 200 times.
Line bent(const Line& x, const Allowed& allowed, double alpha) {
  Line y(x.size());
  double low = -100, high = 100;
  for (int step = 0; step < 200; ++step) {
    const double threshold = (low + high) / 2;
    double total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double above = (alpha - 1) * x[i] - threshold;
      y[i] = allowed[i] && above > 0 ? std::pow(above, 1 / (alpha - 1)) : 0;
      total += y[i];
    }
    (total > 1 ? low : high) = threshold;
  }
  return y;
}

// A mask for scores [2, 3, 4]: one row allows all, one a single element, one none.
const std::vector<bool> flags = {true,  true, true,  true, false, false, true,  false, false, false, false, false,
                                 false, true, false, true, true,  true,  false, true,  false, true,  true,  true};
const Tensor mask = Tensor::from_bools(flags, {2, 3, 4});

Oracle all_allowed(const std::function<Line(const Line&, const Allowed&)>& f) {
  return along(-1, [f](const Line& x) { return f(x, Allowed(x.size(), true)); });
}

Oracle masked(const std::function<Line(const Line&, const Allowed&)>& f) {
  return [f](const std::vector<Numbers>& x) {
    return build(x[0].shape, [&](const Sizes& i) {
      Line line;
      Allowed allowed;
      for (Size k = 0; k < 4; ++k) {
        line.push_back(x[0].at({i[0], i[1], k}));
        allowed.push_back(flags[static_cast<std::size_t>((i[0] * 3 + i[1]) * 4 + k)]);
      }
      return f(line, allowed)[static_cast<std::size_t>(i[2])];
    });
  };
}

std::function<Line(const Line&, const Allowed&)> bent_by(double alpha) {
  return [alpha](const Line& x, const Allowed& allowed) { return bent(x, allowed, alpha); };
}
std::function<Var(const Vars&)> entmax_of(double alpha) {
  return [alpha](const Vars& x) { return entmax(x[0], alpha); };
}
std::function<Var(const Vars&)> masked_entmax_of(double alpha) {
  return [alpha](const Vars& x) { return masked_entmax(x[0], mask, alpha); };
}
Var sparsemax_of(const Vars& x) { return sparsemax(x[0]); }

const std::vector<Row> rows = {
    {"sparsemax(Var)", "", sparsemax_of, all_allowed(projected), {{{2, 3, 5}}}},
    {"sparsemax(Var)", "all in the support", sparsemax_of, all_allowed(projected), {{{3, 4}, between(0, 0.2)}}},
    {"sparsemax(Var)", "one element", sparsemax_of, all_allowed(projected), {{{3, 1}}}, true},
    {"sparsemax(Var)", "rows without elements", sparsemax_of, all_allowed(projected), {{{2, 0}}}},
    {"sparsemax(Var)", "no rows", sparsemax_of, all_allowed(projected), {{{0, 3}}}},
    {"masked_sparsemax(Var, Tensor)",
     "rows that allow all, some and none",
     [](const Vars& x) { return masked_sparsemax(x[0], mask); },
     masked(projected),
     {{{2, 3, 4}}}},
    {"entmax(Var, double)", "1.5", entmax_of(1.5), all_allowed(bent_by(1.5)), {{{2, 3, 5}}}},
    {"entmax(Var, double)", "1.3", entmax_of(1.3), all_allowed(bent_by(1.3)), {{{2, 7}}}},
    {"entmax(Var, double)", "2", entmax_of(2), all_allowed(projected), {{{2, 5}}}},
    {"entmax(Var, double)", "2.5", entmax_of(2.5), all_allowed(bent_by(2.5)), {{{2, 3}, between(0, 0.05)}}},
    {"entmax(Var, double)",
     "1 is softmax",
     entmax_of(1),
     along(-1,
           [](const Line& x) {
             Line y;
             double total = 0;
             for (double value : x) total += std::exp(value);
             for (double value : x) y.push_back(std::exp(value) / total);
             return y;
           }),
     {{{2, 5}}}},
    {"entmax(Var, double)", "one element", entmax_of(1.5), all_allowed(bent_by(1.5)), {{{3, 1}}}, true},
    {"entmax(Var, double)", "rows without elements", entmax_of(1.5), all_allowed(bent_by(1.5)), {{{2, 0}}}},
    {"masked_entmax(Var, Tensor, double)",
     "rows that allow all, some and none",
     masked_entmax_of(1.5),
     masked(bent_by(1.5)),
     {{{2, 3, 4}}}},
};

}  // namespace

TEST_CASE("every row of ops/entmax.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/entmax.cpp has a row") { check_complete("ops/entmax.cpp", rows); }

TEST_CASE("a mask of sparsemax and entmax hides NaN, in values and derivatives, and alpha 1 is masked softmax") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor allowed = Tensor::from_bools({true, false, true}, {3});
  const Var x = Var::parameter(numbers({0.3, nan, 0.1}, {3})), clean = Var::parameter(numbers({0.3, 7, 0.1}, {3}));
  const Tensor g = numbers({1, nan, -2}, {3}), clean_g = numbers({1, 0, -2}, {3});
  for (double alpha : {1.0, 1.5, 2.0}) {
    CAPTURE(alpha);
    const Var y = masked_entmax(x, allowed, alpha), expected = masked_entmax(clean, allowed, alpha);
    check_agree(y, expected, 0);
    check_agree(grad(y, {x}, g)[0], grad(expected, {clean}, clean_g)[0], 0);
  }
  check_agree(masked_entmax(x, allowed, 1), masked_softmax(x, allowed), 0);
}

TEST_CASE("entmax of numbers that are not finite: −∞ has no part, a row of −∞ is 0, NaN and ∞ are not hidden") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (double alpha : {1.5, 2.0}) {
    CAPTURE(alpha);
    check_close(entmax(Var(numbers({0, -inf, 0}, {3})), alpha), {3}, {0.5, 0, 0.5}, 1e-16);
    check_close(entmax(Var(numbers({-inf, -inf}, {2})), alpha), {2}, {0, 0}, 0);
    for (double bad : {nan, inf}) {
      const Tensor y = entmax(Var(numbers({0, bad, 1}, {3})), alpha).value();
      CHECK_FALSE(kernel::any(kernel::is_finite(y)));
    }
  }
}

TEST_CASE("as with softmax, the derivative of a row with a NaN is NaN, and that of the other rows is not") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (double alpha : {1.0, 1.5, 2.0}) {
    CAPTURE(alpha);
    const Var x = Var::parameter(numbers({0.3, nan, 0.1, 0.3, 0.2, 0.1}, {2, 3}));
    const Tensor g = grad(entmax(x, alpha), {x}, Var(numbers({1, 2, 3, 1, 2, 3}, {2, 3})))[0].value();
    CHECK_FALSE(kernel::any(kernel::is_finite(slice(g, 0, 0, 1))));
    CHECK(kernel::all_finite(slice(g, 0, 1, 1)));
  }
}

TEST_CASE("entmax is not moved by a constant, holds large scores, and a row of equal scores shares evenly") {
  const Var x = random({4, 6});
  for (double alpha : {1.2, 1.5, 2.0, 4.0}) {
    CAPTURE(alpha);
    check_agree(entmax(x + 100.0, alpha), entmax(x, alpha), 1e-12);
    check_close(entmax(Var(numbers({1e300, 1e300, -1e300}, {3})), alpha), {3}, {0.5, 0.5, 0}, 1e-15);
    check_close(entmax(Var(Tensor::zeros({5}, DType::float64)), alpha), {5}, Line(5, 0.2), 1e-15);
  }
}

TEST_CASE("entmax refuses alpha below 1, whole numbers, no axis, and masks that do not fit") {
  const Var x = random({2, 3});
  check_throws_with([&] { entmax(x, 0.5); }, {"entmax", "alpha 0.5"});
  check_throws_with([&] { entmax(x, std::numeric_limits<double>::quiet_NaN()); }, {"entmax", "alpha"});
  check_throws_with([&] { entmax(x, std::numeric_limits<double>::infinity()); }, {"entmax", "alpha"});
  check_throws_with([&] { sparsemax(Var(Tensor::arange(3))); }, {"entmax", "int64"});
  check_throws_with([&] { sparsemax(Var(numbers({1}, {}))); }, {"entmax", "[]"});
  check_throws_with(
      [&] {
        masked_sparsemax(x, Tensor::ones({2, 2, 3}, DType::boolean));
      },
      {"masked_sparsemax", "[2, 2, 3]", "[2, 3]"});
  check_throws_with([&] { masked_entmax(x, Tensor::ones({4}, DType::boolean), 1.5); },
                    {"masked_entmax", "[4]", "[2, 3]"});
}
