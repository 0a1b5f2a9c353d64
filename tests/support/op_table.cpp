#include "tests/support/op_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <sstream>

#include "autograd/grad.hpp"
#include "autograd/gradcheck.hpp"
#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

namespace attend::test {

// ---- oracles --------------------------------------------------------------------------------------------------------

double Numbers::at(const Sizes& index) const {
  Size place = 0;
  for (Size axis = 0; axis < shape.size(); ++axis) place = place * shape[axis] + index[axis];
  return values.at(static_cast<std::size_t>(place));
}

Numbers build(const Shape& shape, const std::function<double(const Sizes&)>& element) {
  Numbers out{shape, {}};
  Sizes index = Sizes::repeat(shape.size(), 0);
  for (Size left = element_count(shape); left > 0; --left) {
    out.values.push_back(element(index));
    for (Size axis = shape.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return out;
}

namespace {

bool holds(const Axes& axes, Size axis) { return std::find(axes.begin(), axes.end(), axis) != axes.end(); }

// The element that an operand contributes to the element `index` of a broadcast result.
double broadcast_at(const Numbers& x, const Sizes& index) {
  Sizes own;
  const Size lead = index.size() - x.shape.size();
  for (Size axis = 0; axis < x.shape.size(); ++axis) own.push_back(x.shape[axis] == 1 ? 0 : index[lead + axis]);
  return x.at(own);
}

Shape wider(const Shape& a, const Shape& b) {
  Shape out = a.size() >= b.size() ? a : b;
  const Shape& other = a.size() >= b.size() ? b : a;
  const Size lead = out.size() - other.size();
  for (Size axis = 0; axis < other.size(); ++axis) {
    if (out[lead + axis] == 1) out[lead + axis] = other[axis];
  }
  return out;
}

}  // namespace

Oracle each(double (*f)(double)) {
  return
      [f](const std::vector<Numbers>& x) { return build(x[0].shape, [&](const Sizes& i) { return f(x[0].at(i)); }); };
}

Oracle pairs(const std::function<double(double, double)>& f) {
  return [f](const std::vector<Numbers>& x) {
    return build(wider(x[0].shape, x[1].shape),
                 [&](const Sizes& i) { return f(broadcast_at(x[0], i), broadcast_at(x[1], i)); });
  };
}

Oracle reducing(const Axes& axes, bool keep_dims, const std::function<double(const std::vector<double>&)>& f) {
  return [=](const std::vector<Numbers>& inputs) {
    const Numbers& x = inputs[0];
    Shape kept, result;
    for (Size axis = 0; axis < x.shape.size(); ++axis) {
      const bool gone = holds(axes, axis) || holds(axes, axis - x.shape.size());
      kept.push_back(gone ? 1 : x.shape[axis]);
      if (!gone || keep_dims) result.push_back(kept.back());
    }
    std::vector<std::vector<double>> groups(static_cast<std::size_t>(element_count(kept)));
    build(x.shape, [&](const Sizes& i) {
      Size place = 0;
      for (Size axis = 0; axis < kept.size(); ++axis) place = place * kept[axis] + (kept[axis] == 1 ? 0 : i[axis]);
      groups[static_cast<std::size_t>(place)].push_back(x.at(i));
      return 0.0;
    });
    Numbers out{result, {}};
    for (const auto& group : groups) out.values.push_back(f(group));
    return out;
  };
}

Oracle along(Size axis, const std::function<std::vector<double>(const std::vector<double>&)>& f) {
  return [=](const std::vector<Numbers>& inputs) {
    const Numbers& x = inputs[0];
    const Size on = axis < 0 ? axis + x.shape.size() : axis;
    return build(x.shape, [&](const Sizes& i) {
      std::vector<double> line;
      Sizes walk = i;
      for (walk[on] = 0; walk[on] < x.shape[on]; ++walk[on]) line.push_back(x.at(walk));
      return f(line)[static_cast<std::size_t>(i[on])];
    });
  };
}

// ---- domains --------------------------------------------------------------------------------------------------------

Domain between(double low, double high) { return away_from({}, low, high, 0); }

Domain away_from(const std::vector<double>& kinks, double low, double high, double gap) {
  return [=](Size count, Rng& rng) {
    std::vector<double> values;
    while (static_cast<Size>(values.size()) < count) {
      const double x = low + (high - low) * rng.uniform();
      const bool near = std::any_of(kinks.begin(), kinks.end(), [&](double k) { return std::fabs(x - k) < gap; });
      if (!near) values.push_back(x);
    }
    return values;
  };
}

Domain apart(double offset) {
  return [=](Size count, Rng& rng) {
    std::vector<double> values;
    for (std::int64_t i : rng.permutation(count)) {
      values.push_back(0.25 * static_cast<double>(i - count / 2) + 0.0625 + offset);
    }
    return values;
  };
}

// ---- the checks of one row ------------------------------------------------------------------------------------------

namespace {

struct Found {
  std::string name;
  double order1 = 0, order2 = 0, order3 = 0;
  bool checked = false;
};

std::string name_of(const Row& row) { return row.op + (row.situation.empty() ? "" : ", " + row.situation); }

std::vector<Tensor> drawn(const Row& row) {
  Rng rng(7);
  std::vector<Tensor> tensors;
  for (const Input& input : row.inputs) {
    tensors.push_back(numbers(input.domain(element_count(input.shape), rng), input.shape));
  }
  return tensors;
}

Vars parameters(const std::vector<Tensor>& tensors) {
  Vars vars;
  for (const Tensor& tensor : tensors) vars.push_back(Var::parameter(tensor));
  return vars;
}

Vars constants(const std::vector<Tensor>& tensors) { return Vars(tensors.begin(), tensors.end()); }

void check_oracle(const Row& row, const std::vector<Tensor>& inputs) {
  std::vector<Numbers> plain;
  for (const Tensor& input : inputs) plain.push_back({input.shape(), input.to_vector()});
  const Numbers expected = row.oracle(plain);
  const Var y = row.f(constants(inputs));
  check_close(y, expected.shape, expected.values, 1e-12, 1e-12);
  CHECK(y.dtype() == DType::float64);
  CHECK_FALSE(y.needs_grad());
}

double worst_of(const GradcheckReport& report, int order) {
  double worst = 0;
  for (const GradcheckInput& input : report.inputs) {
    if (input.order == order && !(input.error <= worst)) worst = input.error;
  }
  return worst;
}

void check_gradients(const Row& row, const std::vector<Tensor>& inputs, Found& found) {
  const GradcheckReport report = gradcheck(row.op, row.f, inputs);
  if (row.constant) {
    for (const GradcheckInput& input : report.inputs) CHECK_MESSAGE(input.zero, report.text());
    CHECK_MESSAGE(report.worst() <= report.limit, report.text());
  } else {
    CHECK_MESSAGE(report.passed(), report.text());
  }
  found.order1 = worst_of(report, 1);
  found.order2 = worst_of(report, 2);
  found.checked = true;
}

// The gradient of y³ along fixed directions, as a function of the inputs: its second derivatives are third ones. The
// cube makes the cotangent that reaches the op depend on the inputs, as in a deeper network.
std::function<Var(const Vars&)> slope_of(const Row& row, const std::vector<Tensor>& inputs, const Tensor& cotangent) {
  std::vector<Tensor> directions;
  for (const Tensor& input : inputs) directions.push_back(random(input.shape(), DType::float64, 21));
  return [=](const Vars& xs) {
    const Var y = row.f(xs);
    const Vars gradients = grad(y * y * y, xs, Var(cotangent), true);
    Var total = Var(Tensor::zeros({}, DType::float64));
    for (std::size_t i = 0; i < xs.size(); ++i) total = total + sum(gradients[i] * Var(directions[i]));
    return total;
  };
}

// Every op can be differentiated any number of times; three must do. Where a third derivative is small, its error
// counts only if it is more than the rounding of the differences.
void check_third_order(const Row& row, const std::vector<Tensor>& inputs, const Tensor& cotangent, Found& found) {
  const GradcheckReport report = gradcheck(row.op + " at order 3", slope_of(row, inputs, cotangent), inputs);
  for (const GradcheckInput& input : report.inputs) {
    if (input.order == 1 || input.zero || input.too_small) continue;
    const bool right = input.error <= report.limit || std::fabs(input.analytic - input.numeric) <= 1e-9;
    CHECK_MESSAGE(right, report.text());
    found.order3 = std::max(found.order3, input.error);
  }
}

// With nothing in it there is nothing to check but shapes and zeros.
void check_empty(const Vars& gradients) {
  for (const Var& gradient : gradients) {
    for (double value : gradient.value().to_vector()) CHECK(value == 0);
  }
}

void check_float32(const Row& row, const std::vector<Tensor>& inputs, const Var& y, const Vars& gradients,
                   const Tensor& cotangent) {
  std::vector<Tensor> narrow;
  for (const Tensor& input : inputs) narrow.push_back(cast(Var(input), DType::float32).value());
  const Vars xs = parameters(narrow);
  const Var y32 = row.f(xs);
  const Vars gradients32 = grad(y32, xs, cast(Var(cotangent), DType::float32));
  CHECK(y32.dtype() == DType::float32);
  check_agree(y32, y, 3e-5, 3e-5);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    CHECK(gradients32[i].dtype() == DType::float32);
    check_agree(gradients32[i], gradients[i], 3e-4, 3e-4);
  }
}

// Whether the inputs are views of whatever kind, and the cotangent too, the numbers are the same.
void check_views(const Row& row, const std::vector<Tensor>& inputs, const Var& y, const Vars& gradients,
                 const Tensor& cotangent) {
  const std::vector<View> of_cotangent = views_of(cotangent);
  for (std::size_t kind = 0; kind < of_cotangent.size(); ++kind) {
    INFO("inputs are ", of_cotangent[kind].name);
    std::vector<Tensor> views;
    for (const Tensor& input : inputs) views.push_back(views_of(input)[kind].tensor);
    const Vars xs = parameters(views);
    const Var of_views = row.f(xs);
    check_agree(of_views, y, 1e-12, 1e-12);
    const Vars found = grad(of_views, xs, Var(of_cotangent[kind].tensor));
    for (std::size_t i = 0; i < xs.size(); ++i) check_agree(found[i], gradients[i], 1e-12, 1e-12);
  }
}

// An input is kept only if the rule that reads it runs: with one parameter among constants, its gradient is the same.
void check_one_at_a_time(const Row& row, const std::vector<Tensor>& inputs, const Vars& gradients,
                         const Tensor& cotangent) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    INFO("only input ", i, " has a history");
    Vars xs = constants(inputs);
    xs[i] = Var::parameter(inputs[i]);
    const Var y = row.f(xs);
    if (!y.needs_grad()) {
      check_empty({gradients[i]});
      continue;
    }
    check_agree(grad(y, {xs[i]}, Var(cotangent))[0], gradients[i], 1e-12, 1e-12);
  }
}

void check_nothing_is_left(const Row& row, const std::vector<Tensor>& inputs, const Tensor& cotangent) {
  const Counts before;
  { const Var y = row.f(constants(inputs)); }
  INFO("without a history");
  check_nothing_left(before);
  {
    const Vars xs = parameters(inputs);
    const Var y = row.f(xs);
  }
  INFO("without a backward pass");
  check_nothing_left(before);
  {
    const Vars xs = parameters(inputs);
    const Var y = row.f(xs);
    grad(y, xs, Var(cotangent));
    if (y.needs_grad()) grad(y, xs, Var(cotangent), true);
  }
  INFO("with a backward pass");
  check_nothing_left(before);
}

void check_row(const Row& row, Found& found) {
  const std::vector<Tensor> inputs = drawn(row);
  check_oracle(row, inputs);
  const Vars xs = parameters(inputs);
  const Var y = row.f(xs);
  const Tensor cotangent = random(y.shape(), DType::float64, 11);
  const Vars gradients = grad(y, xs, Var(cotangent));
  for (std::size_t i = 0; i < xs.size(); ++i) {
    CHECK(text(gradients[i].shape()) == text(xs[i].shape()));
    CHECK(gradients[i].dtype() == DType::float64);
  }
  bool no_numbers = y.size() == 0;
  for (const Tensor& input : inputs) no_numbers = no_numbers || input.size() == 0;
  if (y.size() == 0) check_empty(gradients);
  if (!no_numbers && y.needs_grad()) {
    check_gradients(row, inputs, found);
    check_third_order(row, inputs, cotangent, found);
  }
  check_float32(row, inputs, y, gradients, cotangent);
  check_views(row, inputs, y, gradients, cotangent);
  check_one_at_a_time(row, inputs, gradients, cotangent);
  check_nothing_is_left(row, inputs, cotangent);
}

}  // namespace

