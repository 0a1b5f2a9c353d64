// Threads. Work is cut into pieces by sizes alone, and the number of threads decides only who does a piece: the same
// seed gives the same bits with one thread or with many.
#pragma once
#include "tensor/shape.hpp"

namespace attend {

/// How many threads the kernels use; 1 in the beginning. Throws std::invalid_argument when n < 1.
void set_threads(Size n);
Size threads();

/// Calls work(context, first, last) for ranges that cover 0 .. count − 1; ranges of at most `grain` are not divided.
/// A call from inside `work` runs on the calling thread.
void parallel_ranges(Size count, Size grain, void (*work)(void*, Size, Size), void* context);

template <class Work>
void parallel(Size count, Size grain, Work work) {
  parallel_ranges(
      count, grain, [](void* context, Size first, Size last) { (*static_cast<Work*>(context))(first, last); }, &work);
}

}  // namespace attend
