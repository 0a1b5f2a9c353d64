// The check of exercise 2: shape, tiny numbers, the property that defines it, differences.
#include <cmath>

#include "autograd/gradcheck.hpp"
#include "autograd/ops.hpp"
#include "tensor/random.hpp"
#include "tutorials/01_numbers_and_gradients/exercise_2_broadcast.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/gradients.hpp"

using namespace attend;
using namespace attend::chapter01;
using namespace attend::lesson;

namespace {

using Numbers = std::vector<double>;

Var counting(const Shape& shape) {
  Numbers values;
  for (Size i = 0; i < element_count(shape); ++i) values.push_back(static_cast<double>(i + 1));
  return Var(Tensor::from(values, shape, DType::float64));
}

// The shape that an answer gives, or "" when it throws.
std::string shape_given(const BroadcastAnswer& answer, const Shape& from, const Shape& to) {
  try {
    return text(answer.summed_to(counting(from), to).shape());
  } catch (const std::exception&) {
    return "";
  }
}

std::string listed(const Numbers& numbers) {
  std::string out;
  for (double number : numbers) out += (out.empty() ? "[" : ", ") + significant(number, 4);
  return out + "]";
}

// Whether it takes the axes of the shape from the front: of [[1, 2], [3, 4]] and [2] the sums of rows, not of columns.
bool aligns_in_front(const BroadcastAnswer& answer) {
  if (shape_given(answer, {2, 2}, {2}) != "[2]") return false;
  return answer.summed_to(counting({2, 2}), {2}).value().to_vector() == Numbers{3, 7};
}

std::string bug_of_shape(const BroadcastAnswer& answer, const Shape& from, const Shape& to, const std::string& given) {
  if (aligns_in_front(answer)) return "the shapes are aligned at their first axes; they belong together at their last.";
  const bool added_unsummed = shape_given(answer, {2, 3}, {3}) == "[2, 3]";
  const bool stretched_unsummed = shape_given(answer, {2, 3}, {2, 1}) == "[2, 3]";
  if (added_unsummed && stretched_unsummed) return "the function still returns g.";
  if (added_unsummed) return "axes that were added in front are not summed.";
  if (stretched_unsummed) return "axes of size 1 that were stretched are not summed.";
  if (given == text(reduced_shape(from, {1}, false)) && to.size() == 2) {
    return "the axes of size 1 are gone: sum over them with keep_dims, or reshape at the end.";
  }
  if (shape_given(answer, {2, 3}, {3}) == "[1, 3]")
    return "added axes are still there, with size 1: reshape at the end.";
  return "which axes are summed? Print them for this pair of shapes.";
}

void check_shapes(const BroadcastAnswer& answer, Steps& steps) {
  const std::pair<Shape, Shape> pairs[] = {{{2, 3}, {3}},       {{2, 3}, {2, 1}}, {{2, 3}, {1, 3}}, {{2, 3}, {}},
                                           {{4, 2, 3}, {2, 1}}, {{2, 3}, {2, 3}}, {{1, 3}, {1, 1}}};
  for (const auto& [from, to] : pairs) {
    const std::string given = shape_given(answer, from, to);
    if (given == text(to)) continue;
    throw Mistake("For g " + text(from) + " and the shape " + text(to) + " it " +
                      (given.empty() ? "throws an exception." : "gives " + given + "."),
                  bug_of_shape(answer, from, to, given));
  }
  steps.passed("shapes, of seven pairs");
}

void check_numbers(const BroadcastAnswer& answer, Steps& steps) {
  const auto check = [&](const Shape& to, const Numbers& expected, const Numbers& first, double copies) {
    const Numbers found = answer.summed_to(counting({3, 3}), to).value().to_vector();
    if (found == expected) return;
    Numbers mean = expected;
    for (double& number : mean) number /= copies;
    const std::string bug = found == mean    ? "that is the mean of the copies; each of them counts in full."
                            : found == first ? "that is the first copy alone; every copy has had an effect on y."
                            : aligns_in_front(answer)
                                ? "the shapes are aligned at their first axes; they belong together at their last."
                                : "the numbers of several copies are mixed up: which axes are summed?";
    throw Mistake("For g = [[1, 2, 3], [4, 5, 6], [7, 8, 9]] and the shape " + text(to) + " it gives " + listed(found) +
                      ", expected " + listed(expected) + ".",
                  bug);
  };
  check({3}, {12, 15, 18}, {1, 2, 3}, 3);
  check({3, 1}, {6, 15, 24}, {1, 4, 7}, 3);
  check({}, {45}, {1}, 9);
  steps.passed("numbers 1 to 9, summed over columns, rows and all");
}

void check_property(const BroadcastAnswer& answer, Steps& steps) {
  Rng rng(1);
  const std::pair<Shape, Shape> pairs[] = {{{2, 3, 4}, {3, 1}}, {{2, 3, 4}, {4}}, {{5, 2, 3}, {1, 2, 3}}, {{2, 2}, {}}};
  for (const auto& [from, to] : pairs) {
    const Var g(rng.normal(from, 0, 1, DType::float64)), x(rng.normal(to, 0, 1, DType::float64));
    const double there = sum(g * broadcast_to(x, from)).item(), back = sum(answer.summed_to(g, to) * x).item();
    if (std::fabs(there - back) < 1e-12) continue;
    throw Mistake("Σ g · broadcast(x) is " + significant(there, 6) + ", Σ summed(g) · x is " + significant(back, 6) +
                      ", for g " + text(from) + " and x " + text(to) + ".",
                  "right for two axes, wrong for these: which axes are summed?");
  }
  steps.passed("Σ g · broadcast(x) = Σ summed(g) · x for random g and x");
}

void check_differences(const BroadcastAnswer& answer, Steps& steps) {
  Rng rng(2);
  const auto f = [&](const Vars& v) { return pow(answer.summed_to(v[0] * v[0], {3, 1}), 2); };
  const Var leaf = Var::parameter(rng.normal({2, 3, 4}, 0, 1, DType::float64));
  if (!f({leaf}).needs_grad()) {
    throw Mistake("The numbers are right, but the result has no history, and no gradient flows through it.",
                  "something cuts the history: .value(), .item() or detach.");
  }
  const GradcheckReport report = gradcheck("summed_to", f, {leaf.value()});
  if (!report.passed())
    throw Mistake(report.text() + first_wrong(report),
                  "the values are right and their gradient is not: use ops on Vars only.");
  steps.passed("gradients to second order: error " + significant(report.worst(), 1));
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/01_numbers_and_gradients/exercise_2_broadcast.cpp", broadcast_answers(),
                       {check_shapes, check_numbers, check_property, check_differences});
}
