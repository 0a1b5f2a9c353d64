#pragma once
#include <string>

#include "tensor/shape.hpp"
#include "tutorials/lesson/format.hpp"

/// How this chapter writes amounts of memory.

namespace attend::chapter11 {

inline double in_mebibytes(Size bytes) { return static_cast<double>(bytes) / (1 << 20); }
/// "18.1 MiB"
inline std::string mebibytes(Size bytes) { return lesson::fixed(in_mebibytes(bytes), 1) + " MiB"; }

inline double ratio(Size part, Size whole) { return static_cast<double>(part) / static_cast<double>(whole); }

}  // namespace attend::chapter11
