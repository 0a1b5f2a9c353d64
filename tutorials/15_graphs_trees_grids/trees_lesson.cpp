#include "tutorials/15_graphs_trees_grids/trees_lesson.hpp"

#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter15 {

using namespace lesson;

std::vector<Break> trees_breaks() { return {}; }

void trees_lesson(const Options&, const std::string&, Claims&) {}

}  // namespace attend::chapter15
