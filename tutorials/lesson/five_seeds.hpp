#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tutorials/lesson/claims.hpp"

/// What a run measures with one seed, beside the range of five seeds that the page states.

namespace attend::lesson {

/// A figure with its name in the results, and how far around the range of five seeds it may at least lie: what is
/// learned in part differs a little between machines and compilers.
struct NamedFigure {
  std::string name;
  double value;
  double slack = 0.02;
  bool share = true;  // of right answers: between 0 and 1
};
using NamedFigures = std::vector<NamedFigure>;

/// The value of that name. Throws std::invalid_argument when there is none.
double value_named(const NamedFigures& figures, const std::string& name);

/// The work of --full: measures with the seeds 1 to 5, a heading each, and writes what they gave to the file.
Results measure_five_seeds(const std::string& path, const std::function<NamedFigures(std::uint64_t seed)>& measure);

/// Claims that each figure lies in its range in the file, which is wider by its slack, or by half of the range where
/// that is more. Prints nothing for no figures.
void claim_ranges(const NamedFigures& figures, const std::string& path, Claims& claims);

}  // namespace attend::lesson
