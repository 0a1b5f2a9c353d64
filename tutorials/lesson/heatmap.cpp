#include "tutorials/lesson/heatmap.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <stdexcept>

#include "tutorials/lesson/colour_scale.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/report/report.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
namespace {

constexpr Size longest_row_label = 20;
constexpr Size tallest_column_label = 12;
constexpr Size longest_level_label = 12;  // a longer one stands upright, however much room there is

/// What is decided once for the whole picture.
struct Layout {
  Range range;
  Size label_width;      // columns of the row labels
  Size cell_width;       // columns of one cell
  Size cells_per_block;  // cells side by side
  bool numbers;          // cells hold their value
  bool unit_values;      // every value lies in [0, 1]
  bool short_numbers;    // values as ".83" instead of "0.83"
  const char* border;
};

void check_labels(const std::vector<std::string>& labels, Size wanted, const char* what) {
  if (labels.empty() || size_of(labels) == wanted) return;
  throw std::invalid_argument(
      fill("HeatMap: {} {} labels for {} {}s", {std::to_string(labels.size()), what, std::to_string(wanted), what}));
}

Range own_range(const Matrix& values) {
  bool found = false;
  Range range{0, 1};
  for (const double value : values.all()) {
    if (!std::isfinite(value)) continue;
    range = found ? Range{std::min(range.low, value), std::max(range.high, value)} : Range{value, value};
    found = true;
  }
  return range;
}

std::string brief(double value, const Layout& layout) {
  if (layout.unit_values) return fixed(value, 2);
  const double size = std::abs(value);
  return size >= 10 && size < 1e5 ? fixed(value, 0) : significant(value, 2);
}

std::string number_text(double value, const Layout& layout) {
  if (std::isnan(value)) return "?";
  if (!layout.short_numbers) return brief(value, layout);
  const std::string text = fixed(value, 2);        // "0.83" or "1.00"
  return text[0] == '0' ? text.substr(1) : "1.0";  // three columns each
}

bool within_unit(const Matrix& values) {
  return std::none_of(values.all().begin(), values.all().end(), [](double value) { return value < 0 || value > 1; });
}

Size widest_number(const Matrix& values, const Layout& layout) {
  Size width = 1;
  for (const double value : values.all()) width = std::max(width, size_of(number_text(value, layout)));
  return width;
}

/// A label as it is drawn: one that is only a space would look like no label.
std::string drawn(const std::string& label, const Screen& screen) {
  if (label == " ") return screen.unicode ? "␣" : "_";
  return printable(label);
}

Size widest(const std::vector<std::string>& labels, const Screen& screen) {
  Size width = 0;
  for (const std::string& label : labels) width = std::max(width, columns(drawn(label, screen)));
  return width;
}

/// Columns a cell must have so that every character of an upright label fits.
Size widest_character(const std::vector<std::string>& labels, const Screen& screen) {
  Size width = 1;
  for (const std::string& label : labels) {
    for (const std::string& character : characters(drawn(label, screen))) width = std::max(width, columns(character));
  }
  return width;
}

Layout plan(const HeatMap& map, const Screen& screen) {
  Layout layout{};
  layout.range = scale_of(map);
  layout.label_width = std::min(widest(map.row_labels, screen), longest_row_label);
  layout.border = screen.unicode ? "│" : "|";
  layout.unit_values = within_unit(map.values);
  layout.short_numbers = layout.unit_values && screen.colour != Colour::none;

  const Size room = screen.width - layout.label_width - 3;  // a space and two borders
  const auto fits = [&](Size cell) { return cell * map.values.columns() <= room; };
  const Size ink = screen.colour == Colour::none ? 1 : 0;  // without colours a cell holds its shade, then its number
  const Size with_number =
      std::max(widest_number(map.values, layout) + 1 + ink, widest_character(map.column_labels, screen));
  const Size with_label = widest(map.column_labels, screen) + 1;
  layout.numbers = map.numbers && fits(with_number);

  layout.cell_width = widest_character(map.column_labels, screen);
  if (layout.cell_width < 2 && fits(2)) layout.cell_width = 2;  // a cell of two columns is about square
  const bool upright = with_label > longest_level_label + 1 || !fits(with_label);
  if (!upright) layout.cell_width = std::max(layout.cell_width, with_label);
  if (layout.numbers) layout.cell_width = std::max(with_number, upright ? 0 : with_label);
  layout.cells_per_block = std::max<Size>(1, room / layout.cell_width);
  return layout;
}

std::string cell_text(double value, double level, const Layout& layout, const Screen& screen) {
  const bool coloured = screen.colour != Colour::none;
  const std::string ink = coloured ? "" : std::isnan(value) ? " " : shade(level, screen.unicode);
  if (std::isnan(value) && !layout.numbers) return pad_right("?", layout.cell_width);
  if (!layout.numbers) return coloured ? repeat(" ", layout.cell_width) : repeat(ink, layout.cell_width);
  if (!coloured) return pad_right(ink + number_text(value, layout), layout.cell_width);
  return pad_right(pad_left(number_text(value, layout), layout.cell_width - 1), layout.cell_width);
}

/// The cells of one row from `first` to `last`, colours changed only where they differ from the cell before.
std::string cells(const HeatMap& map, Size row, Size first, Size last, const Layout& layout, const Screen& screen) {
  std::string text, painted;
  for (Size c = first; c < last; ++c) {
    const double value = map.values(row, c);
    const double level = level_of(value, layout.range);
    const std::string colour = std::isnan(value) ? unpaint(screen.colour) : paint(level, screen.colour);
    if (colour != painted) text += colour;
    painted = colour;
    text += cell_text(value, level, layout, screen);
  }
  return text + unpaint(screen.colour);
}

/// The column labels above a block: one line where all fit into their cells, else upright, ending just above the cells.
std::string header(const HeatMap& map, Size first, Size last, const Layout& layout, const Screen& screen) {
  if (map.column_labels.empty()) return "";
  const std::string indent = repeat(" ", layout.label_width + 2);
  const std::vector<std::string> labels(map.column_labels.begin() + first, map.column_labels.begin() + last);
  const auto line_end = [](std::string line) { return line.substr(0, line.find_last_not_of(' ') + 1) + "\n"; };

  // Two labels of two columns each in cells of two would run into each other: longer labels need a gap.
  const Size label_width = widest(map.column_labels, screen);
  if (label_width < layout.cell_width || label_width == 1) {
    std::string line = indent;
    for (const std::string& label : labels) line += pad_right(drawn(label, screen), layout.cell_width);
    return line_end(line);
  }

  std::vector<std::vector<std::string>> upright;
  Size height = 0;
  for (const std::string& label : labels) {
    upright.push_back(characters(drawn(label, screen)));
    if (size_of(upright.back()) > tallest_column_label) {
      upright.back().resize(tallest_column_label);
      upright.back().back() = screen.unicode ? "…" : "~";
    }
    height = std::max(height, size_of(upright.back()));
  }
  std::string text;
  for (Size line_number = 0; line_number < height; ++line_number) {
    std::string line = indent;
    for (const auto& label : upright) {
      const Size at = line_number - (height - size_of(label));
      line += pad_right(at >= 0 ? label[at] : "", layout.cell_width);
    }
    text += line_end(line);
  }
  return text;
}

std::string block(const HeatMap& map, Size first, Size last, const Layout& layout, const Screen& screen) {
  std::string text = header(map, first, last, layout, screen);
  for (Size r = 0; r < map.values.rows(); ++r) {
    const std::string label = map.row_labels.empty() ? "" : drawn(map.row_labels[r], screen);
    const std::string shown = truncate(label, layout.label_width, screen.unicode ? "…" : "~");
    text += pad_left(shown, layout.label_width) + " " + layout.border;
    text += cells(map, r, first, last, layout, screen) + layout.border + "\n";
  }
  return text;
}

bool has_nan(const Matrix& values) {
  return std::any_of(values.all().begin(), values.all().end(), [](double value) { return std::isnan(value); });
}

/// The scale with the values at its ends.
std::string legend(const HeatMap& map, const Layout& layout, const Screen& screen) {
  constexpr Size steps = 20;
  std::string bar;
  for (Size i = 0; i < steps; ++i) {
    const double level = static_cast<double>(i) / (steps - 1);
    bar += paint(level, screen.colour) + (screen.colour == Colour::none ? shade(level, screen.unicode) : " ");
  }
  bar += unpaint(screen.colour);
  const std::string note = has_nan(map.values) ? "   ? = not a number" : "";
  return "scale: " + significant(layout.range.low, 3) + " " + layout.border + bar + layout.border + " " +
         significant(layout.range.high, 3) + note + "\n";
}

std::string quoted(const std::vector<std::string>& labels, Size index) {
  if (labels.empty()) return std::to_string(index);
  const std::string& label = labels[index];
  const std::string text = "'" + printable(label) + "'";
  return std::count(labels.begin(), labels.end(), label) > 1 ? text + " in column " + std::to_string(index) : text;
}

void check(const HeatMap& map) {
  check_labels(map.row_labels, map.values.rows(), "row");
  check_labels(map.column_labels, map.values.columns(), "column");
}

}  // namespace

