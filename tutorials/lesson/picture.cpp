#include "tutorials/lesson/picture.hpp"

#include <algorithm>
#include <stdexcept>

#include "tensor/whole_file.hpp"
#include "tutorials/lesson/colour_scale.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
namespace {

constexpr Size cell = 22, letter = 9, margin = 14, title_height = 30;

// Without the commas that people like in large numbers.
std::string number(Size value) { return std::to_string(value); }

Size widest(const std::vector<std::string>& labels) {
  Size most = 0;
  for (const std::string& text : labels) most = std::max(most, columns(text));
  return most;
}

std::string text_at(Size x, Size y, const std::string& anchor, const std::string& text, const std::string& more = "") {
  return fill("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n",
              {number(x), number(y), anchor, more.empty() ? "" : " " + more, text});
}

Size title_width(const std::string& title) { return title.empty() ? 0 : 2 * margin + columns(title) * letter; }

std::string in_words(const HeatMap& map) {
  std::string words;
  for (Size i = 0; i < map.values.rows(); ++i) words += (i == 0 ? "" : "; ") + in_words(map, i);
  return words;
}

// The beginning of a picture, with its white ground.
std::string opening(Size width, Size height, const std::string& title, const std::string& description) {
  std::string out = fill("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" ",
                         {number(width), number(height), number(width), number(height)});
  out += "role=\"img\" font-family=\"monospace\" font-size=\"14\">\n";
  out += "<title>" + escaped(title) + "</title>\n<desc>" + escaped(description);
  return out + fill("</desc>\n<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", {number(width), number(height)});
}

// What is drawn of a map, from (0, 0) on, and the room it takes.
struct Drawing {
  Size width, height;
  std::string marks;
};

Drawing drawing(const HeatMap& map) {
  const Size rows = map.values.rows(), width_in_cells = map.values.columns();
  const Range scale = scale_of(map);
  // Where a column label does not fit over its cell, words stand upright; single characters never need to.
  const Size longest = widest(map.column_labels);
  const auto upright = [longest](Size length) { return longest * letter > cell && length > 1; };
  const Size left = margin + widest(map.row_labels) * letter + 8;
  const Size top = margin + (map.title.empty() ? 0 : title_height) + (upright(longest) ? longest * letter : cell);

  std::string marks;
  if (!map.title.empty()) marks += text_at(margin, margin + 12, "start", escaped(map.title));
  for (std::size_t j = 0; j < map.column_labels.size(); ++j) {
    const Size x = left + static_cast<Size>(j) * cell + cell / 2;
    const std::string turn = fill("transform=\"rotate(-90 {} {})\"", {number(x + 5), number(top - 6)});
    marks += upright(columns(map.column_labels[j]))
                 ? text_at(x + 5, top - 6, "start", escaped_label(map.column_labels[j]), turn)
                 : text_at(x, top - 6, "middle", escaped_label(map.column_labels[j]));
  }
  for (Size i = 0; i < rows; ++i) {
    const Size y = top + i * cell;
    if (!map.row_labels.empty()) {
      marks += text_at(left - 8, y + cell - 6, "end", escaped_label(map.row_labels[static_cast<std::size_t>(i)]));
    }
    for (Size j = 0; j < width_in_cells; ++j) {
      marks += fill("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                    {number(left + j * cell), number(y), number(cell - 1), number(cell - 1),
                     hex(scale_colour(level_of(map.values(i, j), scale)))});
    }
  }
  const Size width = std::max(left + width_in_cells * cell + margin, title_width(map.title));
  return {width, top + rows * cell + margin, marks};
}

void write_whole(const std::string& picture, const std::string& path) {
  WholeFile file(path);
  file.stream() << picture;
  file.commit();
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string escaped_label(const std::string& label) { return escaped(label == " " ? "␣" : printable(label)); }

std::string svg(const HeatMap& map) {
  const Drawing drawn = drawing(map);
  return opening(drawn.width, drawn.height, map.title, in_words(map)) + drawn.marks + "</svg>\n";
}

std::string svg(const std::string& title, const std::vector<HeatMap>& maps, Size across) {
  if (maps.empty() || across < 1) {
    throw std::invalid_argument("svg: " + number(size_of(maps)) + " maps, " + number(across) + " in a row");
  }
  std::vector<Drawing> drawings;
  Size cell_width = 0, cell_height = 0;  // of the grid in which the maps stand
  std::string words;
  for (const HeatMap& map : maps) {
    drawings.push_back(drawing(map));
    cell_width = std::max(cell_width, drawings.back().width);
    cell_height = std::max(cell_height, drawings.back().height);
    words += (words.empty() ? "" : "; ") + map.title + ": " + in_words(map);
  }
  across = std::min(across, size_of(maps));
  const Size down = (size_of(maps) + across - 1) / across;
  const Size width = std::max(across * cell_width, title_width(title)), height = title_height + down * cell_height;

  std::string out = opening(width, height, title, words) + text_at(margin, margin + 12, "start", escaped(title));
  for (Size i = 0; i < size_of(maps); ++i) {
    out += fill("<g transform=\"translate({} {})\">\n",
                {number(i % across * cell_width), number(title_height + i / across * cell_height)});
    out += drawings[static_cast<std::size_t>(i)].marks + "</g>\n";
  }
  return out + "</svg>\n";
}

void write_svg(const HeatMap& map, const std::string& path) { write_whole(svg(map), path); }

void write_svg(const std::string& title, const std::vector<HeatMap>& maps, Size across, const std::string& path) {
  write_whole(svg(title, maps, across), path);
}

}  // namespace attend::lesson
