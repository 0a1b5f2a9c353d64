#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/graph.hpp"
#include "tutorials/lesson/heatmap.hpp"
#include "tutorials/lesson/overlay.hpp"
#include "tutorials/lesson/terminal.hpp"

/// Views that are more than a terminal can show: the whole goes to the report, where one is kept (--report).

namespace attend::lesson {

/// The heads of a layer, or other maps side by side, one heat map each, whose titles name them: "head 1". A terminal
/// shows them one below the other; a report side by side, or one of them, chosen by a button. Nothing for no heads.
void show_heads(const std::string& title, const std::vector<HeatMap>& heads, const Screen& screen = standard_screen());

/// A map as it was at a step of the training.
struct Moment {
  Size step;
  HeatMap map;
};

/// How a map came to be: a terminal shows the last moment, a report all of them under a slider. Nothing for none.
void show_over_training(const std::string& title, const std::vector<Moment>& moments,
                        const Screen& screen = standard_screen());

/// Rows of images with weights, all of them: for the report alone. What of it a terminal has room for, `draw` shows.
void show_overlay(const std::string& title, const std::vector<std::vector<Overlay>>& rows,
                  const Screen& screen = standard_screen());

/// A graph: a terminal tells its title and heaviest edges, a report draws it and follows the edges of one node.
void show_graph(const Graph& graph, const Screen& screen = standard_screen());

}  // namespace attend::lesson
