#pragma once
#include <string>

#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter11 {

/// What backward must remember, op by op.
void remembered_section(lesson::Claims& claims);

/// Checkpoints: memory against the number of segments. The curve is written to `picture` unless that is empty.
void segments_section(const lesson::Options& options, const std::string& picture, lesson::Claims& claims);

}  // namespace attend::chapter11
