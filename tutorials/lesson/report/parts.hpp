#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/heatmap.hpp"

/// What a report holds that nothing else has a type for.

namespace attend::lesson {

/// A claim as it was printed; the two texts in the middle are empty for one without a figure.
struct Claim {
  std::string what, measured, expected;
  bool held;
};

/// One map, the heads of a layer, or a map at several steps of the training.
enum class MapsOf { one, heads, training };

/// Heat maps of the same thing, each with the label that it is chosen by.
struct MapFigure {
  MapsOf kind;
  std::string title;
  std::vector<std::string> labels;
  std::vector<HeatMap> maps;
};

}  // namespace attend::lesson
