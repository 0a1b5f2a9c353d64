#include "tutorials/15_graphs_trees_grids/grids_lesson.hpp"

#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter15 {

using namespace lesson;

std::vector<Break> grids_breaks() { return {}; }

void grids_lesson(const Options&, const std::string&, Claims&) {}

}  // namespace attend::chapter15
