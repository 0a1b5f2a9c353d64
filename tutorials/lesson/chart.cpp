#include "tutorials/lesson/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <stdexcept>

#include "tensor/whole_file.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/picture.hpp"
#include "tutorials/lesson/report/report.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
namespace {

// Blue, orange, green and grey that differ in lightness too, each with a form of its own for its marks.
struct Look {
  const char* colour;
  const char* dashes;
};
constexpr std::array<Look, 4> looks{
    {{"#0b559f", "none"}, {"#d95f02", "7 4"}, {"#1b7837", "2 3"}, {"#666666", "9 3 2 3"}}};

constexpr double width = 640, height = 300, left = 56, right = 16, top = 64, bottom = 46;

void check(const Chart& chart) {
  if (!(chart.high > chart.low)) throw std::invalid_argument("Chart: the scale has no length");
  for (const Series& series : chart.series) {
    if (series.points.size() == chart.places.size()) continue;
    throw std::invalid_argument(
        fill("Chart: {} points of '{}' at {} places",
             {std::to_string(series.points.size()), series.name, std::to_string(chart.places.size())}));
  }
}

double level(const Chart& chart, double value) {
  return std::clamp((value - chart.low) / (chart.high - chart.low), 0.0, 1.0);
}

std::string at(double x) { return fixed(x, 1); }

double x_of(const Chart& chart, std::size_t place) {
  const double steps = std::max<double>(1, static_cast<double>(chart.places.size()) - 1), margin = 30;
  return left + margin + (width - left - right - 2 * margin) * static_cast<double>(place) / steps;
}

double y_of(const Chart& chart, double value) {
  return height - bottom - level(chart, value) * (height - top - bottom);
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return fill("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", {at(x1), at(y1), at(x2), at(y2), style});
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& text) {
  return fill("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", {at(x), at(y), anchor, escaped(text)});
}

std::string means_in_words(const Chart& chart, const Series& series) {
  std::string words = series.name + ":";
  for (std::size_t i = 0; i < chart.places.size(); ++i) {
    words += (i > 0 ? ", " : " ") + fixed(series.points[i].mean, chart.digits) + " at " + chart.places[i];
  }
  return words;
}

// Scale and places, without the curves.
std::string frame(const Chart& chart) {
  std::string out = text_at(left, 18, "start", chart.title);
  constexpr int parts = 4;
  for (int i = 0; i <= parts; ++i) {
    const double value = chart.low + (chart.high - chart.low) * i / parts, y = y_of(chart, value);
    out += line(left, y, width - right, y, "stroke=\"#dddddd\"");
    out += text_at(left - 6, y + 4, "end", significant(value, 3));
  }
  for (std::size_t i = 0; i < chart.places.size(); ++i) {
    out += text_at(x_of(chart, i), height - bottom + 18, "middle", chart.places[i]);
  }
  return out + text_at((left + width - right) / 2, height - 8, "middle", chart.along);
}

std::string curve(const Chart& chart, std::size_t number) {
  const Series& series = chart.series[number];
  const std::string stroke = fill("stroke=\"{}\" stroke-width=\"2\"", {looks[number].colour});
  std::string points, out;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const Spread& spread = series.points[i];
    const double x = x_of(chart, i), y = y_of(chart, spread.mean);
    points += at(x) + "," + at(y) + " ";
    out += line(x, y_of(chart, spread.low), x, y_of(chart, spread.high), stroke);
    for (double end : {spread.low, spread.high}) out += line(x - 5, y_of(chart, end), x + 5, y_of(chart, end), stroke);
    out += fill("<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{}\"/>\n", {at(x), at(y), looks[number].colour});
  }
  const std::string dashes = fill("stroke-dasharray=\"{}\"", {looks[number].dashes});
  out += fill("<polyline points=\"{}\" fill=\"none\" {} {}/>\n", {points, stroke, dashes});
  const double x = left + static_cast<double>(number % 2) * 290, y = 34 + static_cast<double>(number / 2) * 16;
  out += line(x, y, x + 26, y, stroke + " " + dashes);
  return out + text_at(x + 32, y + 4, "start", series.name);
}

}  // namespace

std::string render(const Chart& chart, const Screen& screen) {
  check(chart);
  Size place_width = columns(chart.along), name_width = 0;
  for (const std::string& place : chart.places) place_width = std::max(place_width, columns(place));
  for (const Series& series : chart.series) name_width = std::max(name_width, columns(series.name));
  constexpr Size number_width = 10;
  const Size room = std::max<Size>(8, screen.width - place_width - name_width - number_width - 4);

  std::string out = chart.title + "\n";
  out += pad_left(chart.along, place_width) + "\n";
  for (std::size_t i = 0; i < chart.places.size(); ++i) {
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const double mean = chart.series[s].points[i].mean;
      const bool nan = std::isnan(mean);
      const Size cells = nan ? 0 : static_cast<Size>(std::lround(level(chart, mean) * static_cast<double>(room)));
      out += pad_left(s == 0 ? chart.places[i] : "", place_width) + "  " + pad_right(chart.series[s].name, name_width) +
             "  " + repeat(screen.unicode ? (s % 2 == 0 ? "█" : "▒") : (s % 2 == 0 ? "#" : "="), cells) +
             (cells > 0 ? " " : "") + fixed(mean, chart.digits) + "\n";
    }
  }
  return out;
}

void draw(const Chart& chart, const Screen& screen) {
  const std::string text = render(chart, screen);  // first, since it throws for what cannot be drawn
  if (screen.report != nullptr) screen.report->chart(chart);
  *screen.out << text << std::flush;
}

std::string svg(const Chart& chart) {
  check(chart);
  if (chart.series.size() > looks.size()) throw std::invalid_argument("Chart: more than four series");
  std::string out = fill("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" ",
                         {fixed(width, 0), fixed(height, 0), fixed(width, 0), fixed(height, 0)});
  out += "role=\"img\" font-family=\"monospace\" font-size=\"13\">\n";
  out += "<title>" + escaped(chart.title) + "</title>\n<desc>";
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    out += (s > 0 ? "; " : "") + escaped(means_in_words(chart, chart.series[s]));
  }
  out += fill("</desc>\n<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", {fixed(width, 0), fixed(height, 0)});
  out += frame(chart);
  for (std::size_t s = 0; s < chart.series.size(); ++s) out += curve(chart, s);
  return out + "</svg>\n";
}

void write_svg(const Chart& chart, const std::string& path) {
  WholeFile file(path);
  file.stream() << svg(chart);
  file.commit();
}

}  // namespace attend::lesson
