// The table of layers: what must hold for every row alike. A program of tests has its rows and one case for each of
// these.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>

#include "autograd/gradcheck.hpp"
#include "tests/nn/layers.hpp"

namespace attend::test {

inline Vars as_parameters(const std::vector<Tensor>& values) {
  Vars vars;
  for (const Tensor& value : values) vars.push_back(Var::parameter(value));
  return vars;
}

/// Numbers that differ by 0.1 at least, so that no step of a difference quotient changes which one is the largest.
inline Tensor apart(const Shape& shape) {
  Rng rng(5);
  std::vector<double> values;
  for (Size i : rng.permutation(element_count(shape))) values.push_back(0.1 * static_cast<double>(i) - 2);
  return numbers(values, shape);
}

/// The largest error of a row at each order.
struct Errors {
  std::string name;
  double order[3] = {};
  double worst() const { return std::max(order[1], order[2]); }
};

inline void print_worst_first(std::vector<Errors> all) {
  std::stable_sort(all.begin(), all.end(), [](const Errors& a, const Errors& b) { return a.worst() > b.worst(); });
  std::printf("  order 1   order 2   errors of the derivatives, worst first\n");
  for (const Errors& errors : all) {
    std::printf("  %.1e   %.1e   %s\n", errors.order[1], errors.order[2], errors.name.c_str());
  }
}

/// The derivatives agree with difference quotients to order 2.
inline void check_derivatives(const std::vector<LayerRow>& rows) {
  std::vector<Errors> all;
  for (const LayerRow& row : rows) {
    CAPTURE(row.name);
    GradcheckOptions options;
    options.most_elements = 8;  // of each input and parameter, drawn at random: whole layers take their time
    const GradcheckReport report = gradcheck(row.name, row.f, row.inputs, options);
    CHECK_MESSAGE(report.passed(), report.text());
    Errors errors{row.name, {}};
    for (const GradcheckInput& input : report.inputs) {
      errors.order[input.order] = std::max(errors.order[input.order], input.error);
    }
    all.push_back(errors);
  }
  print_worst_first(all);
}

/// The layer visits every parameter that its output depends on, and no other.
inline void check_visits(const std::vector<LayerRow>& rows) {
  for (const LayerRow& row : rows) {
    CAPTURE(row.name);
    const Vars xs = as_parameters(row.inputs);
    const std::set<const Node*> leaves = leaves_of(row.f(xs));
    CHECK(leaves.size() == xs.size());  // a leaf beside inputs and parameters would be one that is not visited
    for (std::size_t i = 0; i < xs.size(); ++i) {
      CAPTURE(row.input_names[i]);
      CHECK(leaves.count(xs[i].node().get()) == 1);
    }
  }
}

/// Nothing stays alive, with and without a backward pass, to order 2.
inline void check_nothing_alive(const std::vector<LayerRow>& rows) {
  for (const LayerRow& row : rows) {
    CAPTURE(row.name);
    const Counts before;
    { row.f(as_parameters(row.inputs)); }
    check_nothing_left(before);
    {
      const Vars xs = as_parameters(row.inputs);
      random_gradients(row.f(xs), xs);
    }
    check_nothing_left(before);
    {
      const Vars xs = as_parameters(row.inputs);
      const Var y = row.f(xs);
      const Vars first = grad(y, xs, Var(random(y.shape())), true);
      grad(sum(first[0] * first[0]), xs);
    }
    check_nothing_left(before);
  }
}

/// The layer gives the same in float32 as in float64, as far as float32 reaches.
inline void check_narrow(const std::vector<LayerRow>& rows, double tolerance = 2e-6) {
  for (const LayerRow& row : rows) {
    CAPTURE(row.name);
    Vars wide, narrow;
    for (const Tensor& x : row.inputs) {
      wide.push_back(Var(x));
      narrow.push_back(cast(Var(x), DType::float32));
    }
    const Var y = row.f(narrow);
    CHECK(y.dtype() == DType::float32);
    check_agree(y, row.f(wide), tolerance, tolerance);
  }
}

/// Constants in the place of inputs and parameters leave no history.
inline void check_constants(const std::vector<LayerRow>& rows) {
  for (const LayerRow& row : rows) {
    CAPTURE(row.name);
    const Vars constants(row.inputs.begin(), row.inputs.end());
    CHECK_FALSE(row.f(constants).needs_grad());
  }
}

}  // namespace attend::test
