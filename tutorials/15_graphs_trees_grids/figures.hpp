#pragma once
#include <string>

#include "tutorials/lesson/five_seeds.hpp"

/// What the parts of the chapter measure, and where it is kept.

namespace attend::chapter15 {

using Figures = lesson::NamedFigures;

/// How far around its range a share of this chapter may at least lie.
constexpr double slack = 0.03;

/// The path of results_PART.tsv.
std::string results_path(const std::string& part);

}  // namespace attend::chapter15
