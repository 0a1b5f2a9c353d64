// Does gradcheck see what is wrong?
#include "autograd/gradcheck.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// Softmax with a derivative that is too large by a factor.
Var wrong_softmax(const Var& x, double factor) {
  return record("softmax", kernel::softmax(x.value()), {x},
                [factor](const Var& g, Out y) { return factor * (y * (g - sum(g * y, {-1}, true))); });
}

// tanh whose rule cuts the history: the first derivative is right, the second is not.
Var cut_tanh(const Var& x) {
  return record("tanh", kernel::tanh(x.value()), {x}, [](const Var& g, Out y) { return g * detach(1.0 - y * y); });
}

// The columns of a line of UTF-8.
std::size_t columns(const std::string& line) {
  std::size_t count = 0;
  for (char c : line) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

void check_width(const GradcheckReport& report) {
  std::istringstream lines(report.text());
  for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(columns(line) <= 80, line);
}

const Tensor x = random({2, 3});

}  // namespace

TEST_CASE("a right rule passes at both orders, with errors near rounding") {
  const GradcheckReport report = gradcheck("tanh", [](const Vars& in) { return tanh(in[0]); }, {x});
  CHECK(report.passed());
  CHECK(report.inputs.size() == 3);  // order 1, order 2, and the cotangent at order 2
  for (const GradcheckInput& input : report.inputs) CHECK_FALSE(input.zero);
  CHECK(report.worst() < 1e-10);
  CHECK(report.text().find("tanh: right\n") == 0);
}

TEST_CASE("a softmax whose derivative is wrong by any factor is found, though its sum is constant (O-48)") {
  for (double factor : {7.0, -1.0, 0.0, 1 + 1e-6}) {
    const Var leaf = Var::parameter(x);
    const Vars with_ones = grad(sum(wrong_softmax(leaf, factor)), {leaf});
    check_close(with_ones[0], {2, 3}, std::vector<double>(6, 0), 1e-15);  // a cotangent of ones proves nothing
    const auto f = [&](const Vars& in) { return wrong_softmax(in[0], factor); };
    const GradcheckReport report = gradcheck("softmax", f, {x});
    INFO(report.text());
    CHECK_FALSE(report.passed());
    CHECK(report.worst() > 1e-7);
    CHECK(report.text().find("softmax: WRONG\n") == 0);
  }
  CHECK(gradcheck("softmax", [](const Vars& in) { return wrong_softmax(in[0], 1); }, {x}).passed());
}

TEST_CASE("a rule that cuts the history is right at order 1 and found at order 2") {
  const auto f = [](const Vars& in) { return cut_tanh(in[0]); };
  GradcheckOptions first;
  first.order = 1;
  CHECK(gradcheck("tanh", f, {x}, first).passed());
  const GradcheckReport report = gradcheck("tanh", f, {x});
  CHECK_FALSE(report.passed());
  for (const GradcheckInput& input : report.inputs) {
    INFO(report.text());
    CHECK((input.error > 1e-8) == (input.order == 2 && input.input == 0));
  }
}

TEST_CASE("one wrong element among many is named with its index, analytic and numeric") {
  const auto f = [](const Vars& in) {
    return record("square", kernel::mul(in[0].value(), in[0].value()), {in[0]}, [](const Var& g, In<0> a) {
      return g * a * numbers({2, 2, 2, 2, 2.5, 2}, {2, 3});
    });
  };
  GradcheckOptions first;
  first.order = 1;
  const GradcheckReport report = gradcheck("square", f, {x}, first);
  CHECK(report.inputs.at(0).index == 4);
  check_close(report.inputs.at(0).analytic, 1.25 * report.inputs.at(0).numeric, 0, 1e-8);
}

TEST_CASE("the error is relative to the largest element of the gradient") {
  const auto f = [](const Vars& in) {
    return record("scaled", kernel::affine(in[0].value(), 1e4, 0), {in[0]}, [](const Var& g) {
      return g * numbers({1e4, 1e4 + 3e-4}, {2});
    });
  };
  GradcheckOptions options;
  options.order = 1;
  const GradcheckReport report = gradcheck("scaled", f, {numbers({1, 2}, {2})}, options);
  CHECK_FALSE(report.passed());
  CHECK(report.worst() > 1e-9);
  CHECK(report.worst() < 4e-8);
  options.limit = 1e-7;
  CHECK(gradcheck("scaled", f, {numbers({1, 2}, {2})}, options).passed());
}

TEST_CASE("a gradient that is small everywhere proves nothing") {
  const GradcheckReport report = gradcheck("tiny", [](const Vars& in) { return 1e-5 * in[0] * in[0]; }, {x});
  CHECK(report.inputs.at(0).too_small);
  CHECK_FALSE(report.passed());
}

TEST_CASE("an input without influence is listed apart, and all without is no pass") {
  const auto first_alone = [](const Vars& in) { return in[0] * in[0] + 0.0 * in[1]; };
  const GradcheckReport report = gradcheck("square", first_alone, {x, x});
  CHECK(report.passed());
  CHECK_FALSE(report.inputs.at(0).zero);
  CHECK(report.inputs.at(1).zero);
  CHECK_FALSE(gradcheck("constant", [](const Vars& in) { return 0.0 * in[0]; }, {x}).passed());
}

TEST_CASE("a gradient of 0 where there should be one is found") {
  const auto f = [](const Vars& in) { return in[0] * in[0] + detach(in[1]) * in[0]; };
  const GradcheckReport report = gradcheck("detached", f, {x, random({2, 3}, DType::float64, 2)});
  CHECK_FALSE(report.passed());
  CHECK(report.inputs.at(1).zero);
  CHECK(report.inputs.at(1).error > 0.1);
}

