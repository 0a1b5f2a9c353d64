#pragma once
#include <string>
#include <utility>
#include <vector>

#include "tutorials/lesson/claims.hpp"

/// What a part of the chapter measures, under the names that it has in the part's results file.

namespace attend::chapter15 {

using Figures = std::vector<std::pair<std::string, double>>;

/// The figure of this name. Throws std::invalid_argument when there is none.
double figure(const Figures& figures, const std::string& name);

/// The path of results_PART.tsv.
std::string results_path(const std::string& part);

/// Claims that each share lies where five seeds had it, as results_PART.tsv says: the last digits depend on compiler
/// and machine.
void claim_ranges(const Figures& figures, const std::string& part, lesson::Claims& claims);

}  // namespace attend::chapter15
