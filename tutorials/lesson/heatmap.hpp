#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tutorials/lesson/matrix.hpp"
#include "tutorials/lesson/terminal.hpp"

/// Heat maps in a terminal: which key does each query look at?

namespace attend::lesson {

/// The values at the two ends of a colour scale.
struct Range {
  double low, high;
};

/// A matrix and how to show it. A row is a query (or an output character), a column a key (or an input character).
struct HeatMap {
  Matrix values;
  std::vector<std::string> row_labels;     ///< UTF-8, one per row, or none at all
  std::vector<std::string> column_labels;  ///< UTF-8, one per column, or none at all
  std::string title = "";
  std::optional<Range> range = Range{0, 1};  ///< nothing: from the smallest to the largest value of the map itself
  bool numbers = false;                      ///< also print each value, where all columns fit with it
  bool split = true;                         ///< too wide: further blocks below; false: cut, with a note
};

/// The values at the ends of the map's scale: its range, or its own smallest and largest value.
Range scale_of(const HeatMap& map);

/// Where a value lies on a scale, 0 to 1; outside of it, at the nearer end. A scale of one point shows its middle.
double level_of(double value, const Range& scale);

/// The picture as text, lines ended by '\n', none wider than the screen. Cells take as many columns as there is room
/// for; column labels stand upright where they are wider than a cell. Values outside of the range take the colour of
/// its nearer end; NaN is a '?'. Throws std::invalid_argument when the labels do not match the matrix.
std::string render(const HeatMap& map, const Screen& screen);

/// Prints the picture.
void draw(const HeatMap& map, const Screen& screen = standard_screen());

/// A row in words, for those who cannot see the picture: "row 3 '1' looks most at '9' (0.83)". Rows count from 0, as in
/// the code. Labels that occur twice are told apart by their position: "'9' in column 7".
std::string in_words(const HeatMap& map, Size row);

}  // namespace attend::lesson
