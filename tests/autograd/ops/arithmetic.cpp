#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "autograd/ops.hpp"
#include "tests/support/op_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

const Domain positive = between(0.5, 2), nonzero = away_from({0}, -2, 2, 0.5);

Oracle plus() {
  return pairs([](double a, double b) { return a + b; });
}
Oracle minus() {
  return pairs([](double a, double b) { return a - b; });
}
Oracle times() {
  return pairs([](double a, double b) { return a * b; });
}
Oracle over() {
  return pairs([](double a, double b) { return a / b; });
}
Oracle power() {
  return pairs([](double a, double b) { return std::pow(a, b); });
}
Oracle larger() {
  return pairs([](double a, double b) { return std::max(a, b); });
}
Oracle smaller() {
  return pairs([](double a, double b) { return std::min(a, b); });
}

Var add(const Vars& x) { return x[0] + x[1]; }
Var sub(const Vars& x) { return x[0] - x[1]; }
Var mul(const Vars& x) { return x[0] * x[1]; }
Var div(const Vars& x) { return x[0] / x[1]; }
Var pow_of(const Vars& x) { return pow(x[0], x[1]); }
Var max_of(const Vars& x) { return maximum(x[0], x[1]); }
Var min_of(const Vars& x) { return minimum(x[0], x[1]); }

