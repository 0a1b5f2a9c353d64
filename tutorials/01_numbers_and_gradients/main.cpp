// Chapter 01: numbers and gradients. What a backward pass does, in which order, what it must remember, and how to find
// out whether it is right.
#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include "autograd/explain.hpp"
#include "autograd/grad.hpp"
#include "autograd/gradcheck.hpp"
#include "autograd/graph.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/live.hpp"
#include "tensor/parallel.hpp"
#include "tensor/random.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/01_numbers_and_gradients/kept.hpp"
#include "tutorials/01_numbers_and_gradients/softmax_check.hpp"
#include "tutorials/01_numbers_and_gradients/tanh_derivatives.hpp"
#include "tutorials/01_numbers_and_gradients/tape.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter01;

namespace {

Var number(double value) { return Var::parameter(Tensor::from({value}, {}, DType::float64)); }

void chain(Claims& claims) {
  heading("1  A chain: z = (3x + 1)² at x = 2");
  say("Each step knows one slope, its own. Backwards, what comes in is multiplied with that slope and handed on:\n");
  const Var x = number(2), u = 3.0 * x, v = u + 1.0, z = v * v;
  say(explain(z, {{"x", x}, {"u", u}, {"v", v}, {"z", z}}));
  claims.holds("dz/dx = 2v · 3 = 42", grad(z, {x})[0].item() == 42);
}

void diamond_section(const Options& options, Claims& claims) {
  heading("2  A diamond: d = b · (b + 3), b = a · a, at a = 2");
  say("Here b is used twice, and there are several ways to walk back. Three of them, on a small engine (tape.cpp), and "
      "on towers of diamonds, whose derivative is 1:\n");
  const auto ordered = options.breaks("naive-order") ? naive_walk : ordered_walk;
  Table table({"computation", "right", "naive", "by paths", "ordered", "steps by paths", "steps ordered"});
  const auto row = [&](const std::string& name, double right, const Tape& tape, Size y, Size x) {
    const Walk naive = naive_walk(tape, y, x), paths = path_walk(tape, y, x), order = ordered(tape, y, x);
    table.row({name, significant(right, 6), significant(naive.gradient, 6), significant(paths.gradient, 6),
               significant(order.gradient, 6), count(paths.visits), count(order.visits)});
    return std::array<Walk, 3>{naive, paths, order};
  };
  Tape small;
  const Size a = small.leaf(2), d = diamond(small, a);
  const auto walks = row("the diamond", 44, small, d, a);
  std::array<Walk, 3> tallest{};
  for (Size height : {5, 10, 18}) {
    Tape tape;
    const Size bottom = tape.leaf(2), top = tower(tape, bottom, height);
    tallest = row("tower of " + std::to_string(height), 1, tape, top, bottom);
  }
  table.print();
  say("\nThe naive walk comes to b twice and hands on all that b has collected: 7 the first time, 11 the second, "
      "though 7 of these are long on their way. Walking every path keeps the books right, but paths double with each "
      "diamond. The ordered walk waits until b has heard from all who use it. So does attend:\n");
  const Var x = number(2), b = x * x, y = b * (b + 3.0);
  say(explain(y, {{"a", x}, {"b", b}, {"d", y}}));
  claims.holds("the ordered walk finds ∂d/∂a = 44: " + significant(walks[2].gradient, 6), walks[2].gradient == 44);
  claims.holds("the naive walk finds 72: " + significant(walks[0].gradient, 6), walks[0].gradient == 72);
  claims.holds("attend finds 44", grad(y, {x})[0].item() == 44);
  claims.holds("on the tallest tower the ordered walk finds 1", tallest[2].gradient == 1);
  claims.at_least("there the paths take more steps by the factor",
                  static_cast<double>(tallest[1].visits) / static_cast<double>(tallest[2].visits), 10000);
}

void draw_diamond(const std::string& path) {
  const Var a = number(2), b = a * a, d = b * (b + 3.0);
  WholeFile file(path);
  file.stream() << graph(d, {{"a", a}, {"b", b}, {"d", d}});
  file.commit();
  say("The graph of d is in " + path + ".");
}

// x · row. Broken, the rule of the row takes the first of the rows that used it, in place of their sum.
Var times_row(const Var& x, const Var& row, bool first_row_only) {
  if (!first_row_only) return x * row;
  return record(
      "times_row", (detach(x) * detach(row)).value(), {x, row}, [](V g, In<1> r) { return g * r; },
      [](V g, In<0> a) { return select(g * a, 0, 0); });
}

void broadcasting(const Options& options, Claims& claims) {
  heading("3  Tensors: what was copied on the way there is added up on the way back");
  const Var x = Var::parameter(Tensor::from({1, 2, 3, 4, 5, 6}, {2, 3}, DType::float64));
  const Var w = Var::parameter(Tensor::from({10, 20, 30}, {3}, DType::float64));
  const Var product = times_row(x, w, options.breaks("first-row")), y = sum(product);
  const Vars gradients = grad(y, {x, w});
  shapes({{"x", {2, 3}, "two rows"},
          {"w", {3}, "one row, used for both"},
          {"x · w", {2, 3}, "w is repeated without a copy"},
          {"gradient of w", {3}, "the two rows of g · x, added"}});
  say("\n" + explain(y, {{"x", x}, {"w", w}}));
  say("No rule knows of broadcasting: the engine sums each cotangent to the shape of its input, in one place.");
  const std::vector<double> found = gradients[1].value().to_vector();
  claims.holds("the gradient of w is [1 + 4, 2 + 5, 3 + 6] = [5, 7, 9]", found == std::vector<double>{5, 7, 9});
  claims.holds("each gradient has the shape of its input",
               gradients[0].shape() == x.shape() && gradients[1].shape() == w.shape());
}

void memory(Claims& claims) {
  heading("4  What the backward pass must remember");
  say("A rule keeps what it names, and nothing else. Measured: what stays in memory when all numbers are let go and "
      "only the history is held, in tensors of the operands' size.\n");
  Table table({"op", "rule for each input", "kept"});
  double worst = 0;
  for (const Rule& rule : rules()) {
    const double kept = tensors_kept(rule);
    worst = std::max(worst, std::fabs(kept - rule.expected));
    table.row({rule.op, rule.rule, fixed(kept, 2)});
  }
  table.print();
  claims.at_most("largest deviation from what the rules name, in tensors", worst, 0.001);
  const Live before = live();
  {
    const Recording off(false);
    const Var y = tanh(number(1));
    claims.holds("with recording off an op leaves no history", !y.needs_grad());
  }
  claims.holds("when the numbers go, the history goes", live().nodes == before.nodes && live().bytes == before.bytes);
}

void derivatives_of_tanh(Claims& claims) {
  heading("5  The gradient of a gradient: tanh, six times");
  constexpr int highest = 6;
  constexpr Size points = 61;
  std::vector<double> xs;
  for (Size i = 0; i < points; ++i) xs.push_back(-3 + 0.1 * static_cast<double>(i));
  const Tensor x = Tensor::from(xs, {points}, DType::float64);
  const std::vector<Derivative> engine = by_engine(x, highest);

  say("Rules are written in ops that have rules, so that a gradient is a computation like any other. From −3 to 3, "
      "each row from its own lowest to its own highest value:\n");
  std::string curves;
  for (std::size_t n = 0; n < engine.size(); ++n) {
    curves += fill("  {}  {}\n", {std::to_string(n), sparkline(engine[n].values, standard_screen().unicode)});
  }
  say(curves);
  Table table({"order", "with t = tanh x", "at x = 0.5", "error", "nodes"});
  double worst = 0;
  for (int n = 0; n <= highest; ++n) {
    const std::vector<double>& values = engine[static_cast<std::size_t>(n)].values;
    const Polynomial p = by_hand(n);
    double largest = 0, error = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double exact = value(p, std::tanh(xs[i]));
      largest = std::max(largest, std::fabs(exact));
      error = std::max(error, std::fabs(values[i] - exact));
    }
    worst = std::max(worst, error / largest);
    table.row({std::to_string(n), chapter01::text(p), fixed(values[35], 6), significant(error / largest, 1),
               count(engine[static_cast<std::size_t>(n)].nodes)});
  }
  table.print();
  say("\nThe last column is the length of the history: each order differentiates all that the one before it did.");
  claims.at_most("largest error of all orders, relative to the largest value", worst, 1e-12);
}

