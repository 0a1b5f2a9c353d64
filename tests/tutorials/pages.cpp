// A page states what --full measured, and what it states must be what results.tsv holds. In a page:
//
//   <!-- results: results.tsv -->
//   | figure | over 5 seeds |
//   |---|---|
//   | exact match with attention | 99.2–99.8 % |
//   <!-- /results -->
//
// Every figure of the file must have a row whose second cell is its range, in percent where the cell says so.
//
// And a page must make sense in the terminal too, where the formulas in TeX are left out.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/results.hpp"
#include "tutorials/lesson/text.hpp"

using namespace attend::lesson;
namespace fs = std::filesystem;

namespace {

// The cells of a table's row, or nothing.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  if (line.empty() || line[0] != '|') return cells;
  std::istringstream rest(line.substr(1));
  for (std::string cell; std::getline(rest, cell, '|');) cells.push_back(trimmed(cell, " "));
  return cells;
}

std::string range(const Figure& figure, bool in_percent) {
  const auto shown = [&](double x) { return in_percent ? fixed(100 * x, 1) : significant(x, 4); };
  const std::string low = shown(figure.min), high = shown(figure.max);
  return (low == high ? low : low + "–" + high) + (in_percent ? " %" : "");
}

struct Block {
  std::string file;
  std::vector<std::vector<std::string>> rows;
};

std::vector<Block> blocks_of(const std::string& page) {
  const std::string begin = "<!-- results: ", end = "<!-- /results -->";
  std::vector<Block> blocks;
  bool inside = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (begins(line, begin)) {
      blocks.push_back({line.substr(begin.size(), line.find(" -->") - begin.size()), {}});
      inside = true;
    }
    if (begins(line, end)) inside = false;
    const std::vector<std::string> cells = cells_of(line);
    if (inside && cells.size() >= 2) blocks.back().rows.push_back(cells);
  }
  return blocks;
}

// What is wrong in a block; empty when all is well.
std::string complaint(const Block& block, const Results& results) {
  std::string text;
  for (const Figure& figure : results.figures()) {
    const auto row =
        std::find_if(block.rows.begin(), block.rows.end(), [&](const auto& cells) { return cells[0] == figure.name; });
    if (row == block.rows.end()) {
      text += "no row for '" + figure.name + "'\n";
      continue;
    }
    const bool in_percent = (*row)[1].find('%') != std::string::npos;
    if ((*row)[1] != range(figure, in_percent)) {
      text += "'" + figure.name + "' is " + range(figure, in_percent) + ", not " + (*row)[1] + "\n";
    }
  }
  return text;
}

// The lines that end with a colon and have nothing behind it where the formulas between $$ are left out.
std::vector<std::string> left_hanging(const std::string& page) {
  std::vector<std::string> hanging;
  std::string before;
  bool formulas = false;
  for (const std::string& line : split(page, '\n')) {
    if (line.empty()) continue;
    const bool formula = begins(line, "$$");
    if (formulas && !formula && !before.empty() && before.back() == ':' && !begins(line, "```") && line[0] != '|') {
      hanging.push_back(before);
    }
    formulas = formula;
    if (!formula) before = line;
  }
  return hanging;
}

}  // namespace

TEST_CASE("the ranges that a page states are those of its results") {
  for (const auto& chapter : fs::directory_iterator(std::string(ATTEND_SOURCE_DIR) + "/tutorials")) {
    const fs::path page = chapter.path() / "README.md";
    if (!fs::exists(page)) continue;
    CAPTURE(page.string());
    std::vector<std::string> stated;
    for (const Block& block : blocks_of(read_text(page.string()))) {
      CHECK(complaint(block, Results::read((chapter.path() / block.file).string())) == "");
      stated.push_back(block.file);
    }
    for (const auto& file : fs::directory_iterator(chapter.path())) {
      const std::string name = file.path().filename().string();
      if (name.rfind("results", 0) != 0 || file.path().extension() != ".tsv") continue;
      CAPTURE(name);
      CHECK(std::count(stated.begin(), stated.end(), name) == 1);
    }
  }
}

TEST_CASE("a page with an old number, or without one, is found") {
  Results results;
  results.add("exact match", 1, 0.981);
  results.add("exact match", 2, 0.998);
  results.add("steps", 1, 175);
  const auto complaint_of = [&](const std::string& rows) {
    const std::vector<Block> blocks = blocks_of("text\n<!-- results: r.tsv -->\n| a | b |\n|---|---|\n" + rows +
                                                "<!-- /results -->\n| exact match | 1 % |\n");
    REQUIRE(blocks.size() == 1);
    CHECK(blocks[0].file == "r.tsv");
    return complaint(blocks[0], results);
  };
  CHECK(complaint_of("| exact match | 98.1–99.8 % |\n| steps | 175 |\n") == "");
  CHECK(complaint_of("| exact match | 98.2–99.8 % |\n| steps | 175 |\n") ==
        "'exact match' is 98.1–99.8 %, not 98.2–99.8 %\n");
  CHECK(complaint_of("| exact match | 98.1–99.8 % |\n") == "no row for 'steps'\n");
}

TEST_CASE("what leads to a formula in TeX leads somewhere in the terminal too, which has none") {
  for (const auto& chapter : fs::directory_iterator(std::string(ATTEND_SOURCE_DIR) + "/tutorials")) {
    const fs::path page = chapter.path() / "README.md";
    if (!fs::exists(page)) continue;
    CAPTURE(page.string());
    CHECK(left_hanging(read_text(page.string())) == std::vector<std::string>{});
  }
  CHECK(left_hanging("Here it is:\n\n$$a$$\n\n$$b$$\n\nThen more.\n") == std::vector<std::string>{"Here it is:"});
  CHECK(left_hanging("Here it is:\n\n$$a$$\n\n```\na\n```\n").empty());
}
