#include "tutorials/lesson/report/html.hpp"

#include <cmath>

#include "tutorials/lesson/colour_scale.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/picture.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson::html {
namespace {

constexpr Size levels = 32;              // of colour; the number is in the cell
constexpr Size most_numbers = 16;        // columns up to which cells show their numbers
constexpr Size longest_level_label = 4;  // of a column; longer ones stand upright

std::string labelled(const std::string& text) { return text.empty() ? "" : element("figcaption", escaped(text)); }

std::string number_text(double value) {
  if (std::isnan(value)) return "?";
  return value >= 0 && value <= 1 ? fixed(value, 2) : significant(value, 3);
}

std::string cell(double value, const Range& scale) {
  if (std::isnan(value)) return element("td class=\"no-number\"", "?");
  const auto level = std::lround(level_of(value, scale) * static_cast<double>(levels - 1));
  return element("td class=\"l" + std::to_string(level) + "\"", number_text(value));
}

std::string label_or_number(const std::vector<std::string>& labels, Size index) {
  return labels.empty() ? std::to_string(index) : labels[index];
}

/// Whether there are too many columns for their numbers.
bool is_small(const HeatMap& map) { return map.values.columns() > most_numbers; }

std::string head_of(const HeatMap& map) {
  const Size longest_level = is_small(map) ? 1 : longest_level_label;
  std::string cells = "<td></td>";
  for (Size c = 0; c < map.values.columns(); ++c) {
    const std::string label = label_or_number(map.column_labels, c);
    const bool upright = columns(label) > longest_level;
    cells += element(upright ? "th scope=\"col\" class=\"upright\"" : "th scope=\"col\"",
                     element("span", escaped_label(label)));
  }
  return element("thead", element("tr", cells));
}

std::string table_of(const HeatMap& map, const std::string& name) {
  const Range scale = scale_of(map);
  std::string rows;
  for (Size r = 0; r < map.values.rows(); ++r) {
    std::string cells = element("th scope=\"row\"", escaped_label(label_or_number(map.row_labels, r)));
    for (Size c = 0; c < map.values.columns(); ++c) cells += cell(map.values(r, c), scale);
    rows += element("tr", cells) + "\n";
  }
  const std::string form = is_small(map) ? "map small" : "map";
  const std::string opening = fill("table class=\"{}\" aria-label=\"{}\"", {form, escaped(name)});
  return element(opening, head_of(map) + "\n" + element("tbody", "\n" + rows));
}

std::string scale_bar(const Range& scale) {
  return element("p class=\"scale\"",
                 significant(scale.low, 3) + " <span class=\"bar\"></span> " + significant(scale.high, 3));
}

std::string frame(const MapFigure& maps, std::size_t i) {
  const HeatMap& map = maps.maps[i];
  const bool alone = maps.kind == MapsOf::one;
  const std::string name = alone ? maps.title : maps.title + ", " + maps.labels[i];
  const std::string head = alone ? "" : element("h3", escaped(maps.labels[i]));
  return element("div class=\"frame\"",
                 head + element("div class=\"wide\"", table_of(map, name)) + scale_bar(scale_of(map))) +
         "\n";
}

std::string kind_of(const MapFigure& maps) {
  switch (maps.kind) {
    case MapsOf::heads:
      return "heads";
    case MapsOf::training:
      return "training";
    default:
      return "one";
  }
}

std::vector<std::string> cells_of(const Chart& chart, std::size_t place) {
  std::vector<std::string> cells = {chart.places[place]};
  for (const Series& series : chart.series) {
    const Spread& at = series.points[place];
    const std::string mean = fixed(at.mean, chart.digits);
    const bool spread = at.low < at.high;
    cells.push_back(spread ? fill("{} ({} to {})", {mean, fixed(at.low, chart.digits), fixed(at.high, chart.digits)})
                           : mean);
  }
  cells.emplace_back();
  return cells;
}

// A figure of SVG, with its text below, to be unfolded. `attributes` are those of the figure.
std::string picture(const std::string& attributes, const std::string& title, const std::string& svg,
                    const std::string& as_text) {
  return element("figure " + attributes, labelled(title) + element("div class=\"wide\"", svg) +
                                             element("details", element("summary", "The same as text") + as_text));
}

}  // namespace

std::string element(const std::string& tag, const std::string& content) {
  return "<" + tag + ">" + content + "</" + tag.substr(0, tag.find(' ')) + ">";
}