Range scale_of(const HeatMap& map) { return map.range ? *map.range : own_range(map.values); }

double level_of(double value, const Range& scale) {
  if (!(scale.high > scale.low)) return 0.5;
  if (std::isinf(value)) return value > 0 ? 1 : 0;
  return std::clamp((value - scale.low) / (scale.high - scale.low), 0.0, 1.0);
}

std::string render(const HeatMap& map, const Screen& screen) {
  check(map);
  const Layout layout = plan(map, screen);
  const Size columns_in_all = map.values.columns();
  const bool too_wide = columns_in_all > layout.cells_per_block;

  std::string text;
  if (!map.title.empty()) {
    for (const std::string& line : wrap(printable(map.title), screen.width)) text += line + "\n";
  }
  if (columns_in_all == 0 || map.values.rows() == 0) return text + "(nothing to show)\n";

  for (Size first = 0; first < columns_in_all; first += layout.cells_per_block) {
    const Size last = std::min(columns_in_all, first + layout.cells_per_block);
    if (too_wide && map.split) {
      text += fill("{}columns {} to {} of {}\n", {first == 0 ? "" : "\n", std::to_string(first),
                                                  std::to_string(last - 1), std::to_string(columns_in_all)});
    }
    text += block(map, first, last, layout, screen);
    if (too_wide && !map.split) {
      text += fill("({} more columns on the right are not shown)\n", {std::to_string(columns_in_all - last)});
      break;
    }
  }
  return text + "\n" + legend(map, layout, screen);  // the gap keeps the scale from looking like one more row
}

void draw(const HeatMap& map, const Screen& screen) {
  const std::string text = render(map, screen);  // first, since it throws for what cannot be drawn
  if (screen.report != nullptr) screen.report->map(map);
  *screen.out << text << std::flush;
}

std::string in_words(const HeatMap& map, Size row) {
  check(map);
  if (row < 0 || row >= map.values.rows()) {
    throw std::invalid_argument(
        fill("in_words: row {} of {}", {std::to_string(row), std::to_string(map.values.rows())}));
  }
  std::string text = "row " + std::to_string(row);
  if (!map.row_labels.empty()) text += " '" + printable(map.row_labels[row]) + "'";

  Size best = -1;
  for (Size c = 0; c < map.values.columns(); ++c) {
    const double value = map.values(row, c);
    if (std::isnan(value)) continue;
    if (best < 0 || value > map.values(row, best)) best = c;
  }
  if (best < 0) return text + " looks nowhere: it holds no number";
  return text + " looks most at " + quoted(map.column_labels, best) + " (" + fixed(map.values(row, best), 2) + ")";
}

}  // namespace attend::lesson
