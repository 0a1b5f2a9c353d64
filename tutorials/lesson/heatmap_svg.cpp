#include <algorithm>
#include <cmath>

#include "tutorials/lesson/colour_scale.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/heatmap.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
namespace {

constexpr Size cell = 22, letter = 9, margin = 12;  // pixels; a letter is as wide as that or less

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string label_text(const std::vector<std::string>& labels, Size index) {
  if (labels.empty()) return std::to_string(index);
  return labels[index] == " " ? "␣" : escaped(labels[index]);
}

Size widest(const std::vector<std::string>& labels) {
  Size width = 0;
  for (const std::string& label : labels) width = std::max(width, columns(label));
  return width;
}

std::string hex(const Rgb& colour) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "#";
  for (const int part : {colour.red, colour.green, colour.blue}) {
    text += digits[part / 16];
    text += digits[part % 16];
  }
  return text;
}

std::string number(Size value) { return std::to_string(value); }

/// Letters, `anchor` being start, middle or end; those of a turned text run upwards from (x, y).
std::string words(Size x, Size y, const std::string& anchor, const std::string& text, bool turned = false) {
  const std::string turn = turned ? fill(" transform='rotate(-90 {} {})'", {number(x), number(y)}) : "";
  return fill("<text x='{}' y='{}' text-anchor='{}'{}>{}</text>", {number(x), number(y), anchor, turn, text}) + "\n";
}

std::string square(Size x, Size y, const std::string& colour, const std::string& tooltip) {
  return fill("<rect x='{}' y='{}' width='{}' height='{}' fill='{}'><title>{}</title></rect>",
              {number(x), number(y), number(cell), number(cell), colour, tooltip}) +
         "\n";
}

}  // namespace

std::string svg(const HeatMap& map) {
  check(map);
  const Range range = range_of(map);
  const Size rows = map.values.rows(), width = map.values.columns();
  const bool turned = widest(map.column_labels) > 2;
  const Size above = map.column_labels.empty() ? 0 : turned ? letter * widest(map.column_labels) + 6 : cell;
  const Size left = margin + letter * widest(map.row_labels) + (map.row_labels.empty() ? 0 : 6);
  const Size top = margin + (map.title.empty() ? 0 : cell) + above;
  const Size right = std::max(left + width * cell, margin + letter * columns(map.title)) + margin;
  const Size bottom = top + rows * cell + margin;

  std::string out = fill("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {} {}' width='{}' height='{}' ",
                         {number(right), number(bottom), number(right), number(bottom)});
  out += "font-family='monospace' font-size='14'>\n<rect width='100%' height='100%' fill='#ffffff'/>\n";
  if (!map.title.empty()) out += words(margin, margin + 12, "start", escaped(map.title));
  for (Size c = 0; c < width && !map.column_labels.empty(); ++c) {
    const Size middle = left + c * cell + cell / 2;
    out += turned ? words(middle + 5, top - 5, "start", label_text(map.column_labels, c), true)
                  : words(middle, top - 6, "middle", label_text(map.column_labels, c));
  }
  for (Size r = 0; r < rows; ++r) {
    const Size y = top + r * cell;
    if (!map.row_labels.empty()) out += words(left - 6, y + 16, "end", label_text(map.row_labels, r));
    for (Size c = 0; c < width; ++c) {
      const double value = map.values(r, c);
      const std::string colour = std::isnan(value) ? "#ffffff" : hex(scale_colour(level_of(value, range)));
      const std::string tooltip =
          fill("{}, {}: {}", {label_text(map.row_labels, r), label_text(map.column_labels, c), significant(value, 3)});
      out += square(left + c * cell, y, colour, tooltip);
    }
  }
  return out + "</svg>\n";
}

}  // namespace attend::lesson
