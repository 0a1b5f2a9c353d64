#include "tutorials/15_graphs_trees_grids/figures.hpp"

namespace attend::chapter15 {

std::string results_path(const std::string& part) {
  return std::string(ATTEND_CHAPTER_DIR) + "/results_" + part + ".tsv";
}

}  // namespace attend::chapter15
