#include <doctest/doctest.h>

#include <cmath>

#include "autograd/ops.hpp"
#include "tests/support/op_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

Var exp_of(const Vars& x) { return exp(x[0]); }
Var log_of(const Vars& x) { return log(x[0]); }
Var log1p_of(const Vars& x) { return log1p(x[0]); }
Var expm1_of(const Vars& x) { return expm1(x[0]); }
Var sqrt_of(const Vars& x) { return sqrt(x[0]); }
Var abs_of(const Vars& x) { return abs(x[0]); }
Var sin_of(const Vars& x) { return sin(x[0]); }
Var cos_of(const Vars& x) { return cos(x[0]); }
Var erf_of(const Vars& x) { return erf(x[0]); }

const Domain positive = between(0.5, 3);

const std::vector<Row> rows = {
    {"exp(Var)", "", exp_of, each(std::exp), {{{2, 3, 5}}}},
    {"exp(Var)", "a number", exp_of, each(std::exp), {{{}}}},
    {"exp(Var)", "an empty axis", exp_of, each(std::exp), {{{2, 0, 3}}}},
    {"log(Var)", "", log_of, each(std::log), {{{2, 3}, positive}}},
    {"log(Var)", "numbers near 0", log_of, each(std::log), {{{2, 3}, between(0.3, 0.6)}}},
    {"log1p(Var)", "", log1p_of, each(std::log1p), {{{2, 3}, between(-0.6, 2)}}},
    {"log1p(Var)", "tiny numbers", log1p_of, each(std::log1p), {{{2, 3}, between(-1e-9, 1e-9)}}},
    {"expm1(Var)", "", expm1_of, each(std::expm1), {{{2, 3}}}},
    {"expm1(Var)", "tiny numbers", expm1_of, each(std::expm1), {{{2, 3}, between(-1e-9, 1e-9)}}},
    {"sqrt(Var)", "", sqrt_of, each(std::sqrt), {{{2, 3}, positive}}},
    {"sqrt(Var)", "axes of size 1", sqrt_of, each(std::sqrt), {{{1, 3, 1}, positive}}},
    {"abs(Var)", "", abs_of, each(std::fabs), {{{2, 3, 5}, away_from({0}, -2, 2)}}},
    {"sin(Var)", "", sin_of, each(std::sin), {{{2, 3, 5}, between(-7, 7)}}},
    {"cos(Var)", "", cos_of, each(std::cos), {{{2, 3, 5}, between(-7, 7)}}},
    {"erf(Var)", "", erf_of, each(std::erf), {{{2, 3, 5}}}},
    {"erf(Var)", "an empty axis", erf_of, each(std::erf), {{{0}}}},
};

}  // namespace

TEST_CASE("every row of ops/functions.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/functions.cpp has a row") { check_complete("ops/functions.cpp", rows); }
