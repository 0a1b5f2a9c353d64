#include "tutorials/lesson/table.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/text.hpp"

using namespace attend::lesson;
using namespace lesson_test;

TEST_CASE("a table aligns numbers on the right and text on the left") {
  Table table({"model", "exact", "steps"});
  table.row({"attention", "99.2 %", "350"});
  table.row({"日本", "3 %", "-"}, "same size");
  CHECK(table.render(plain()) ==
        "model       exact  steps\n"
        "─────────  ──────  ─────\n"
        "attention  99.2 %    350\n"
        "日本          3 %      -  same size\n");
}

TEST_CASE("a column with one text among its numbers is text") {
  Table table({"a"});
  table.row({"12"});
  table.row({"3 March 2024"});
  CHECK(lines_of(table.render(plain()))[2] == "12");
}

TEST_CASE("a table too wide for the screen wraps its widest column") {
  Table table({"name", "what it does"});
  std::string sentence;
  for (int i = 0; i < 30; ++i) sentence += "word ";
  table.row({"first", sentence});
  table.row({"second", "short"});
  const auto lines = lines_of(table.render(plain(false)));
  CHECK(lines.size() > 4);
  for (const std::string& line : lines) CHECK(columns(line) <= 80);
}

TEST_CASE("a single long word is not cut, even where the table gets wider than the screen") {
  Table table({"x"});
  table.row({std::string(100, 'a')});
  CHECK(lines_of(table.render(plain()))[2] == std::string(100, 'a'));
}

TEST_CASE("a row of the wrong length is refused") {
  Table table({"a", "b"});
  CHECK(thrown<std::invalid_argument>([&] { table.row({"1"}); }) == "Table: a row of 1 cells under 2 headers");
}

TEST_CASE("a table without rows shows its headers") { CHECK(lines_of(Table({"a", "b"}).render(plain())).size() == 2); }
