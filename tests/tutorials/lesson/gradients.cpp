#include "tutorials/lesson/gradients.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/tutorials/lesson/support.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace lesson_test;

namespace {

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
