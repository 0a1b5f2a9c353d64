#include "tutorials/lesson/heatmap.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/text.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

HeatMap small() { return {Matrix(2, 3, {0, 0.5, 1, 1, 0, not_a_number}), {"la", "car"}, {"a", "b", "c"}, "map"}; }

/// A ramp of many columns with one digit each as label.
HeatMap wide(Size columns) {
  std::vector<double> values;
  std::vector<std::string> labels;
  for (Size i = 0; i < columns; ++i) {
    values.push_back(static_cast<double>(i) / static_cast<double>(columns));
    labels.push_back(std::to_string(i % 10));
  }
  return {Matrix(1, columns, values), {"row"}, labels};
}

Size widest_line(const std::string& text) {
  Size width = 0;
  for (const std::string& line : lines_of(without_colours(text))) width = std::max(width, columns(line));
  return width;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a heat map without colours is drawn with shades") {
  CHECK(render(small(), plain()) ==
        "map\n"
        "     a b c\n"
        " la │  ▒▒██│\n"
        "car │██  ? │\n"
        "\n"
        "scale: 0 │  ····░░░░▒▒▒▒▓▓▓▓██│ 1   ? = not a number\n");
}

TEST_CASE("a heat map without Unicode is drawn with ASCII") {
  const std::string picture = render(small(), plain(false));
  CHECK(contains(picture, " la |  ++@@|\n"));
  CHECK(std::all_of(picture.begin(), picture.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST_CASE("a coloured cell is painted and the colours end before the border") {
  const std::string picture = render(small(), coloured(Colour::true_colour));
  CHECK(contains(picture, "\x1b[48;2;253;231;37;38;2;0;0;0m  \x1b[0m│\n"));
  CHECK(contains(picture, "\x1b[0m? \x1b[0m│"));
  CHECK(contains(without_colours(picture), "car │    ? │"));
  CHECK(contains(render(small(), coloured(Colour::palette_256)), "\x1b[48;5;53;38;5;231m"));
}

TEST_CASE("a heat map is never wider than the screen") {
  for (const Colour colour : {Colour::none, Colour::palette_256, Colour::true_colour}) {
    for (const Size width : {1, 10, 37, 38, 75, 76, 77, 200}) {
      CHECK(widest_line(render(wide(width), coloured(colour))) <= 80);
    }
  }
}

TEST_CASE("a map too wide for the screen is split into blocks, or cut with a note") {
  HeatMap map = wide(100);
  const std::string blocks = render(map, plain());
  CHECK(contains(blocks, "columns 0 to 73 of 100\n"));
  CHECK(contains(blocks, "columns 74 to 99 of 100\n"));
  map.split = false;
  CHECK(contains(render(map, plain()), "(26 more columns on the right are not shown)\n"));
}

TEST_CASE("labels wider than a cell stand upright, just above it") {
  HeatMap map = wide(40);
  map.column_labels.assign(40, "x");
  map.column_labels[0] = "abc";
  const auto lines = lines_of(render(map, plain()));
  CHECK(lines[0] == "     a");
  CHECK(lines[1] == "     b");
  CHECK(lines[2].substr(0, 8) == "     cxx");
}

TEST_CASE("short labels stay level where there is room for them") {
  const HeatMap map{Matrix(1, 2, {0, 1}), {"r"}, {"the", "red"}};
  CHECK(lines_of(render(map, plain()))[0] == "   the red");
}

TEST_CASE("wide characters and combining marks keep the columns in line") {
  const HeatMap map{Matrix(2, 2, {0, 1, 1, 0}), {"日", "e\u0301"}, {"語", "a"}};
  const auto lines = lines_of(render(map, plain()));
  CHECK(columns(lines[1]) == columns(lines[2]));
  CHECK(lines[0] == "    語 a");
}

TEST_CASE("a label that is a space or a control character can be seen") {
  const HeatMap map{Matrix(1, 2, {0, 1}), {" "}, {"\n", " "}};
  CHECK(contains(render(map, plain()), "␊ ␣"));
}

TEST_CASE("numbers stand in the cells where there is room") {
  HeatMap map = small();
  map.numbers = true;
  CHECK(contains(render(map, plain()), " la │ 0.00 ▒0.50 █1.00 │\ncar │█1.00  0.00  ?    │\n"));
  CHECK(contains(without_colours(render(map, coloured(Colour::true_colour))), " la │.00 .50 1.0 │\n"));

  HeatMap no_room = wide(60);
  no_room.numbers = true;
  CHECK_FALSE(contains(render(no_room, plain()), "0.5"));
}

TEST_CASE("a map may take its own range, and infinities take its ends") {
  const HeatMap map{Matrix(1, 4, {-2, 6, infinity, -infinity}), {}, {}, "", std::nullopt};
  CHECK(contains(render(map, plain()), " │  ████  │\n"));
  CHECK(contains(render(map, plain()), "scale: -2 │"));
  CHECK(contains(render(map, plain()), "│ 6\n"));
}

TEST_CASE("a map of one value, of NaN only, or of nothing is drawn too") {
  CHECK(contains(render({Matrix(1, 1, {3}), {}, {}, "", std::nullopt}, plain()), "│▒▒│"));
  CHECK(contains(render({Matrix(1, 1, {not_a_number}), {}, {}, "", std::nullopt}, plain()), "│? │"));
  CHECK(render({Matrix(0, 3, {}), {}, {}}, plain()) == "(nothing to show)\n");
}

TEST_CASE("labels that do not match the matrix are refused") {
  HeatMap map = small();
  map.column_labels.pop_back();
  CHECK(thrown<std::invalid_argument>([&] { render(map, plain()); }) == "HeatMap: 2 column labels for 3 columns");
  CHECK_THROWS_AS(Matrix(2, 2, {1, 2, 3}), std::invalid_argument);
}

TEST_CASE("a row can be put into words") {
  CHECK(in_words(small(), 0) == "row 0 'la' looks most at 'c' (1.00)");
  CHECK(in_words(small(), 1) == "row 1 'car' looks most at 'a' (1.00)");
  CHECK(in_words({Matrix(1, 3, {0.1, 0.2, 0.7}), {"1"}, {"1", "9", "1"}}, 0) ==
        "row 0 '1' looks most at '1' in column 2 (0.70)");
  CHECK(in_words({Matrix(1, 1, {not_a_number}), {}, {}}, 0) == "row 0 looks nowhere: it holds no number");
  CHECK_THROWS_AS(in_words(small(), 2), std::invalid_argument);
}
