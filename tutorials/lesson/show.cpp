#include "tutorials/lesson/show.hpp"

#include <ostream>

#include "tutorials/lesson/narration.hpp"
#include "tutorials/lesson/report/report.hpp"

namespace attend::lesson {
namespace {

/// The same place to print to, of which no report is kept: what is printed there is only a part of what it gets.
Screen without_report(Screen screen) {
  screen.report = nullptr;
  return screen;
}

}  // namespace

void show_heads(const std::string& title, const std::vector<HeatMap>& heads, const Screen& screen) {
  if (heads.empty()) return;
  for (const HeatMap& head : heads) draw(head, without_report(screen));
  if (screen.report != nullptr) screen.report->heads(title, heads);
}

void show_over_training(const std::string& title, const std::vector<Moment>& moments, const Screen& screen) {
  if (moments.empty()) return;
  draw(moments.back().map, without_report(screen));
  if (screen.report != nullptr) screen.report->over_training(title, moments);
}

void show_overlay(const std::string& title, const std::vector<std::vector<Overlay>>& rows, const Screen& screen) {
  if (screen.report != nullptr && !rows.empty()) screen.report->overlays(title, rows);
}

void show_graph(const Graph& graph, const Screen& screen) {
  say(graph.title + ": " + in_words(graph), without_report(screen));
  if (screen.report != nullptr) screen.report->graph(graph);
}

}  // namespace attend::lesson
