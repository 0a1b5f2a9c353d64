#include "tutorials/lesson/picture.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

HeatMap small_map() { return {Matrix(2, 2, {0, 1, 0.5, 0.25}), {"a", "<b>"}, {"x", " "}, "a & b"}; }

}  // namespace

TEST_CASE("a picture has a rectangle for every cell and one behind them") {
  CHECK(occurrences(svg(small_map()), "<rect ") == 5);
}

TEST_CASE("the smallest value has the darkest colour of the scale and the largest the lightest") {
  const std::string picture = svg(small_map());
  CHECK(occurrences(picture, "fill=\"#440154\"") == 1);
  CHECK(occurrences(picture, "fill=\"#fde725\"") == 1);
}

TEST_CASE("labels and title are escaped, and a space is made visible") {
  const std::string picture = svg(small_map());
  CHECK(picture.find("a &amp; b") != std::string::npos);
  CHECK(picture.find("&lt;b&gt;") != std::string::npos);
  CHECK(picture.find("<b>") == std::string::npos);
  CHECK(picture.find("␣") != std::string::npos);
}

TEST_CASE("a picture says its rows in words") {
  CHECK(svg(small_map()).find("looks most at 'x' (0.50)") != std::string::npos);
}

TEST_CASE("a title that is wider than its map is not cut off") {
  HeatMap map = small_map();
  map.title = std::string(40, 'm');
  CHECK(svg(map).find("width=\"388\"") != std::string::npos);  // two margins of 14 and 40 letters of 9
}

TEST_CASE("several maps stand in one picture, each with all its cells and its rows in words") {
  HeatMap other = small_map();
  other.title = "c";
  const std::string picture = svg("heads", {small_map(), other, other}, 2);
  CHECK(occurrences(picture, "<rect ") == 1 + 3 * 4);
  CHECK(occurrences(picture, "<svg ") == 1);
  CHECK(occurrences(picture, "<g transform=\"translate(") == 3);
  CHECK(picture.find(">heads</text>") != std::string::npos);
  CHECK(picture.find("a &amp; b: row 0 'a' looks most at") != std::string::npos);
  CHECK(occurrences(picture, "c: row 0 'a' looks most at") == 2);
}

TEST_CASE("maps fill a row before the next begins") {
  const HeatMap map = small_map();
  const std::string picture = svg("t", {map, map, map}, 2);
  CHECK(occurrences(picture, "translate(0 ") == 2);
  CHECK_THROWS_AS(svg("t", {}, 2), std::invalid_argument);
  CHECK_THROWS_AS(svg("t", {map}, 0), std::invalid_argument);
}