void differences(Claims& claims) {
  heading("6  Is a derivative right? Compare it with differences");
  say("The slope of tanh at 0.7 from values alone, (f(x+h) − f(x−h)) / 2h, or from five points; the table says how far "
      "off it is.\n");
  const auto f = [](double x) { return std::tanh(x); };
  const auto f_float = [](double x) { return static_cast<double>(std::tanh(static_cast<float>(x))); };
  const double exact = 1 - std::tanh(0.7) * std::tanh(0.7);
  Table table({"h", "two points", "five points", "five, float32"});
  double five_at_1e_3 = 0, five_at_1e_8 = 0, two_at_1e_3 = 0, best_float = 1;
  for (int digits = 0; digits <= 8; ++digits) {
    const double h = std::pow(10.0, -digits);
    const auto off = [&](double slope) { return std::fabs(slope - exact); };
    const double two = off(two_point(f, 0.7, h)), five = off(five_point(f, 0.7, h));
    const double in_float = off(five_point(f_float, 0.7, h));
    table.row({significant(h, 1), significant(two, 2), significant(five, 2), significant(in_float, 2)});
    if (digits == 3) five_at_1e_3 = five, two_at_1e_3 = two;
    if (digits == 8) five_at_1e_8 = five;
    best_float = std::min(best_float, in_float);
  }
  table.print();
  say("\nA large h is off because the curve bends, a small h because the difference of two nearly equal numbers has "
      "few digits left. With five points, h = 0.001 is where both are small. In float32, which has 7 digits, no h is "
      "good, so attend trains in float32 and checks in float64.");
  claims.at_most("five points, h = 0.001: error", five_at_1e_3, 1e-11);
  claims.at_least("two points, h = 0.001: error", two_at_1e_3, 1e-8);
  claims.at_least("five points, h = 0.00000001: error", five_at_1e_8, 1e-10);
  claims.at_least("float32, the best of all h: error", best_float, 1e-7);
}

