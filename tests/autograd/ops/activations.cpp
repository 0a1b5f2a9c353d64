#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "autograd/ops.hpp"
#include "tests/support/op_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

const double pi = std::acos(-1.0);
const Domain off_zero = away_from({0}, -2, 2);

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double positive_part(double x) { return x > 0 ? x : 0; }
double gauss(double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); }
double gauss_by_tanh(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / pi) * (x + 0.044715 * std::pow(x, 3))));
}
double log_one_plus_exp(double x) { return std::log1p(std::exp(x)); }

Var relu_of(const Vars& x) { return relu(x[0]); }
Var clamped(const Vars& x) { return clamp(x[0], -0.5, 1); }

const std::vector<Row> rows = {
    {"tanh(Var)", "", [](const Vars& x) { return tanh(x[0]); }, each(std::tanh), {{{2, 3, 5}}}},
    {"tanh(Var)", "an empty axis", [](const Vars& x) { return tanh(x[0]); }, each(std::tanh), {{{3, 0}}}},
    {"sigmoid(Var)", "", [](const Vars& x) { return sigmoid(x[0]); }, each(logistic), {{{2, 3, 5}, between(-4, 4)}}},
    {"relu(Var)", "", relu_of, each(positive_part), {{{2, 3, 5}, off_zero}}},
    {"relu(Var)", "an empty axis", relu_of, each(positive_part), {{{0, 3}}}},
    {"leaky_relu(Var, double)",
     "",
     [](const Vars& x) { return leaky_relu(x[0]); },
     each([](double x) { return x > 0 ? x : 0.01 * x; }),
     {{{2, 3, 5}, off_zero}}},
    {"leaky_relu(Var, double)",
     "a slope of its own",
     [](const Vars& x) { return leaky_relu(x[0], 0.3); },
     each([](double x) { return x > 0 ? x : 0.3 * x; }),
     {{{2, 3}, off_zero}}},
    {"leaky_relu(Var, double)",
     "slope 0",
     [](const Vars& x) { return leaky_relu(x[0], 0); },
     each(positive_part),
     {{{2, 3}, off_zero}}},
    {"elu(Var, double)",
     "",
     [](const Vars& x) { return elu(x[0]); },
     each([](double x) { return x > 0 ? x : std::expm1(x); }),
     {{{2, 3, 5}, off_zero}}},
    {"elu(Var, double)",
     "an alpha of its own",
     [](const Vars& x) { return elu(x[0], 0.7); },
     each([](double x) { return x > 0 ? x : 0.7 * std::expm1(x); }),
     {{{2, 3}, off_zero}}},
    {"gelu(Var)", "", [](const Vars& x) { return gelu(x[0]); }, each(gauss), {{{2, 3, 5}}}},
    {"gelu_tanh(Var)", "", [](const Vars& x) { return gelu_tanh(x[0]); }, each(gauss_by_tanh), {{{2, 3, 5}}}},
    {"softplus(Var)", "", [](const Vars& x) { return softplus(x[0]); }, each(log_one_plus_exp), {{{2, 3, 5}}}},
    {"clamp(Var, double, double)",
     "",
     clamped,
     each([](double x) { return std::min(1.0, std::max(-0.5, x)); }),
     {{{2, 3, 5}, away_from({-0.5, 1}, -2, 2)}}},
    {"clamp(Var, double, double)",
     "axes of size 1",
     clamped,
     each([](double x) { return std::min(1.0, std::max(-0.5, x)); }),
     {{{1, 17, 1}, away_from({-0.5, 1}, -2, 2)}}},
};

}  // namespace

TEST_CASE("every row of ops/activations.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/activations.cpp has a row") { check_complete("ops/activations.cpp", rows); }