const std::vector<Row> rows = {
    {"operator+(Var, Var)", "", add, plus(), {{{2, 3}}, {{2, 3}}}},
    {"operator+(Var, Var)", "a row", add, plus(), {{{3, 4}}, {{4}}}},
    {"operator+(Var, Var)", "a column first", add, plus(), {{{3, 1}}, {{3, 4}}}},
    {"operator+(Var, Var)", "both widened", add, plus(), {{{2, 1, 4}}, {{3, 1}}}},
    {"operator+(Var, Var)", "a number", add, plus(), {{{}}, {{2, 3}}}},
    {"operator+(Var, Var)", "one element", add, plus(), {{{2, 3}}, {{1, 1}}}},
    {"operator+(Var, Var)", "an empty axis", add, plus(), {{{2, 0, 3}}, {{3}}}},
    {"operator+(Var, Var)", "an empty axis against one of size 1", add, plus(), {{{2, 0}}, {{2, 1}}}},
    {"operator+(Var, Var)",
     "both the same",
     [](const Vars& x) { return x[0] + x[0]; },
     [](const std::vector<Numbers>& x) {
       return plus()({x[0], x[0]});
     },
     {{{2, 3}}}},

    {"operator-(Var, Var)", "", sub, minus(), {{{2, 3}}, {{2, 3}}}},
    {"operator-(Var, Var)", "a row first", sub, minus(), {{{4}}, {{3, 4}}}},
    {"operator-(Var, Var)", "a column", sub, minus(), {{{3, 4}}, {{3, 1}}}},
    {"operator-(Var, Var)", "an empty axis", sub, minus(), {{{0, 3}}, {{1, 3}}}},

    {"operator*(Var, Var)", "", mul, times(), {{{2, 3}}, {{2, 3}}}},
    {"operator*(Var, Var)", "a row", mul, times(), {{{3, 4}}, {{4}}}},
    {"operator*(Var, Var)", "a column first", mul, times(), {{{3, 1}}, {{3, 4}}}},
    {"operator*(Var, Var)", "both widened", mul, times(), {{{2, 1, 4}}, {{3, 1}}}},
    {"operator*(Var, Var)", "a number", mul, times(), {{{2, 3}}, {{}}}},
    {"operator*(Var, Var)", "an empty axis", mul, times(), {{{2, 0, 3}}, {{2, 1, 1}}}},
    {"operator*(Var, Var)",
     "a square",
     [](const Vars& x) { return x[0] * x[0]; },
     [](const std::vector<Numbers>& x) {
       return times()({x[0], x[0]});
     },
     {{{2, 3}}}},

    {"operator/(Var, Var)", "", div, over(), {{{2, 3}}, {{2, 3}, nonzero}}},
    {"operator/(Var, Var)", "a row", div, over(), {{{3, 4}}, {{4}, nonzero}}},
    {"operator/(Var, Var)", "a column first", div, over(), {{{3, 1}}, {{3, 4}, nonzero}}},
    {"operator/(Var, Var)", "a number first", div, over(), {{{}}, {{2, 3}, nonzero}}},
    {"operator/(Var, Var)", "an empty axis", div, over(), {{{2, 0}}, {{}, nonzero}}},
    {"operator/(Var, Var)",
     "both the same",
     [](const Vars& x) { return x[0] / (x[0] * x[0] * x[0]); },
     [](const std::vector<Numbers>& x) { return each([](double a) { return a / (a * a * a); })(x); },
     {{{2, 3}, nonzero}}},

    {"operator+(Var, double)",
     "",
     [](const Vars& x) { return x[0] + 1.5; },
     each([](double x) { return x + 1.5; }),
     {{{2, 3}}}},
    {"operator+(double, Var)",
     "",
     [](const Vars& x) { return 1.5 + x[0]; },
     each([](double x) { return 1.5 + x; }),
     {{{2, 3}}}},
    {"operator-(Var, double)",
     "",
     [](const Vars& x) { return x[0] - 1.5; },
     each([](double x) { return x - 1.5; }),
     {{{2, 3}}}},
    {"operator-(double, Var)",
     "",
     [](const Vars& x) { return 1.5 - x[0]; },
     each([](double x) { return 1.5 - x; }),
     {{{2, 3}}}},
    {"operator*(Var, double)",
     "",
     [](const Vars& x) { return x[0] * -2.5; },
     each([](double x) { return x * -2.5; }),
     {{{2, 3}}}},
    {"operator*(double, Var)",
     "",
     [](const Vars& x) { return -2.5 * x[0]; },
     each([](double x) { return -2.5 * x; }),
     {{{2, 3}}}},
    {"operator/(Var, double)",
     "",
     [](const Vars& x) { return x[0] / 3.0; },
     each([](double x) { return x / 3.0; }),
     {{{2, 3}}}},
    {"operator/(double, Var)",
     "",
     [](const Vars& x) { return 3.0 / x[0]; },
     each([](double x) { return 3.0 / x; }),
     {{{2, 3}, nonzero}}},
    {"operator-(Var)", "", [](const Vars& x) { return -x[0]; }, each([](double x) { return -x; }), {{{2, 3}}}},
    {"operator-(Var)",
     "an empty axis",
     [](const Vars& x) { return -x[0]; },
     each([](double x) { return -x; }),
     {{{2, 0}}}},

    {"pow(Var, double)",
     "a whole exponent and numbers of both signs",
     [](const Vars& x) { return pow(x[0], 3); },
     each([](double x) { return x * x * x; }),
     {{{2, 3}}}},
    {"pow(Var, double)",
     "a square",
     [](const Vars& x) { return pow(x[0], 2); },
     each([](double x) { return x * x; }),
     {{{2, 3}}}},
    {"pow(Var, double)",
     "a fraction",
     [](const Vars& x) { return pow(x[0], 0.3); },
     each([](double x) { return std::pow(x, 0.3); }),
     {{{2, 3}, positive}}},
    {"pow(Var, double)",
     "a negative exponent",
     [](const Vars& x) { return pow(x[0], -2); },
     each([](double x) { return 1 / (x * x); }),
     {{{2, 3}, nonzero}}},
    {"pow(Var, double)",
     "exponent 1",
     [](const Vars& x) { return pow(x[0], 1); },
     each([](double x) { return x; }),
     {{{2, 3}}}},
    {"pow(Var, double)",
     "exponent 0",
     [](const Vars& x) { return pow(x[0], 0); },
     each([](double) { return 1.0; }),
     {{{2, 3}}}},

    {"pow(Var, Var)", "", pow_of, power(), {{{2, 3}, positive}, {{2, 3}}}},
    {"pow(Var, Var)", "a row of exponents", pow_of, power(), {{{3, 4}, positive}, {{4}}}},
    {"pow(Var, Var)", "a column of bases", pow_of, power(), {{{3, 1}, positive}, {{3, 4}}}},
    {"pow(Var, Var)", "a number for all", pow_of, power(), {{{}, positive}, {{2, 3}}}},
    {"pow(Var, Var)", "an empty axis", pow_of, power(), {{{2, 0}, positive}, {{}}}},

    {"maximum(Var, Var)", "", max_of, larger(), {{{2, 3}, apart()}, {{2, 3}, apart(0.125)}}},
    {"maximum(Var, Var)", "a row", max_of, larger(), {{{3, 4}, apart()}, {{4}, apart(0.125)}}},
    {"maximum(Var, Var)", "a number first", max_of, larger(), {{{}, apart()}, {{2, 3}, apart(0.125)}}},
    {"maximum(Var, Var)", "an empty axis", max_of, larger(), {{{2, 0}}, {{2, 1}}}},
    {"minimum(Var, Var)", "", min_of, smaller(), {{{2, 3}, apart()}, {{2, 3}, apart(0.125)}}},
    {"minimum(Var, Var)", "a column", min_of, smaller(), {{{3, 4}, apart()}, {{3, 1}, apart(0.125)}}},
    {"minimum(Var, Var)", "both widened", min_of, smaller(), {{{2, 1, 4}, apart()}, {{3, 1}, apart(0.125)}}},
};

}  // namespace

TEST_CASE("every row of ops/arithmetic.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/arithmetic.cpp has a row") { check_complete("ops/arithmetic.cpp", rows); }