void check_rows(const std::vector<Row>& rows) {
  std::vector<Found> all;
  for (const Row& row : rows) {
    Found found{name_of(row)};
    INFO(found.name);
    try {
      check_row(row, found);
    } catch (const std::exception& error) {
      FAIL_CHECK("throws: ", error.what());
    }
    all.push_back(found);
  }
  std::stable_sort(all.begin(), all.end(), [](const Found& a, const Found& b) {
    return std::max({a.order1, a.order2, a.order3}) > std::max({b.order1, b.order2, b.order3});
  });
  std::printf("  order 1   order 2   order 3   errors of the derivatives, worst first\n");
  for (const Found& found : all) {
    if (!found.checked) continue;
    std::printf("  %.1e   %.1e   %.1e   %s\n", found.order1, found.order2, found.order3, found.name.c_str());
  }
}

// ---- completeness ---------------------------------------------------------------------------------------------------

namespace {

// "const Var& x" -> "Var", "Size step = 1" -> "Size", "const std::vector<Size>& sizes" -> "vector<Size>".
std::string type_of(std::string parameter) {
  parameter = parameter.substr(0, parameter.find(" ="));
  const std::size_t name = parameter.find_last_of(' ');
  std::string type = parameter.substr(0, name);
  for (const char* noise : {"const ", "std::", "&"}) {
    for (std::size_t at; (at = type.find(noise)) != std::string::npos;) type.erase(at, std::string(noise).size());
  }
  type.erase(0, type.find_first_not_of(' '));
  return type;
}

// "Var slice(const Var& x, Size axis, Size step = 1);" -> "slice(Var, Size, Size)".
std::string signature(const std::string& declaration) {
  const std::size_t open = declaration.find('('), close = declaration.rfind(')');
  const std::size_t begin = declaration.rfind(' ', open) + 1;
  std::string out = declaration.substr(begin, open - begin) + "(";
  std::istringstream parameters(declaration.substr(open + 1, close - open - 1));
  std::string parameter;
  for (bool first = true; std::getline(parameters, parameter, ','); first = false) {
    out += (first ? "" : ", ") + type_of(parameter);
  }
  return out + ")";
}

std::map<std::string, std::vector<std::string>> ops_by_section() {
  std::ifstream header(std::string(ATTEND_SOURCE_DIR) + "/autograd/ops.hpp");
  REQUIRE_MESSAGE(header.is_open(), "cannot read autograd/ops.hpp of " ATTEND_SOURCE_DIR);
  std::map<std::string, std::vector<std::string>> sections;
  std::string line, section, declaration;
  while (std::getline(header, line)) {
    if (line.rfind("// ---- ", 0) == 0) {
      section = line.substr(8, line.find_first_of(" :", 8) - 8);
      sections[section];
    } else if (!section.empty() && line.rfind("//", 0) != 0 && line.rfind("}", 0) != 0) {
      declaration += line;
      if (declaration.find(';') == std::string::npos) continue;
      sections[section].push_back(signature(declaration));
      declaration.clear();
    }
  }
  return sections;
}

}  // namespace

std::vector<std::string> sections_of_ops() {
  std::vector<std::string> names;
  for (const auto& [name, ops] : ops_by_section()) names.push_back(name);
  return names;
}

std::vector<std::string> ops_of_section(const std::string& section) { return ops_by_section().at(section); }

void check_complete(const std::string& section, const std::vector<Row>& rows,
                    const std::vector<std::string>& without_derivative) {
  const auto sections = ops_by_section();
  REQUIRE_MESSAGE(sections.count(section) == 1, "autograd/ops.hpp has no section ", section);
  const std::vector<std::string>& ops = sections.at(section);
  std::vector<std::string> known = without_derivative;
  for (const Row& row : rows) known.push_back(row.op);
  for (const std::string& op : ops) {
    CHECK_MESSAGE(std::count(known.begin(), known.end(), op) > 0, op, " has no row");
  }
  for (const std::string& op : known) {
    CHECK_MESSAGE(std::count(ops.begin(), ops.end(), op) == 1, op, " is not in autograd/ops.hpp, section ", section);
  }
}

}  // namespace attend::test
