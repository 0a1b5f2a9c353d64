// The numbers that the page of chapter 08 works out on paper, and those it states about the models.
#include <doctest/doctest.h>

#include <cmath>

#include "nn/schedule.hpp"
#include "tests/support/compare.hpp"
#include "tests/tutorials/on_page.hpp"
#include "tutorials/08_transformer/writing.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter08;
using lesson::fixed;
using lesson::significant;

namespace {

const test::OnPage on_page("08_transformer");

Tensor column(const std::vector<double>& values) {
  return Tensor::from(values, {1, static_cast<Size>(values.size()), 1}, DType::float64);
}

// Zero queries and keys: every word looks evenly at all it may look at.
std::vector<double> causal_means(const std::vector<double>& values) {
  const Var zero(column({0, 0, 0}));
  return scaled_dot_attention(zero, zero, Var(column(values)), {causal_mask(3, 3)}).context.value().to_vector();
}

std::string row(const std::string& name, const std::vector<double>& values) {
  std::string text = "| " + name + " |";
  for (double x : values) text += " " + fixed(x, 1) + " |";
  return text;
}

// Symbols: 0 a, 1 b, 2 the end, 3 the beginning. p(a) = 0.6, p(b) = 0.4; after a the end has 0.5, after b it has 0.9.
NextSymbol two_words() {
  return {[](const Tensor& last) {
    std::vector<double> p;
    for (const std::int64_t symbol : last.to_ints()) {
      const std::vector<double> next = symbol == 3   ? std::vector<double>{0.6, 0.4, 0, 0}
                                       : symbol == 0 ? std::vector<double>{0.25, 0.25, 0.5, 0}
                                                     : std::vector<double>{0.05, 0.05, 0.9, 0};
      for (double x : next) p.push_back(std::log(x));
    }
    return Tensor::from(p, {last.size(), 4}, DType::float64);
  }};
}

}  // namespace

TEST_CASE("on paper: with equal scores a causal mask gives running means, and a later value changes no earlier one") {
  CHECK(on_page(row("values 10, 20, 60", causal_means({10, 20, 60}))));
  CHECK(on_page(row("values 10, 20, 90", causal_means({10, 20, 90}))));
}

TEST_CASE("on paper: greedy decoding takes the likelier word and gets the less likely text") {
  DecodingOptions options{3, 2, 5};
  options.beam = 2;
  const Decoded word = greedy(two_words(), 1, options)[0], text = beam_search(two_words(), options)[0];
  CHECK(word.symbols == std::vector<std::int64_t>{0});
  CHECK(text.symbols == std::vector<std::int64_t>{1});
  CHECK(on_page("0.6 · 0.5 = " + fixed(std::exp(word.log_probability), 2)));
  CHECK(on_page("0.4 · 0.9 = " + fixed(std::exp(text.log_probability), 2)));
}

TEST_CASE("on paper: the rates of the paper's schedule") {
  for (const Size step : {1, 2000, 4000, 16000}) {
    const std::string cell =
        "| " + lesson::count(step) + " | " + significant(inverse_square_root_rate(step, 512, 4000), 3) + " |";
    CAPTURE(cell);
    CHECK(on_page(cell));
  }
}
