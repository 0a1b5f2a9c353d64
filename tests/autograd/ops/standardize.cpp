#include <doctest/doctest.h>

#include <cmath>

#include "autograd/ops.hpp"
#include "tests/support/op_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr double epsilon = 0.1;

std::vector<double> standardized(const std::vector<double>& x) {
  const double n = static_cast<double>(x.size());
  double mean = 0, variance = 0;
  for (double value : x) mean += value / n;
  for (double value : x) variance += (value - mean) * (value - mean) / n;
  std::vector<double> y;
  for (double value : x) y.push_back((value - mean) / std::sqrt(variance + epsilon));
  return y;
}

Var standardize_of(const Vars& x) { return standardize(x[0], epsilon); }

const std::string op = "standardize(Var, double)";

const std::vector<Row> rows = {
    {op, "", standardize_of, along(-1, standardized), {{{2, 3, 5}}}},
    {op, "one axis", standardize_of, along(-1, standardized), {{{4}}}},
    {op, "longer than a vector register", standardize_of, along(-1, standardized), {{{2, 19}}}},
    {op, "one element", standardize_of, along(-1, standardized), {{{3, 1}}}, true},
    {op, "no rows", standardize_of, along(-1, standardized), {{{0, 3}}}},
};

}  // namespace

TEST_CASE("every row of ops/standardize.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/standardize.cpp has a row") { check_complete("ops/standardize.cpp", rows); }
