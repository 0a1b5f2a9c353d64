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

/// Two tasks: one that asks for a place, and one that asks for a content.
std::vector<Named> learning_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter13
