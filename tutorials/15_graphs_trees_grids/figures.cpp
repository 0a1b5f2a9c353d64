#include "tutorials/15_graphs_trees_grids/figures.hpp"

#include <algorithm>
#include <stdexcept>

#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter15 {

double figure(const Figures& figures, const std::string& name) {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const auto& one) { return one.first == name; });
  if (found == figures.end()) throw std::invalid_argument("chapter 15: no figure '" + name + "'");
  return found->second;
}

std::string results_path(const std::string& part) {
  return std::string(ATTEND_CHAPTER_DIR) + "/results_" + part + ".tsv";
}

void claim_ranges(const Figures& figures, const std::string& part, lesson::Claims& claims) {
  lesson::heading("As the page states");
  lesson::say("Each share, and how far around the range of five seeds it may lie.\n");
  const lesson::Results stated = lesson::Results::read(results_path(part));
  for (const auto& [name, value] : figures) {
    const lesson::Figure range = stated.at(name);
    claims.share_as_stated(value, range, std::max(0.03, 0.5 * (range.max - range.min)));
  }
}

}  // namespace attend::chapter15
