// Kernels on several threads: what they compute must not depend on how many there are.
#pragma once
#include <functional>

#include "autograd/var.hpp"
#include "tensor/parallel.hpp"

namespace attend::test {

/// So many threads while it lives, and one again behind it.
struct Threads {
  explicit Threads(Size count) { set_threads(count); }
  ~Threads() { set_threads(1); }
};

/// Fails at the caller's line unless `train` returns the same parameters, to the last bit, with 1, 2 and 3 threads. A
/// model whose kernels are too small to be divided would prove nothing: of its parallel calls at least `divided` must
/// have been.
void check_threads_change_no_bit(const std::function<Vars()>& train, Size divided, const char* file = __builtin_FILE(),
                                 int line = __builtin_LINE());

}  // namespace attend::test
