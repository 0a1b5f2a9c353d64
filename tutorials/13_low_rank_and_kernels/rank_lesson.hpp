#pragma once
#include <string>

#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter13 {

/// Three maps and what Nyström and a Performer make of them. They are also written to `picture` unless that is empty.
void maps_section(const lesson::Options& options, const std::string& picture, lesson::Claims& claims);

/// What is of low rank and what is not, and how near low-rank attention comes to each of the maps.
void rank_section(const lesson::Options& options, lesson::Claims& claims);

}  // namespace attend::chapter13
