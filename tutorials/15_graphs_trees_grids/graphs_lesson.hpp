#pragma once
#include <string>
#include <vector>

#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

/// Graphs: a node attends along edges.

namespace attend::chapter15 {

/// What --break knows in this part.
std::vector<lesson::Break> graphs_breaks();

/// Prints and claims this part, with the effort of the options: --quick takes at most three seconds, and --full writes
/// results_graphs.tsv. A path that is not empty gets the part's picture.
void graphs_lesson(const lesson::Options& options, const std::string& picture, lesson::Claims& claims);

}  // namespace attend::chapter15
