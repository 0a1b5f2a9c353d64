#pragma once
#include <string>
#include <vector>

#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter13 {

/// A figure with its name in results.tsv.
struct Named {
  std::string name;
  double value;
};

/// A task that needs no sharp look, and one that does.
std::vector<Named> learning_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter13
