#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

/// What the three parts of the chapter have in common: each is a lesson that prints, claims, and gives its figures.

namespace attend::chapter16 {

/// A figure with its name in the results, and how far around the range of five seeds it may lie.
struct Named {
  std::string name;
  double value;
  double slack = 0.02;
  bool share = true;  // of right answers: between 0 and 1
};

/// A part: its name for --task, the file of its results, its breaks, and its lesson. With --full the lesson leaves out
/// what no seed changes, with --quick all long trainings. `picture` is where to draw, or empty.
struct Part {
  std::string name, results;
  std::vector<std::string> breaks;
  std::vector<Named> (*lesson)(const lesson::Options& options, std::uint64_t seed, const std::string& picture,
                               lesson::Claims& claims);
};

}  // namespace attend::chapter16
