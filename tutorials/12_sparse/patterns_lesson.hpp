#pragma once
#include <string>

#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter12 {

/// The patterns as maps. They are also written to `picture` unless that is empty.
void patterns_section(const lesson::Options& options, const std::string& picture, lesson::Claims& claims);

/// How far stacks of them reach, and the example on paper.
void reach_section(const lesson::Options& options, lesson::Claims& claims);

/// What is drawn must stay: BigBird in a checkpoint. And the gradient checks of the patterns.
void drawn_section(const lesson::Options& options, lesson::Claims& claims);

}  // namespace attend::chapter12