TEST_CASE("differences need float64 (O-46)") {
  const auto f = [](const Vars& in) { return tanh(in[0]); };
  check_throws_with([&] { gradcheck("tanh", f, {Tensor::ones({2, 3})}); }, {"gradcheck", "tanh", "float32", "[2, 3]"});
  check_throws_with([&] { gradcheck("tanh", f, {Tensor::arange(3)}); }, {"gradcheck", "int64", "[3]"});
  // 0.95 % off at 0.3 with h = 1e-6, though nothing is wrong with tanh.
  const double h = 1e-6;
  const std::vector<double> y = kernel::tanh(Tensor::from({0.3 - h, 0.3 + h}, {2})).to_vector();
  CHECK(std::fabs((y[1] - y[0]) / (2 * h) - (1 - std::pow(std::tanh(0.3), 2))) > 1e-3);
}

TEST_CASE("there are two orders") {
  GradcheckOptions options;
  for (int order : {0, 3}) {
    options.order = order;
    check_throws_with(
        [&] {
          gradcheck(
              "tanh", [](const Vars& in) { return tanh(in[0]); }, {x}, options);
        },
        {"gradcheck", "tanh", "order"});
  }
}

TEST_CASE("an input whose elements share their memory is moved one element at a time (O-47)") {
  const Tensor shared = broadcast_to(numbers({2}, {1}), {2}), weight = numbers({1, 2, 3, 4}, {2, 2});
  const auto product = [&](const Vars& in) { return matmul(weight, in[0]); };
  CHECK(gradcheck("matmul", product, {shared}).passed());
  for (const View& view : views_of(x)) {
    INFO(view.name);
    CHECK(gradcheck("exp", [](const Vars& in) { return exp(in[0]); }, {view.tensor}).passed());
    check_agree(view.tensor, x, 0);  // and the input is left alone
  }
  const Var single = Var::parameter(numbers({1}, {1}));
  CHECK(grad(sum(matmul(weight, broadcast_to(single, {2}))), {single})[0].item() == 10);
}

TEST_CASE("at a kink the difference sees a half, and the documented value is 0 (O-49)") {
  GradcheckOptions options;
  options.order = 1;
  const auto f = [](const Vars& in) { return relu(in[0]); };
  const GradcheckReport at_kink = gradcheck("relu", f, {numbers({0}, {1})}, options);
  CHECK_FALSE(at_kink.passed());
  const GradcheckReport beside = gradcheck("relu", f, {numbers({0.1, -0.1}, {2})}, options);
  CHECK(beside.passed());
}

TEST_CASE("of a large input some elements are drawn, another seed draws others") {
  const Tensor large = random({1000});
  int calls = 0;
  const auto f = [&](const Vars& in) {
    ++calls;
    return in[0] * in[0];
  };
  GradcheckOptions options;
  options.order = 1;
  options.most_elements = 10;
  CHECK(gradcheck("square", f, {large}, options).passed());
  CHECK(calls < 50);
  const auto wrong_at_one = [](const Vars& in) {
    std::vector<double> factors(1000, 2);
    factors[123] = 3;
    const Tensor factor = numbers(factors, {1000});
    return record("square", kernel::mul(in[0].value(), in[0].value()), {in[0]},
                  [factor](const Var& g, In<0> a) { return g * a * factor; });
  };
  options.most_elements = 1000;
  CHECK_FALSE(gradcheck("square", wrong_at_one, {large}, options).passed());
}

TEST_CASE("NaN never passes, and is the worst") {
  const auto f = [](const Vars& in) { return sqrt(in[0] - 1.0); };
  const GradcheckReport report = gradcheck("sqrt", f, {numbers({0.5, 4}, {2})});
  CHECK_FALSE(report.passed());
  CHECK(std::isnan(report.worst()));
  GradcheckReport made{"made", {}, 1e-8};
  for (double error : {1e-12, not_a_number, 1e-9}) {
    made.inputs.emplace_back();
    made.inputs.back().error = error;
  }
  CHECK(std::isnan(made.worst()));
  const std::string text = made.text();
  CHECK(text.find("nan") < text.find("1.0e-09"));
  CHECK(text.find("1.0e-09") < text.find("1.0e-12"));
}

TEST_CASE("the report fits 80 columns, whatever was found") {
  GradcheckReport report{"attention", {}, 1e-8};
  for (double number : {0.0, -1.5e-300, 1e300, not_a_number, -infinity}) {
    for (const Shape& shape : {Shape{}, Shape{2, 3}, Shape{16, 128, 256, 1024, 5, 6, 7, 8}}) {
      GradcheckInput input;
      input.order = 2;
      input.input = 12;
      input.shape = shape;
      input.error = std::fabs(number);
      input.index = 12345678;
      input.analytic = number;
      input.numeric = -number;
      input.zero = number == 0;
      input.too_small = number == 1e300;
      report.inputs.push_back(input);
    }
  }
  check_width(report);
  check_width(gradcheck("tanh", [](const Vars& in) { return tanh(in[0]); }, {x}));
}

TEST_CASE("gradcheck works where nothing is being recorded, and is the same each time") {
  const auto f = [](const Vars& in) { return tanh(in[0]); };
  const std::string expected = gradcheck("tanh", f, {x}).text();
  const Recording off(false);
  CHECK(gradcheck("tanh", f, {x}).text() == expected);
  CHECK_FALSE(recording());
}

TEST_CASE("gradcheck leaves nothing behind") {
  const Counts before;
  gradcheck("softmax", [](const Vars& in) { return softmax(in[0]); }, {x});
  check_nothing_left(before);
}
