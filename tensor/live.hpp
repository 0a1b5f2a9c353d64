// What is alive: history nodes, blocks of memory, bytes. Tests use it to show that nothing is left behind, chapters to
// show what a backward pass must remember.
#pragma once
#include <cstddef>

namespace attend {

struct Live {
  std::ptrdiff_t nodes = 0;       // history nodes, leaves included
  std::ptrdiff_t blocks = 0;      // blocks of memory that some tensor owns
  std::ptrdiff_t bytes = 0;       // their size
  std::ptrdiff_t peak_bytes = 0;  // the largest `bytes` since the program began or since reset_peak()
};

Live live();
/// Starts the peak anew from what is alive now.
void reset_peak();

/// Called by the engine alone, when a history node is made (+1) or freed (−1).
void count_node(int change);

}  // namespace attend
