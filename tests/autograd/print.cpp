#include "autograd/print.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "autograd/ops.hpp"

using namespace attend;

TEST_CASE("a Var prints its numbers and where they come from") {
  const Var x = Var::parameter(Tensor::from({0, 1}, {2}));
  CHECK(to_string(x) == "float32 [2], leaf\n[0.0, 1.0]");
  CHECK(to_string(tanh(x)) == "float32 [2], from tanh\n[0.0000, 0.7616]");
  CHECK(to_string(detach(x)) == "float32 [2], constant\n[0.0, 1.0]");
  CHECK(to_string(Var()) == "no tensor");
  PrintOptions options;
  options.note = "step 3";
  CHECK(to_string(x, options) == "float32 [2], leaf, step 3\n[0.0, 1.0]");
  std::ostringstream out;
  out << x;
  CHECK(out.str() == to_string(x));
}
