#pragma once

#include <string>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/report/report.hpp"

namespace lesson_test {

/// A screen that writes into a string, and the report that is kept of it.
struct Kept {
  Paper paper;
  attend::lesson::Report report{{"Chapter 03: Additive attention", "./attend run 03 --seed 2"}};

  Kept() { paper.screen.report = &report; }
  std::string page(int exit_code = 0) const { return report.page(exit_code); }
  bool holds(const std::string& part) const { return page().find(part) != std::string::npos; }
};

/// A row of numbers as the page writes it.
inline std::string number_row(const std::vector<std::string>& cells) {
  std::string row;
  for (const std::string& cell : cells) row += "<td class=\"number\">" + cell + "</td>";
  return "<tr>" + row + "</tr>";
}

}  // namespace lesson_test
