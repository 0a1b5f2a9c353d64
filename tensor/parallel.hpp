// Threads. A kernel cuts its work into pieces by sizes alone, and what a piece computes does not depend on the range of
// pieces in which a thread gets it: so the same seed gives the same bits with one thread or with many.
#pragma once
#include "tensor/shape.hpp"

namespace attend {

/// How many threads the kernels use; 1 in the beginning, and in a child process after fork(). Where another thread is
/// inside a kernel, waits for its end. Throws std::invalid_argument, and changes nothing, when n is not within
/// 1 .. 1024, when the system does not give so many, and from inside the work of a parallel call.
void set_threads(Size n);
Size threads();
/// How many parallel calls have been divided among threads since the program began: what shows that some work is large
/// enough to be.
Size divided_calls();

/// Calls work(context, first, last) for ranges of pieces that cover 0 .. count − 1: one for each thread, but at most
/// one for every `grain` >= 1 pieces begun; a range may be empty. A call from inside `work` runs on the calling thread.
/// What `work` throws is thrown when all ranges have ended.
void parallel_ranges(Size count, Size grain, void (*work)(void*, Size, Size), void* context);

template <class Work>
void parallel(Size count, Size grain, Work work) {
  parallel_ranges(
      count, grain, [](void* context, Size first, Size last) { (*static_cast<Work*>(context))(first, last); }, &work);
}

}  // namespace attend
