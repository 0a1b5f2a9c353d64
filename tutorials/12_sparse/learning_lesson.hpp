#pragma once
#include <string>
#include <vector>

#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter12 {

/// A figure with its name in results.tsv.
struct Named {
  std::string name;
  double value;
};

/// Two tasks, one that a window can do and one that it cannot, with all patterns side by side.
std::vector<Named> learning_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter12
