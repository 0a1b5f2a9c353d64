// tutorials/notation.md maps the names of papers to ours. A name of ours that stands in it in backquotes must be one of
// the header that the row's last cell names in brackets.
#include <doctest/doctest.h>

#include <regex>

#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/text.hpp"

using attend::lesson::read_text;

namespace {

struct Row {
  std::vector<std::string> names;
  std::string header;  // empty where the row names none
};

// All matches of a pattern's first group.
std::vector<std::string> all(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

// The rows of the tables whose middle cell holds names.
std::vector<Row> rows_of(const std::string& page) {
  static const std::regex quoted("`([^`]+)`"), header(R"(\(`((?:tensor|autograd|nn)/[\w/]+\.hpp)`\) *$)");
  std::vector<Row> rows;
  for (const std::string& line : attend::lesson::split(page, '\n')) {
    const std::vector<std::string> cells = attend::lesson::split(line, '|');
    if (cells.size() != 5) continue;  // "", elsewhere, here, what it is, ""
    Row row{all(cells[2], quoted), ""};
    if (row.names.empty()) continue;
    const auto headers = all(cells[3], header);
    if (!headers.empty()) row.header = headers[0];
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

TEST_CASE("every name of ours in the table of notation stands in the header that is named beside it") {
  const std::string root = std::string(ATTEND_SOURCE_DIR) + "/";
  const std::vector<Row> rows = rows_of(read_text(root + "tutorials/notation.md"));
  CHECK(rows.size() > 20);
  for (const Row& row : rows) {
    CAPTURE(row.names[0]);
    REQUIRE_MESSAGE(row.header != "", "the row names no header");
    const std::string text = read_text(root + row.header);
    for (const std::string& name : row.names) {
      CHECK_MESSAGE(std::regex_search(text, std::regex("\\b" + name + "\\b")), name << " is not in " << row.header);
    }
  }
}

TEST_CASE("names are read from the middle cell, the header from the last") {
  const auto rows = rows_of(
      "| elsewhere | here | what it is |\n|---|---|---|\n| `d_k` | d | a width (`nn/gru.hpp`) |\n"
      "| h | `heads`, on pages `h` | how many (`nn/a/b.hpp`) |\n| x | `y` | z |\n");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].names == std::vector<std::string>{"heads", "h"});
  CHECK(rows[0].header == "nn/a/b.hpp");
  CHECK(rows[1].header == "");
}
