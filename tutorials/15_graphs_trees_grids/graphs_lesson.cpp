#include "tutorials/15_graphs_trees_grids/graphs_lesson.hpp"

#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter15 {

using namespace lesson;

std::vector<Break> graphs_breaks() { return {}; }

void graphs_lesson(const Options&, const std::string&, Claims&) {}

}  // namespace attend::chapter15
