#include "tutorials/seat/compare.hpp"

#include <doctest/doctest.h>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/text.hpp"

using namespace attend;
using namespace attend::seat;
using lesson::Record;
using lesson_test::Paper;

namespace {

lesson::Chart course(const std::vector<double>& losses) {
  lesson::Chart chart{"loss", "step", {}, {{"loss", {}}}, 0, 2};
  for (std::size_t i = 0; i < losses.size(); ++i) {
    chart.places.push_back(std::to_string(i));
    chart.series[0].points.push_back({losses[i], losses[i], losses[i]});
  }
  return chart;
}

std::string compared(const Record& first, const Record& second) {
  Paper paper;
  print_comparison(first, second, paper.screen);
  for (const std::string& line : lesson_test::lines_of(paper.str())) {
    INFO(line);
    CHECK(lesson::columns(line) <= 80);
  }
  return paper.str();
}

const Record plain{"Chapter 05",
                   "./attend run 05",
                   0,
                   12,
                   {{"rows sum to 1", "", "", true}, {"cat looks at mat", "0.30", "at least 0.25", true}},
                   {course({2, 1})}};
const Record broken{"Chapter 05",
                    "./attend run 05 --break no-noun-axis",
                    1,
                    13,
                    {{"cat looks at mat", "0.17", "at least 0.25", false}, {"all alike", "", "", true}},
                    {course({2, 1.5})}};

}  // namespace

TEST_CASE("two runs are compared claim by claim, whatever each of them has alone") {
  const std::string text = compared(plain, broken);
  INFO(text);
  CHECK(text.find("first : ./attend run 05   (12 s, exit code 0)") == 0);
  CHECK(text.find("--break no-noun-axis") != std::string::npos);
  CHECK(text.find("cat looks at mat  at least 0.25  ✓ 0.30  ✗ 0.17") != std::string::npos);
  CHECK(text.find("rows sum to 1                    ✓       -") != std::string::npos);
  CHECK(text.find("all alike                        -       ✓") != std::string::npos);
}

TEST_CASE("courses of the same places stand in one chart, others in none") {
  const std::string text = compared(plain, broken);
  CHECK(text.find("loss") != std::string::npos);
  CHECK(text.find("second") != text.rfind("second"));
  Record longer = broken;
  longer.charts = {course({2, 1, 0.5})};
  CHECK(compared(plain, longer).find("loss") == std::string::npos);
}

TEST_CASE("claims of one name are compared in their order") {
  const Record twice{"", "", 0, 0, {{"difference", "1", "", true}, {"difference", "2", "", true}}, {}};
  const Record once{"", "", 0, 0, {{"difference", "3", "", true}}, {}};
  const std::string text = compared(twice, once);
  INFO(text);
  CHECK(text.find("difference            ✓ 1    ✓ 3") != std::string::npos);
  CHECK(text.find("difference            ✓ 2    -") != std::string::npos);
}
