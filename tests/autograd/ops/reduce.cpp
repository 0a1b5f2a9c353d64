#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "autograd/ops.hpp"
#include "tests/support/op_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

using List = std::vector<double>;

double total(const List& x) {
  double out = 0;
  for (double value : x) out += value;
  return out;
}
double average(const List& x) { return total(x) / static_cast<double>(x.size()); }
double squares(const List& x) {
  double out = 0;
  for (double value : x) out += value * value;
  return out;
}
double spread_of(const List& x, double correction) {
  double out = 0;
  for (double value : x) out += std::pow(value - average(x), 2);
  return out / (static_cast<double>(x.size()) - correction);
}
double product(const List& x) {
  double out = 1;
  for (double value : x) out *= value;
  return out;
}
double largest(const List& x) { return *std::max_element(x.begin(), x.end()); }
double smallest(const List& x) { return *std::min_element(x.begin(), x.end()); }
double log_sum_exp(const List& x) {
  double out = 0;
  for (double value : x) out += std::exp(value);
  return std::log(out);
}
double length(const List& x) { return std::sqrt(squares(x)); }
double biased(const List& x) { return spread_of(x, 0); }
double unbiased(const List& x) { return spread_of(x, 1); }
List running(const List& x) {
  List out;
  double sum_so_far = 0;
  for (double value : x) out.push_back(sum_so_far += value);
  return out;
}

// An op with axes and keep_dims as the table calls it.
using Reduction = Var (*)(const Var&, const Axes&, bool);
std::function<Var(const Vars&)> over(Reduction f, const Axes& axes, bool keep_dims) {
  return [=](const Vars& x) { return f(x[0], axes, keep_dims); };
}
Var biased_variance(const Var& x, const Axes& axes, bool keep_dims) { return variance(x, axes, keep_dims); }
Var unbiased_variance(const Var& x, const Axes& axes, bool keep_dims) { return variance(x, axes, keep_dims, 1); }

const Input cube{{2, 3, 4}}, distinct{{2, 3, 4}, apart()};
const auto sum_axes = static_cast<Reduction>(sum), mean_axes = static_cast<Reduction>(mean);

