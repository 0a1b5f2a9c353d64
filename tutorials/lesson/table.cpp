#include "tutorials/lesson/table.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/report/report.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
namespace {

using Cells = std::vector<std::string>;

constexpr Size gap = 2;

/// "12", "-0.5", "1,200", "99.2 %", "3.1e-9", "1.2 ms", and "-" or "" for a figure that is missing.
bool looks_like_number(const std::string& cell) {
  if (cell.empty() || cell == "-" || cell == "–" || cell == "—" || cell == "?") return true;
  std::string digits = cell;
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  char* rest = nullptr;
  std::strtod(digits.c_str(), &rest);
  if (rest == digits.c_str()) return false;
  const std::string unit = *rest == ' ' ? rest + 1 : rest;
  return columns(unit) <= 3 && std::none_of(unit.begin(), unit.end(), [](unsigned char c) { return std::isdigit(c); });
}

Size longest_word(const std::string& cell) {
  Size width = 0;
  for (const std::string& word : wrap(cell, 1)) width = std::max(width, columns(word));
  return width;
}

/// Takes columns from whatever is widest and can still be wrapped, until the table fits.
void shrink(std::vector<Size>& widths, const std::vector<Size>& smallest, Size limit) {
  Size total = -gap;
  for (const Size width : widths) total += width + gap;
  for (; total > limit; --total) {
    Size victim = -1;
    for (Size c = 0; c < size_of(widths); ++c) {
      if (widths[c] > smallest[c] && (victim < 0 || widths[c] > widths[victim])) victim = c;
    }
    if (victim < 0) return;
    --widths[victim];
  }
}

/// One row of cells, on as many lines as its tallest cell needs.
std::string lines_of(const Cells& cells, const std::vector<Size>& widths, const std::vector<bool>& right) {
  std::vector<Cells> wrapped;
  Size height = 1;
  for (Size c = 0; c < size_of(cells); ++c) {
    wrapped.push_back(wrap(cells[c], widths[c]));
    height = std::max(height, size_of(wrapped.back()));
  }
  std::string text;
  for (Size i = 0; i < height; ++i) {
    std::string line;
    for (Size c = 0; c < size_of(cells); ++c) {
      const std::string cell = i < size_of(wrapped[c]) ? wrapped[c][i] : "";
      line += (c == 0 ? "" : repeat(" ", gap)) + (right[c] ? pad_left(cell, widths[c]) : pad_right(cell, widths[c]));
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

Table::Table(std::vector<std::string> headers) : headers_(std::move(headers)) {}

void Table::row(std::vector<std::string> cells, std::string note) {
  if (cells.size() != headers_.size()) {
    throw std::invalid_argument(fill("Table: a row of {} cells under {} headers",
                                     {std::to_string(cells.size()), std::to_string(headers_.size())}));
  }
  cells.push_back(std::move(note));
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

std::vector<bool> Table::aligned_right() const {
  std::vector<bool> right;
  for (std::size_t c = 0; c < headers_.size(); ++c) {
    right.push_back(!rows_.empty() && std::all_of(rows_.begin(), rows_.end(),
                                                  [&](const Cells& row) { return looks_like_number(row[c]); }));
  }
  return right;
}

std::string Table::render(const Screen& screen) const {
  Cells headers = headers_;
  headers.push_back("");
  const bool notes = std::any_of(rows_.begin(), rows_.end(), [](const Cells& row) { return !row.back().empty(); });

  std::vector<Size> widths, smallest;
  for (Size c = 0; c < size_of(headers); ++c) {
    widths.push_back(columns(headers[c]));
    smallest.push_back(longest_word(headers[c]));
    for (const Cells& row : rows_) {
      widths[c] = std::max(widths[c], columns(row[c]));
      // A number keeps together with its unit.
      smallest[c] = std::max(smallest[c], looks_like_number(row[c]) ? columns(row[c]) : longest_word(row[c]));
    }
  }
  shrink(widths, smallest, screen.width + (notes ? 0 : gap));
  std::vector<bool> right = aligned_right();
  right.push_back(false);  // the notes

  Cells rules;
  for (Size c = 0; c < size_of(headers_); ++c) rules.push_back(repeat(screen.unicode ? "─" : "-", widths[c]));
  rules.push_back("");
  std::string text = lines_of(headers, widths, right) + lines_of(rules, widths, right);
  for (const Cells& row : rows_) text += lines_of(row, widths, right);
  return text;
}

void Table::print(const Screen& screen) const {
  if (screen.report != nullptr) screen.report->table(headers_, rows_, aligned_right());
  *screen.out << render(screen) << std::flush;
}

}  // namespace attend::lesson
