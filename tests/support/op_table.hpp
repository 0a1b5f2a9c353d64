// The table of ops: a row says what an op is called with and what must come out, and check_rows tries all that must
// hold for every op alike.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "autograd/var.hpp"
#include "tensor/random.hpp"

namespace attend::test {

/// Numbers in plain loops, for the oracles: nothing of the library computes them.
struct Numbers {
  Shape shape;
  std::vector<double> values;  // row-major
  double at(const Sizes& index) const;
};
/// Every element by its index.
Numbers build(const Shape& shape, const std::function<double(const Sizes&)>& element);

using Oracle = std::function<Numbers(const std::vector<Numbers>&)>;
/// f of every element; of every pair of elements, broadcast.
Oracle each(double (*f)(double));
Oracle pairs(const std::function<double(double, double)>& f);
/// A number for all the elements that a result's element is reduced from.
Oracle reducing(const Axes& axes, bool keep_dims, const std::function<double(const std::vector<double>&)>& f);
/// f of every line along one axis, which has as many elements.
Oracle along(Size axis, const std::function<std::vector<double>(const std::vector<double>&)>& f);

/// How the numbers of an input are drawn.
using Domain = std::function<std::vector<double>(Size count, Rng& rng)>;
/// Uniform.
Domain between(double low, double high);
/// Uniform, at least `gap` away from each kink: 100 steps of the difference quotient.
Domain away_from(const std::vector<double>& kinks, double low, double high, double gap = 0.1);
/// All different, at least 0.25 apart, about as many positive as negative; with two inputs, give one the offset 0.125.
Domain apart(double offset = 0);

struct Input {
  Shape shape;
  Domain domain = between(-2, 2);
};

struct Row {
  std::string op;         // its signature in autograd/ops.hpp without the names: "slice(Var, Size, Size, Size, Size)"
  std::string situation;  // what is special about this row; empty for the plain case
  std::function<Var(const Vars&)> f;
  Oracle oracle;
  std::vector<Input> inputs;
  bool constant = false;  // the result does not depend on the numbers: all derivatives must be 0
};

/// For every row: the oracle; gradcheck to order 2, and once more of the gradient, to order 3; the float32 run; views
/// as inputs and cotangents; one input at a time; constants; nothing left alive. Prints the errors of the gradients,
/// worst first.
void check_rows(const std::vector<Row>& rows);

/// Fails unless the ops of a section of autograd/ops.hpp ("ops/shape.cpp") are those that have a row here and those
/// named as tested elsewhere, for they have no derivative.
void check_complete(const std::string& section, const std::vector<Row>& rows,
                    const std::vector<std::string>& without_derivative = {});

/// The names of the sections of autograd/ops.hpp.
std::vector<std::string> sections_of_ops();
/// The signatures of the ops in one of them.
std::vector<std::string> ops_of_section(const std::string& section);

}  // namespace attend::test
