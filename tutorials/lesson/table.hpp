#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/terminal.hpp"

namespace attend::lesson {

/// A table in text. A column in which every cell is a number (a unit of up to three characters, such as " %" or " ms",
/// may follow) is aligned on the right, every other one on the left.
///
///     Table table({"model", "exact", "steps to 95 %"});
///     table.row({"attention", "99.2 %", "350"});
///     table.row({"no attention", "41.0 %", "-"}, "same size");
///     table.print();
class Table {
 public:
  explicit Table(std::vector<std::string> headers);

  /// Adds a row; `note` is printed behind its last cell. Throws std::invalid_argument when the number of cells is not
  /// that of the headers.
  void row(std::vector<std::string> cells, std::string note = "");

  /// The table as text, lines ended by '\n'. Where it would be wider than the screen, the widest columns are wrapped at
  /// spaces; a single word is never cut, so a long one can still make it wider.
  std::string render(const Screen& screen) const;

  /// Prints it.
  void print(const Screen& screen = standard_screen()) const;

 private:
  /// For each column whether it is aligned on the right.
  std::vector<bool> aligned_right() const;

  std::vector<std::string> headers_;
  std::vector<std::vector<std::string>> rows_;  // with the note as one more cell
};

}  // namespace attend::lesson
