#pragma once
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/options.hpp"

namespace attend::chapter13 {

/// Random features of the softmax kernel: right on average, and how far from it in one draw.
void features_section(const lesson::Options& options, lesson::Claims& claims);

/// How far a Performer is from softmax attention, by the size of queries and keys and the number of directions.
void performer_section(const lesson::Options& options, lesson::Claims& claims);

/// What cancels between the sums and their normaliser, and what does not.
void cancelling_section(const lesson::Options& options, lesson::Claims& claims);

}  // namespace attend::chapter13
