// The numbers that the page of chapter 11 works out on paper.
#include <doctest/doctest.h>

#include <cmath>

#include "autograd/checkpoint.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/11_memory/halves.hpp"
#include "tutorials/11_memory/running.hpp"
#include "tutorials/11_memory/segments.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter11;
using namespace attend::test;
using lesson::fixed;

namespace {

const OnPage on_page("11_memory");

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text;
}

std::string pair(const std::vector<double>& two) { return fixed(two[0], 0) + ", " + fixed(two[1], 0); }

}  // namespace

TEST_CASE("the page shows the running softmax of the example, block by block") {
  const std::vector<PaperStep> steps = on_paper();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const PaperStep& step = steps[i];
    const std::string shown = row({std::to_string(i + 1), pair(step.scores), pair(step.values), fixed(step.highest, 0),
                                   i == 0 ? "–" : fixed(step.factor, 4), fixed(step.normaliser, 4), fixed(step.sum, 4),
                                   fixed(step.sum / step.normaliser, 4)});
    CAPTURE(shown);
    CHECK(on_page(shown));
  }
}

TEST_CASE("the example ends with softmax of all six scores, by loops") {
  const std::vector<double> scores = {1, 3, 5, 2, 4, 0}, values = {10, 20, 30, 40, 50, 60};
  double sum = 0, normaliser = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    sum += std::exp(scores[i] - 5) * values[i];
    normaliser += std::exp(scores[i] - 5);
  }
  const PaperStep last = on_paper().back();
  check_close(last.sum, sum, 0, 1e-13);
  check_close(last.normaliser, normaliser, 0, 1e-13);
  check_close(on_paper(1000).back().sum, sum, 0, 1e-13);
}

TEST_CASE("the page shows what 16 layers remember in segments, and they do") {
  const Chain chain = tanh_chain(16, 64, 16, 1);
  const Size tensor = chain.x.value().block_bytes();
  for (const Size segments : {1, 2, 4, 8, 16}) {
    const Size inputs = segments - 1, layers = 16 / segments;
    const std::string shown = row(
        {std::to_string(segments), std::to_string(inputs), std::to_string(layers), std::to_string(inputs + layers)});
    CAPTURE(shown);
    CHECK(on_page(shown));
    CHECK(remembered_tensors(16, segments) == inputs + layers);
    CHECK(step_in_segments(chain, segments).remembered == tensor * (inputs + layers));
  }
}

TEST_CASE("the page shows what float16 and bfloat16 make of 1 + 1/1000, 0.1, 70000 and a hundred-millionth") {
  for (const double x : {1.001, 0.1, 70000.0, 1e-8}) {
    const auto cell = [](double value) { return std::isinf(value) ? std::string("∞") : lesson::significant(value, 6); };
    const std::string shown =
        row({lesson::exact(x), cell(rounded(x, DType::float16)), cell(rounded(x, DType::bfloat16))});
    CAPTURE(shown);
    CHECK(on_page(shown));
  }
}
