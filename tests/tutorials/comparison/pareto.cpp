#include "tutorials/comparison/pareto.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/support/compare.hpp"

using namespace attend::comparison;

TEST_CASE("the front holds the choices that no other beats in both, from the smallest x on") {
  const std::vector<Candidate> choices = {{"a", 3, 1}, {"b", 1, 5}, {"c", 2, 5}, {"d", 2, 2}, {"e", 4, 1}, {"f", 1, 6}};
  CHECK(front(choices) == std::vector<std::size_t>{1, 3, 0});
  CHECK(front({}).empty());
}

TEST_CASE("the picture names every choice and says the front in words") {
  const std::string svg = pareto_svg("T", "ms", "error", {{"fast <1>", 0.5, 2}, {"slow", 30, 0.1}, {"bad", 40, 3}});
  CHECK(svg.find("1  fast &lt;1&gt;") != std::string::npos);
  CHECK(svg.find("3  bad") != std::string::npos);
  CHECK(svg.find("Not beaten in both: fast &lt;1&gt;, slow.") != std::string::npos);
}

TEST_CASE("a picture of nothing, and of numbers that have no logarithm, is refused") {
  const auto draw = [](double x, double y) { pareto_svg("T", "x", "y", {{"a", x, y}}); };
  attend::test::check_throws_with([] { pareto_svg("T", "x", "y", {}); }, {"pareto_svg: no choices"});
  attend::test::check_throws_with([&] { draw(0, 1); }, {"pareto_svg: 'a'", "positive"});
  attend::test::check_throws_with([&] { draw(1, std::numeric_limits<double>::infinity()); }, {"pareto_svg: 'a'"});
}
