#pragma once
#include <string>
#include <vector>

#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

/// Grids: a pixel attends within its row, its column, its window.

namespace attend::chapter15 {

/// What --break knows in this part.
std::vector<lesson::Break> grids_breaks();

/// Prints and claims this part, with the effort of the options: --quick takes at most three seconds, and --full writes
/// results_grids.tsv. A path that is not empty gets the part's picture.
void grids_lesson(const lesson::Options& options, const std::string& picture, lesson::Claims& claims);

}  // namespace attend::chapter15