void check_that_cannot_fail(const Options& options, Claims& claims) {
  heading("7  The check that cannot fail");
  say("A gradient check needs a number to differentiate, and the sum of the output is near at hand: its cotangent is "
      "ones. But a row of softmax always sums to 1, so the true gradient of that sum is 0, and 7 · 0 is 0 too:\n");
  Rng rng(options.seed());
  const Tensor x = rng.normal({2, 4}, 0, 1, DType::float64);
  const Tensor ones = Tensor::ones({2, 4}, DType::float64);
  const Tensor random = options.breaks("ones-cotangent") ? ones : rng.normal({2, 4}, 0, 1, DType::float64);
  Table table({"rule of softmax", "cotangent", "max |gradient|", "max |difference|", "verdict"});
  const auto check = [&](const std::string& rule, double factor, const std::string& name, const Tensor& cotangent) {
    const Compared found = compare([&](const Var& v) { return softmax_with_rule_times(v, factor); }, x, cotangent);
    table.row({rule, name, significant(found.largest_gradient, 2), significant(found.largest_difference, 2),
               found.passes() ? "right" : "wrong"});
    return found;
  };
  const std::string second = options.breaks("ones-cotangent") ? "ones" : "random";
  const Compared right_ones = check("as it is", 1, "ones", ones), wrong_ones = check("times 7", 7, "ones", ones);
  const Compared right_random = check("as it is", 1, second, random);
  const Compared wrong_random = check("times 7", 7, second, random);
  table.print();
  claims.holds("under ones the right rule passes, and the wrong one too", right_ones.passes() && wrong_ones.passes());
  claims.holds("under a random cotangent the right rule passes", right_random.passes());
  claims.holds("under a random cotangent the wrong rule is found", !wrong_random.passes());

  say("\nattend's own gradcheck draws its cotangent at random, and calls a gradient below 0.001 too small to prove "
      "anything (marked !), so the trap is closed twice. Even the right rule does not pass by its sum:\n");
  std::string reports;
  const auto reported = [&](const char* name, const std::function<Var(const Vars&)>& f) {
    GradcheckOptions first_order;
    first_order.order = 1;
    const GradcheckReport report = gradcheck(name, f, {x}, first_order);
    reports += report.text();
    return report.passed();
  };
  const bool wrong = reported("softmax, rule times 7", [](const Vars& v) { return softmax_with_rule_times(v[0], 7); });
  const bool summed = reported("the sum of the right softmax", [](const Vars& v) { return sum(softmax(v[0])); });
  const bool right = reported("the right softmax", [](const Vars& v) { return softmax(v[0]); });
  say(reports);
  claims.holds("gradcheck passes the right rule alone, and no sum", right && !wrong && !summed);
}

