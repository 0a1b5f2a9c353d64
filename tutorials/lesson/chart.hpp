#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/size.hpp"
#include "tutorials/lesson/terminal.hpp"

/// Charts: how does a figure change along a row of sizes, distances, temperatures?

namespace attend::lesson {

/// A figure as it came out with several seeds; with one, all three are the same.
struct Spread {
  double low, mean, high;
};

/// One curve of a chart: a figure at each of the chart's places.
struct Series {
  std::string name;
  std::vector<Spread> points;
};

struct Chart {
  std::string title;
  std::string along;                ///< what the places are: "d"
  std::vector<std::string> places;  ///< their labels, left to right, at equal distances
  std::vector<Series> series;       ///< at most four, a point for each place
  double low, high;                 ///< the ends of the scale
  Size digits = 2;                  ///< of a value, after the point
};

/// The chart as bars in a terminal, place by place, each with its mean behind it; lines ended by '\n'. Throws
/// std::invalid_argument when a series has not as many points as there are places, or the scale has no length.
std::string render(const Chart& chart, const Screen& screen);

/// Prints it.
void draw(const Chart& chart, const Screen& screen = standard_screen());

/// The chart as an SVG picture: a line through the means of each series, and at each place a bar from the lowest to the
/// highest seed. Its description says the means in words. Throws as `render` does, and for more than four series.
std::string svg(const Chart& chart);

/// Writes the picture to a file, whole or not at all. Throws std::runtime_error when it cannot be written.
void write_svg(const Chart& chart, const std::string& path);

}  // namespace attend::lesson
