#include "tutorials/lesson/gradients.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "autograd/ops.hpp"
#include "tensor/random.hpp"
#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/text.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace lesson_test;

namespace {

// The gradient of x²/2 with some elements doubled.
GradcheckReport doubled_at(const std::vector<bool>& where_doubled, const Shape& shape) {
  const Tensor chosen = Tensor::from_bools(where_doubled, shape);
  const auto f = [&](const Vars& x) {
    const Var half = 0.5 * x[0] * x[0];
    return half + where(chosen, x[0] * detach(x[0]) - detach(x[0] * x[0]), Tensor::zeros({}, DType::float64));
  };
  Rng rng(1);
  return gradcheck("doubled", f, {rng.uniform(shape, 1, 2, DType::float64)});
}

GradcheckReport report_of(const std::string& name, double error) {
  GradcheckInput input;
  input.error = error;
  return {name, {input}, 1e-8};
}

int exit_code_for(double error) {
  Paper paper;
  Claims claims(paper.screen);
  claim_gradients({report_of("right", 1e-12), report_of("asked", error)}, claims);
  return claims.exit_code();
}

}  // namespace

TEST_CASE("gradient checks that passed are claimed, and one that failed or is NaN breaks the claims") {
  CHECK(exit_code_for(1e-10) == 0);
  CHECK(exit_code_for(1e-7) == 1);
  CHECK(exit_code_for(NAN) == 1);
}

TEST_CASE("of a wrong gradient the first wrong element is named, and all are drawn") {
  const std::string wrong = first_wrong(doubled_at({false, false, false, false, true, true}, {2, 3}), plain());
  INFO(wrong);
  CHECK(wrong.find("The first wrong element of input 0, order 1: [1, 1]. How far each is off:\n") == 0);
  CHECK(wrong.find("[1, 0]") != std::string::npos);
  CHECK(wrong.find("[0, 0]") == std::string::npos);
  for (const std::string& line : lines_of(wrong)) CHECK(columns(line) <= 80);
}

TEST_CASE("of a right gradient, and of one too small to prove anything, no element is wrong") {
  CHECK(first_wrong(doubled_at({false, false}, {2}), plain()) == "");
  const auto tiny = [](const Vars& x) { return 1e-5 * x[0]; };
  CHECK(first_wrong(gradcheck("tiny", tiny, {Tensor::ones({2}, DType::float64)}), plain()) == "");
}

TEST_CASE("a gradient of NaN and one of a single number are drawn too") {
  const auto nan = [](const Vars& x) { return x[0] * detach(log(-1.0 * x[0])); };
  const std::string wrong = first_wrong(gradcheck("nan", nan, {Tensor::ones({2, 2}, DType::float64)}), plain());
  CHECK(wrong.find("order 1: [0, 0]") != std::string::npos);
  const auto twice = [](const Vars& x) { return x[0] * x[0] + x[0] * detach(x[0]); };
  CHECK(first_wrong(gradcheck("twice", twice, {Tensor::ones({}, DType::float64)}), plain()).find("order 1: []") !=
        std::string::npos);
}

TEST_CASE("a function that draws anew at every call is not repeatable, and one that does not is") {
  const Vars in = {Var::parameter(Tensor::ones({3}, DType::float64))};
  const Var gy = Tensor::ones({3}, DType::float64);
  const auto exit_code_of = [&](const std::function<Var(const Vars&)>& f) {
    Paper paper;
    Claims claims(paper.screen);
    claim_repeatable(f, in, gy, claims);
    return claims.exit_code();
  };
  CHECK(exit_code_of([](const Vars& x) { return x[0] * x[0]; }) == 0);
  double factor = 1;
  CHECK(exit_code_of([&](const Vars& x) { return x[0] * (factor += 1); }) == 1);
}