// All functions of this chapter, to second order, the worst first.
void gradient_checks(const Options& options, Claims& claims) {
  heading("Gradient checks, worst first");
  const Size seeds = options.full() ? 5 : 1;
  std::vector<GradcheckReport> reports;
  for (Size i = 0; i < seeds; ++i) {
    GradcheckOptions settings;
    settings.seed = options.seed() + static_cast<std::uint64_t>(i);
    Rng rng(settings.seed);
    const auto normal = [&](const Shape& shape) { return rng.normal(shape, 0, 1, DType::float64); };
    const auto check = [&](const char* name, const auto& f, const std::vector<Tensor>& inputs) {
      reports.push_back(gradcheck(name, f, inputs, settings));
    };
    const bool first_row = options.breaks("first-row");
    check("(3x + 1)²", [](const Vars& v) { return pow(3.0 * v[0] + 1.0, 2); }, {normal({})});
    check("b (b + 3), b = a²", [](const Vars& v) { return v[0] * v[0] * (v[0] * v[0] + 3.0); }, {normal({})});
    check("x · row", [&](const Vars& v) { return times_row(v[0], v[1], first_row); }, {normal({2, 3}), normal({3})});
    check("tanh x", [](const Vars& v) { return tanh(v[0]); }, {normal({5})});
    check("softmax x", [](const Vars& v) { return softmax(v[0]); }, {normal({2, 4})});
    check("softplus x", [](const Vars& v) { return softplus(v[0]); }, {normal({5})});
  }
  std::stable_sort(reports.begin(), reports.end(), [](const auto& a, const auto& b) { return a.worst() > b.worst(); });
  if (options.full()) reports.resize(std::min<std::size_t>(reports.size(), 12));
  Table table({"function", "inputs and orders", "worst error", "verdict"});
  double worst = 0;
  for (const GradcheckReport& report : reports) {
    worst = std::max(worst, report.worst());
    table.row({report.name, std::to_string(report.inputs.size()), significant(report.worst(), 2),
               report.passed() ? "right" : "wrong"});
  }
  table.print();
  claims.at_most("worst error of all, order 1 and 2", worst, 1e-8);
  claims.holds("every function passes, with a gradient large enough to prove something",
               std::all_of(reports.begin(), reports.end(), [](const auto& r) { return r.passed(); }));
}

int chapter(int argc, char** argv) {
  Options options("01", "Numbers and gradients",
                  {{"naive-order", "the ordered walk of section 2 gives way to the naive one",
                    "the first 7 that b receives goes out twice, and the gradient is 72, not 44"},
                   {"first-row", "the row's rule of section 3 takes the first row of g · x in place of the sum",
                    "a value that is used twice must hear from both uses"},
                   {"ones-cotangent", "section 7 checks with a cotangent of ones throughout",
                    "softmax has no gradient in that direction, so the check has nothing to see"}});
  std::string drawing;
  options.file("--graph", drawing, "write the history of the diamond as Graphviz DOT: dot -Tsvg FILE");
  options.parse(argc, argv);
  set_threads(options.threads());
  title("01", "Numbers and gradients");
  say(options.break_notice());
  say("The claim: walked in the right order, with rules that each know one op, a computation gives all its "
      "derivatives, and differences of its values can prove every one of them.");
  Claims claims;
  chain(claims);
  diamond_section(options, claims);
  if (!drawing.empty()) draw_diamond(drawing);
  broadcasting(options, claims);
  memory(claims);
  derivatives_of_tanh(claims);
  differences(claims);
  check_that_cannot_fail(options, claims);
  gradient_checks(options, claims);
  try_next({{"./attend run 01 --break naive-order", "what a walk in the wrong order does to the claims"},
            {"./attend run 01 --break ones-cotangent", "a check that lets the wrong rule pass"},
            {"./attend check 01", "the exercises"}});
  std::cout << "\n";
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
