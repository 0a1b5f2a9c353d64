#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/heatmap.hpp"

/// Heat maps as pictures for pages.

namespace attend::lesson {

/// The heat map as an SVG picture, in the colours of the terminal's. Its description says each row in words.
std::string svg(const HeatMap& map);

/// Several heat maps in one picture, `across` of them in a row: one for each head, say. Its description says each row
/// of each map in words. Throws std::invalid_argument when there is no map, or `across` is below 1.
std::string svg(const std::string& title, const std::vector<HeatMap>& maps, Size across);

/// A text as SVG and HTML can hold it, also between double quotes: &, <, > and " in their long form.
std::string escaped(const std::string& text);

/// The label of a row or column, escaped; one that is only a space is shown as ␣, for it would look like none.
std::string escaped_label(const std::string& label);

/// Writes the picture to a file, whole or not at all. Throws std::runtime_error when it cannot be written.
void write_svg(const HeatMap& map, const std::string& path);
void write_svg(const std::string& title, const std::vector<HeatMap>& maps, Size across, const std::string& path);

}  // namespace attend::lesson
