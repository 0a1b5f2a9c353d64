#pragma once
#include <vector>

#include "tutorials/lesson/options.hpp"
#include "tutorials/lesson/translation/recurrent_translator.hpp"

/// What the chapter's programs break on purpose.

namespace attend::chapter03 {

std::vector<lesson::Break> breaks();

/// What stands between reader and writer: attention, or what --break asks for.
translation::Bridge bridge_of(const lesson::Options& options);

}  // namespace attend::chapter03