const std::vector<Row> rows = {
    {"sum(Var)", "", [](const Vars& x) { return sum(x[0]); }, reducing({0, 1, 2}, false, total), {cube}},
    {"sum(Var)", "a number", [](const Vars& x) { return sum(x[0]); }, reducing({}, false, total), {{{}}}},
    {"sum(Var, Axes, bool)", "the last axis", over(sum_axes, {-1}, false), reducing({2}, false, total), {cube}},
    {"sum(Var, Axes, bool)", "the first axis, kept", over(sum_axes, {0}, true), reducing({0}, true, total), {cube}},
    {"sum(Var, Axes, bool)", "a middle axis", over(sum_axes, {1}, false), reducing({1}, false, total), {cube}},
    {"sum(Var, Axes, bool)",
     "two axes, unsorted",
     over(sum_axes, {2, 0}, false),
     reducing({0, 2}, false, total),
     {cube}},
    {"sum(Var, Axes, bool)", "no axes", over(sum_axes, {}, false), reducing({}, false, total), {cube}},
    {"sum(Var, Axes, bool)",
     "an axis of size 1",
     over(sum_axes, {1}, false),
     reducing({1}, false, total),
     {{{3, 1, 2}}}},
    {"sum(Var, Axes, bool)", "over nothing", over(sum_axes, {1}, false), reducing({1}, false, total), {{{3, 0}}}},
    {"sum(Var, Axes, bool)", "of nothing", over(sum_axes, {1}, true), reducing({1}, true, total), {{{0, 3}}}},

    {"mean(Var)", "", [](const Vars& x) { return mean(x[0]); }, reducing({0, 1, 2}, false, average), {cube}},
    {"mean(Var, Axes, bool)", "", over(mean_axes, {1, -1}, false), reducing({1, 2}, false, average), {cube}},
    {"mean(Var, Axes, bool)", "kept", over(mean_axes, {0}, true), reducing({0}, true, average), {cube}},

    {"variance(Var, Axes, bool, Size)", "", over(biased_variance, {-1}, false), reducing({2}, false, biased), {cube}},
    {"variance(Var, Axes, bool, Size)",
     "correction 1, two axes, kept",
     over(unbiased_variance, {0, 2}, true),
     reducing({0, 2}, true, unbiased),
     {cube}},

    {"max(Var, Axes, bool)", "", over(max, {-1}, false), reducing({2}, false, largest), {distinct}},
    {"max(Var, Axes, bool)", "the first axis, kept", over(max, {0}, true), reducing({0}, true, largest), {distinct}},
    {"max(Var, Axes, bool)", "two axes", over(max, {0, 2}, false), reducing({0, 2}, false, largest), {distinct}},
    {"max(Var, Axes, bool)", "long rows", over(max, {1}, false), reducing({1}, false, largest), {{{2, 37}, apart()}}},
    {"max(Var, Axes, bool)", "no rows", over(max, {1}, false), reducing({1}, false, largest), {{{0, 3}}}},
    {"min(Var, Axes, bool)", "", over(min, {-1}, false), reducing({2}, false, smallest), {distinct}},
    {"min(Var, Axes, bool)", "a middle axis, kept", over(min, {1}, true), reducing({1}, true, smallest), {distinct}},
    {"min(Var, Axes, bool)", "all axes", over(min, {0, 1, 2}, false), reducing({0, 1, 2}, false, smallest), {distinct}},

    {"prod(Var, Axes, bool)", "an even count", over(prod, {2}, false), reducing({2}, false, product), {cube}},
    {"prod(Var, Axes, bool)", "an odd count, kept", over(prod, {1}, true), reducing({1}, true, product), {cube}},
    {"prod(Var, Axes, bool)", "two axes", over(prod, {0, 1}, false), reducing({0, 1}, false, product), {cube}},
    {"prod(Var, Axes, bool)", "one factor", over(prod, {1}, false), reducing({1}, false, product), {{{3, 1}}}},
    {"prod(Var, Axes, bool)", "no factor", over(prod, {1}, true), reducing({1}, true, product), {{{3, 0}}}},

    {"logsumexp(Var, Axes, bool)", "", over(logsumexp, {-1}, false), reducing({2}, false, log_sum_exp), {cube}},
    {"logsumexp(Var, Axes, bool)", "kept", over(logsumexp, {0}, true), reducing({0}, true, log_sum_exp), {cube}},
    {"logsumexp(Var, Axes, bool)",
     "two axes",
     over(logsumexp, {0, 2}, false),
     reducing({0, 2}, false, log_sum_exp),
     {cube}},
    {"logsumexp(Var, Axes, bool)",
     "all axes, kept",
     over(logsumexp, {0, 1, 2}, true),
     reducing({0, 1, 2}, true, log_sum_exp),
     {cube}},
    {"logsumexp(Var, Axes, bool)", "no rows", over(logsumexp, {1}, true), reducing({1}, true, log_sum_exp), {{{0, 3}}}},

    {"norm(Var, Axes, bool)", "", over(norm, {-1}, false), reducing({2}, false, length), {cube}},
    {"norm(Var, Axes, bool)", "kept", over(norm, {1}, true), reducing({1}, true, length), {cube}},
    {"norm(Var, Axes, bool)", "all axes", over(norm, {0, 1, 2}, false), reducing({0, 1, 2}, false, length), {cube}},
    {"norm(Var, Axes, bool)", "no rows", over(norm, {1}, false), reducing({1}, false, length), {{{0, 3}}}},

    {"cumsum(Var, Size)", "", [](const Vars& x) { return cumsum(x[0], -1); }, along(2, running), {cube}},
    {"cumsum(Var, Size)", "the first axis", [](const Vars& x) { return cumsum(x[0], 0); }, along(0, running), {cube}},
    {"cumsum(Var, Size)",
     "an empty axis",
     [](const Vars& x) { return cumsum(x[0], 1); },
     along(1, running),
     {{{2, 0}}}},
};

}  // namespace

TEST_CASE("every row of ops/reduce.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/reduce.cpp has a row") { check_complete("ops/reduce.cpp", rows); }
