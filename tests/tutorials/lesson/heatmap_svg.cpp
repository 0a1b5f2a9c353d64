#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "tutorials/lesson/heatmap.hpp"

using namespace attend::lesson;

namespace {

Size occurrences(const std::string& text, const std::string& part) {
  Size n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a heat map as SVG has a square with a tooltip for each cell, in the colours of the scale") {
  const std::string picture = svg({Matrix(2, 3, {0, 0.5, 1, 1, 0, std::nan("")}), {"r", " "}, {"a", "b", "c"}, "map"});
  CHECK(occurrences(picture, "<rect ") == 1 + 6);
  CHECK(occurrences(picture, "<title>") == 6);
  CHECK(occurrences(picture, "fill='#440154'") == 2);  // viridis at 0
  CHECK(occurrences(picture, "<title>r, b: 0.5</title>") == 1);
  CHECK(occurrences(picture, "<title>␣, c: nan</title>") == 1);
  CHECK(occurrences(picture, ">map</text>") == 1);
  CHECK(picture.substr(picture.size() - 7) == "</svg>\n");
}

TEST_CASE("labels of an SVG heat map cannot break its markup") {
  const std::string picture = svg({Matrix(1, 1, {1}), {"<de>"}, {"\"&\n"}, "a < b"});
  CHECK(occurrences(picture, "&lt;de&gt;, \"&amp;␊: 1") == 1);
  CHECK(occurrences(picture, "a &lt; b") == 1);
  CHECK(occurrences(picture, "<de>") == 0);
}

TEST_CASE("long column labels of an SVG heat map are turned") {
  CHECK(occurrences(svg({Matrix(1, 2, {0, 1}), {}, {"one", "two"}}), "rotate(-90") == 2);
  CHECK(occurrences(svg({Matrix(1, 2, {0, 1}), {}, {"1", "2"}}), "rotate") == 0);
}

TEST_CASE("an SVG heat map needs labels that match its matrix") {
  CHECK_THROWS_AS(svg({Matrix(1, 2, {0, 1}), {}, {"one"}}), std::invalid_argument);
  CHECK(occurrences(svg({Matrix(0, 0, {})}), "<rect ") == 1);
}
