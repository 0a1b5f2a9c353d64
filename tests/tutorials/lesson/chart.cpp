#include "tutorials/lesson/chart.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/tutorials/lesson/support.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

Chart small_chart() {
  return {"a < b", "d", {"16", "64"}, {{"one", {{0, 0.5, 1}, {2, 2, 2}}}, {"two", {{0, 0, 0}, {1, 1, 1}}}}, 0, 2, 1};
}

}  // namespace

TEST_CASE("a chart in a terminal has a bar for each series at each place, as long as its mean") {
  Screen screen = plain(false);
  screen.width = 40;
  // 40 − 2 − 3 − 10 − 4 columns are left for the bars, and the scale ends at 2.
  CHECK(render(small_chart(), screen) ==
        "a < b\n d\n16  one  ##### 0.5\n    two  0.0\n64  one  ##################### 2.0\n    two  =========== 1.0\n");
}

TEST_CASE("a mean outside of the scale ends with it, and one that is no number has no bar") {
  Chart chart = small_chart();
  chart.series[0].points = {{9, 9, 9}, {NAN, NAN, NAN}};
  for (const std::string& line : lines_of(render(chart, plain()))) CHECK(line.size() <= 3 * 80);
  CHECK(render(chart, plain()).find("one  nan") != std::string::npos);
}

TEST_CASE("a picture of a chart has a line and a bar of the seeds for each series, and says the means in words") {
  const std::string picture = svg(small_chart());
  CHECK(occurrences(picture, "<polyline ") == 2);
  CHECK(occurrences(picture, "<circle ") == 4);
  CHECK(picture.find("a &lt; b") != std::string::npos);
  CHECK(picture.find("one: 0.5 at 16, 2.0 at 64; two: 0.0 at 16, 1.0 at 64") != std::string::npos);
  // The bar of the first place goes from 0 to 1, the middle of the scale.
  CHECK(picture.find("y1=\"254.0\" x2=\"86.0\" y2=\"159.0\"") != std::string::npos);
}

TEST_CASE("a chart that cannot be drawn is refused") {
  Chart chart = small_chart();
  chart.series[0].points.pop_back();
  CHECK(thrown<std::invalid_argument>([&] { render(chart, plain()); }) == "Chart: 1 points of 'one' at 2 places");
  chart = small_chart();
  chart.high = chart.low;
  CHECK(thrown<std::invalid_argument>([&] { svg(chart); }) == "Chart: the scale has no length");
  chart = small_chart();
  chart.series.resize(5, chart.series[0]);
  CHECK(thrown<std::invalid_argument>([&] { svg(chart); }) == "Chart: more than four series");
}

TEST_CASE("a chart is written to a file") {
  const Folder folder;
  write_svg(small_chart(), folder.path("chart.svg"));
  CHECK(read_back(folder.path("chart.svg")) == svg(small_chart()));
}
