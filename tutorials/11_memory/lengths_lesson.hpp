#pragma once
#include <string>
#include <vector>

#include "tutorials/11_memory/halves_lesson.hpp"
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter11 {

/// All forms of sequences.hpp over longer and longer texts. Gives what it measured; the chart is written to `picture`
/// unless that is empty.
std::vector<Named> lengths_section(const lesson::Options& options, std::uint64_t seed, const std::string& picture,
                                   lesson::Claims& claims);

}  // namespace attend::chapter11
