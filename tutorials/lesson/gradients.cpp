#include "tutorials/lesson/gradients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/checkpoint.hpp"
#include "autograd/grad.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/heatmap.hpp"
#include "tutorials/lesson/table.hpp"

namespace attend::lesson {
namespace {

// NaN is the worst of all.
double error_of(const GradcheckReport& report) {
  return std::isnan(report.worst()) ? std::numeric_limits<double>::infinity() : report.worst();
}

// The input that is furthest off, of the lowest order at which one is: a mistake at order 1 is one at order 2 too.
const GradcheckInput* worst_input(const GradcheckReport& report) {
  const GradcheckInput* worst = nullptr;
  for (const GradcheckInput& input : report.inputs) {
    if (input.error <= report.limit) continue;
    const bool worse = worst == nullptr || input.order < worst->order ||
                       (input.order == worst->order && !(input.error <= worst->error));  // NaN is the worst of all
    if (worse) worst = &input;
  }
  return worst;
}

double largest_of(const std::vector<double>& differences) {
  double largest = 0;
  for (const double difference : differences) largest = std::fmax(largest, difference);  // NaN is passed over
  return largest;
}

// "[1, 0, 2]", the place of an element in row-major order.
std::string place(Size index, const Shape& shape) {
  Shape at = shape;
  for (Size axis = shape.size() - 1; axis >= 0; --axis) {
    at[axis] = index % shape[axis];
    index /= shape[axis];
  }
  return text(at);
}

// The rows of the last axis, from the one that holds `first` on: as many as are read at a glance.
HeatMap map_of(const GradcheckInput& input, Size first) {
  const Size columns = input.shape.size() > 0 ? input.shape.back() : 1;
  const Size all = static_cast<Size>(input.differences.size()) / columns, begin = first / columns;
  const Size rows = std::min<Size>(all - begin, 12);
  const auto from = input.differences.begin() + begin * columns;
  HeatMap map{Matrix(rows, columns, {from, from + rows * columns}), {}, {}};
  for (Size row = begin; row < begin + rows; ++row) map.row_labels.push_back(place(row * columns, input.shape));
  map.range = Range{0, std::fmax(largest_of(input.differences), 1e-300)};
  map.split = false;
  return map;
}

}  // namespace

void claim_repeatable(const std::function<Var(const Vars&)>& f, const Vars& inputs, const Var& gy, Claims& claims) {
  const Var again = f(inputs), plain = f(inputs);
  claims.at_most("two calls: largest difference", largest_difference(plain.value(), again.value()), 0);
  const Vars of_plain = grad(plain, inputs, gy), of_checkpoint = grad(checkpoint(f, inputs), inputs, gy);
  double worst = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    worst = std::max(worst, largest_difference(of_plain[i].value(), of_checkpoint[i].value()));
  }
  claims.at_most("gradients, in a checkpoint and plain: largest difference", worst, 0);
}

std::string first_wrong(const GradcheckReport& report, const Screen& screen) {
  const GradcheckInput* input = worst_input(report);
  if (input == nullptr) return "";
  // `error` is the largest difference in units of the largest derivative, and the limit is in these units too.
  const double allowed =
      std::isnan(input->error) ? HUGE_VAL : largest_of(input->differences) / input->error * report.limit;
  const auto wrong = std::find_if(input->differences.begin(), input->differences.end(),
                                  [&](double difference) { return !(difference <= allowed); });
  const Size first = wrong - input->differences.begin();
  Screen uncoloured = screen;  // a paragraph is broken into lines by what it shows
  uncoloured.colour = Colour::none;
  return fill("The first wrong element of input {}, order {}: {}. How far each is off:\n{}",
              {std::to_string(input->input), std::to_string(input->order), place(first, input->shape),
               render(map_of(*input, first), uncoloured)});
}

void claim_gradients(std::vector<GradcheckReport> reports, Claims& claims, const std::string& what) {
  std::stable_sort(reports.begin(), reports.end(),
                   [](const auto& a, const auto& b) { return error_of(a) > error_of(b); });
  Table table({what, "inputs and orders", "worst error"});
  bool all = true;
  for (const GradcheckReport& report : reports) {
    table.row({report.name, count(static_cast<Size>(report.inputs.size())), significant(report.worst(), 2)});
    all = all && report.passed();
  }
  table.print();
  claims.below("worst gradient error, order 1 and 2", reports.at(0).worst(), 1e-8);
  claims.holds("every check could have failed: no gradient too small to prove anything", all);
}

}  // namespace attend::lesson
