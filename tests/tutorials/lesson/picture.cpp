#include "tutorials/lesson/picture.hpp"

#include <doctest/doctest.h>

#include "tests/tutorials/lesson/support.hpp"

using namespace attend::lesson;

namespace {

HeatMap small_map() { return {Matrix(2, 2, {0, 1, 0.5, 0.25}), {"a", "<b>"}, {"x", " "}, "a & b"}; }

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

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
