#pragma once
#include <string>
#include <vector>

#include "tutorials/lesson/five_seeds.hpp"
#include "tutorials/lesson/options.hpp"

/// What the three parts of the chapter have in common: each is a lesson that prints, claims, and gives its figures.

namespace attend::chapter16 {

/// A part: its name for --task, the file of its results, its breaks, and its lesson. With --full the lesson leaves out
/// what no seed changes, with --quick all long trainings. `picture` is where to draw, or empty.
struct Part {
  std::string name, results;
  std::vector<std::string> breaks;
  lesson::NamedFigures (*lesson)(const lesson::Options& options, std::uint64_t seed, const std::string& picture,
                                 lesson::Claims& claims);
};

}  // namespace attend::chapter16
