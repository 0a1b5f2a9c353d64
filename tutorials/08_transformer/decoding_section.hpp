#pragma once
#include "tutorials/08_transformer/transformer.hpp"
#include "tutorials/lesson/claims.hpp"

/// Writing, in the program: the likeliest word at each step or the likeliest text, and what the cache saves.

namespace attend::chapter08 {

void decoding_section(const translation::Task& task, const Transformer& model, lesson::Claims& claims);

}  // namespace attend::chapter08