std::string paragraph(const std::string& text) {
  const std::string whole = escaped(trimmed(text, "\n"));
  return whole.find('\n') == std::string::npos ? element("p", whole) : element("pre", whole);
}

std::string flow(const std::vector<Traced>& trace) {
  std::string items;
  for (const Traced& traced : trace) {
    items += element("li", element("strong", escaped(traced.name)) + " " + element("code", text(traced.shape)) + " " +
                               element("span", escaped(traced.meaning)));
  }
  return element("ol class=\"flow\"", items);
}

std::string card(const Claim& claim) {
  std::string lines = element("span class=\"mark\"", claim.held ? "✓ held" : "✗ not held");
  lines += element("span class=\"what\"", escaped(claim.what));
  if (!claim.measured.empty()) {
    lines += element("strong", escaped(claim.measured)) + element("span", "expected: " + escaped(claim.expected));
  }
  return element(std::string("li class=\"") + (claim.held ? "held" : "broken") + "\"", lines);
}

std::string table(const std::vector<std::string>& headers, const std::vector<std::vector<std::string>>& rows,
                  const std::vector<bool>& right) {
  const auto aligned = [&](const std::string& tag, std::size_t column) {
    return column < right.size() && right[column] ? tag + " class=\"number\"" : tag;
  };
  std::string head, body;
  for (std::size_t c = 0; c < headers.size(); ++c) {
    head += element(aligned("th scope=\"col\"", c), escaped(headers[c]));
  }
  for (const std::vector<std::string>& row : rows) {
    std::string cells;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c < headers.size() || !row[c].empty()) cells += element(aligned("td", c), escaped(row[c]));
    }
    body += element("tr", cells) + "\n";
  }
  return element("div class=\"wide\"",
                 element("table", element("thead", element("tr", head)) + "\n" + element("tbody", "\n" + body)));
}

std::string suggestions(const std::vector<Suggestion>& suggestions) {
  std::string items;
  for (const Suggestion& one : suggestions) {
    items += element("li", element("code", escaped(one.command)) + " " + escaped(one.shows));
  }
  return element("ul", items);
}

std::string figure(const Chart& chart) {
  std::vector<std::string> headers = {chart.along};
  std::vector<std::vector<std::string>> rows;
  for (const Series& series : chart.series) headers.push_back(series.name);
  for (std::size_t place = 0; place < chart.places.size(); ++place) rows.push_back(cells_of(chart, place));
  return picture("class=\"chart\"", "", svg(chart), table(headers, rows, std::vector<bool>(headers.size(), true)));
}

std::string figure(const std::string& title, const std::vector<std::vector<Overlay>>& rows) {
  std::string items;
  for (const std::vector<Overlay>& row : rows) {
    for (const Overlay& panel : row) items += element("li", escaped(in_words(panel)));
  }
  return picture("class=\"overlay\"", title, svg(rows, title), element("ul", items));
}

std::string figure(const MapFigure& maps, Size number) {
  std::string frames;
  for (std::size_t i = 0; i < maps.maps.size(); ++i) frames += frame(maps, i);
  return element(
      fill("figure class=\"maps\" data-kind=\"{}\" data-figure=\"{}\"", {kind_of(maps), std::to_string(number)}),
      labelled(maps.title) + "\n" + element("div class=\"frames\"", "\n" + frames));
}

std::string figure(const Graph& graph, Size number) {
  std::string items;
  for (Size node = 0; node < size_of(graph.nodes); ++node) {
    items += element("li", escaped(node_in_words(graph, node)));
  }
  return picture(fill("class=\"graph\" data-figure=\"{}\"", {std::to_string(number)}), graph.title, svg(graph),
                 element("ul", items));
}

std::string colours() {
  std::string sheet, stops;
  for (Size i = 0; i < levels; ++i) {
    const Rgb colour = scale_colour(static_cast<double>(i) / (levels - 1));
    sheet += fill(".l{}", {std::to_string(i)}) + "{background:" + hex(colour) +
             ";color:" + (needs_black_text(colour) ? "#000" : "#fff") + "}\n";
    stops += (i == 0 ? "" : ",") + hex(colour);
  }
  return sheet + ".bar{background:linear-gradient(to right," + stops + ")}\n";
}

}  // namespace attend::lesson::html
