// "Which one when" gives a number as the reason for each advice. It must still stand on the page of the chapter that
// the row leads to, or in what ./attend variants prints, further down.
#include <doctest/doctest.h>

#include <regex>
#include <set>
#include <sstream>

#include "tutorials/lesson/data.hpp"

namespace {

const std::string folder = std::string(ATTEND_SOURCE_DIR) + "/tutorials/comparison/";

// 4,096 and 0.29 and 1.77e+03 and 20.6–21.5.
std::set<std::string> numbers_of(const std::string& text) {
  static const std::regex number("[0-9]+(?:[.,][0-9]+)*(?:e[+-]?[0-9]+)?(?:–[0-9]+(?:[.][0-9]+)?)?");
  std::set<std::string> numbers;
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) numbers.insert(it->str());
  return numbers;
}

// Counts of a few are words; what was measured has a point.
bool is_measured(const std::string& number) { return number.find('.') != std::string::npos; }

// The numbers of the row that are found neither in `below` nor in `chapter`.
std::string unfounded(const std::string& row, const std::string& below, const std::string& chapter) {
  const std::set<std::string> here = numbers_of(below), there = numbers_of(chapter);
  std::string all;
  for (const std::string& number : numbers_of(row)) {
    if (is_measured(number) && here.count(number) == 0 && there.count(number) == 0) all += number + " ";
  }
  return all;
}

}  // namespace

TEST_CASE("each number that gives a reason is printed by the chapter of its row or by the comparison") {
  const std::string page = attend::lesson::read_text(folder + "README.md");
  const std::string below = page.substr(page.find("\n## What it costs"));
  static const std::regex link(R"(\]\(([^)]*README\.md)\) \|$)");
  int rows = 0;
  std::istringstream lines(page.substr(page.find("\n| need |")));
  for (std::string line; std::getline(lines, line) && line.rfind("## ", 0) != 0;) {
    std::smatch parts;
    if (!std::regex_search(line, parts, link)) continue;
    CAPTURE(line);
    ++rows;
    const std::string chapter = attend::lesson::read_text(folder + parts[1].str());
    CHECK(unfounded(std::regex_replace(line, link, ""), below, chapter) == "");
  }
  CHECK(rows >= 20);
}

TEST_CASE("a number that nobody prints is found") {
  CHECK(unfounded("| 4,096: 4.28 ms, 20.6–21.5 % |", "x 4.28 y", "| a | 20.6–21.5 % |") == "");
  CHECK(unfounded("| 4.29 ms, 20.6–21.6 % |", "x 4.28 y", "| a | 20.6–21.5 % |") == "20.6–21.6 4.29 ");
}
