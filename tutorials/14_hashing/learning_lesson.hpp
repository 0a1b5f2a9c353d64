#pragma once
#include <string>
#include <vector>

#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter14 {

/// A figure with its name in results.tsv.
struct Named {
  std::string name;
  double value;
};

/// Three tasks: one that hashes can do, one that needs more pairs than they form, and one against shared queries and
/// keys.
std::vector<Named> learning_section(const lesson::Options& options, std::uint64_t seed, lesson::Claims& claims);

}  // namespace attend::chapter14
