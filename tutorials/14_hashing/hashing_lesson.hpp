#pragma once
#include <string>

#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter14 {

/// How often two vectors fall into one bucket, counted beside theory, by angle, number of buckets and rounds.
void collisions_section(const lesson::Options& options, lesson::Claims& claims);

/// Sorting, chunks and rounds as maps. They are also written to `picture` unless that is empty.
void pairs_section(const lesson::Options& options, const std::string& picture, lesson::Claims& claims);

/// What LSH attention finds of full attention: by chunks, by rounds, for queries of several kinds.
void errors_section(const lesson::Options& options, lesson::Claims& claims);

/// How rounds are put together, on paper and by the error; what a position gives itself; a causal mask.
void rounds_section(const lesson::Options& options, lesson::Claims& claims);

/// What is drawn must stay: LSH attention in a checkpoint. And the gradient checks.
void drawn_section(const lesson::Options& options, lesson::Claims& claims);

}  // namespace attend::chapter14
