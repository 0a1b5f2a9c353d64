// The numbers that the page of chapter 12 works out on paper.
#include <doctest/doctest.h>

#include "nn/attention/local.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/12_sparse/reach.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter12;
using namespace attend::test;
using lesson::fixed;

namespace {

const OnPage on_page("12_sparse");

}  // namespace

TEST_CASE("the page shows what three layers of a window of 1 make of 10, 20, 30, 40") {
  const Var none = Tensor::zeros({1, 1, 4, 1}, DType::float64);
  Var y = Tensor::from({10, 20, 30, 40}, {1, 1, 4, 1}, DType::float64);
  for (int layer = 1; layer <= 3; ++layer) {
    y = LocalAttention(1, 1)(none, none, y).context;
    std::string shown = "| " + std::to_string(layer) + " |";
    for (double number : y.value().to_vector()) shown += " " + fixed(number, 2) + " |";
    const double derivative = on_paper()[static_cast<std::size_t>(layer - 1)];
    shown += " " + (derivative == 0 ? std::string("0") : fixed(derivative, 4)) + " |";
    CAPTURE(shown);
    CHECK(on_page(shown));
  }
}

TEST_CASE("the derivative after three layers is 1/18: of the ways from the last to the first there is one") {
  const std::vector<double> found = on_paper();
  CHECK(found[0] == 0);
  CHECK(found[1] == 0);
  check_close(found[2], 1.0 / 2 * (1.0 / 3) * (1.0 / 3), 0, 1e-15);
}
