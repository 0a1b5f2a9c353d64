// What a computation costs, counted while it runs: multiplications and memory traffic, in all and per op.
#pragma once
#include <map>
#include <string>

#include "tensor/shape.hpp"

namespace attend {

/// Multiplications (a division counts as one; the inside of exp, tanh and their kin is not counted) and bytes of the
/// operands and of the result, each counted once.
struct Cost {
  Size multiplications = 0, bytes_read = 0, bytes_written = 0;
};

/// Counts what the kernels called from this thread do while it lives:
///     CostCounter counter;
///     matmul(a, b);
///     counter.total().multiplications   // m · k · n
/// Counters nest: each counts all that happens in its life. Views cost nothing and do not appear.
class CostCounter {
 public:
  CostCounter();
  ~CostCounter();
  CostCounter(const CostCounter&) = delete;
  CostCounter& operator=(const CostCounter&) = delete;

  Cost total() const;
  /// The multiplications of matrix products: matmul, linear, and conv, which is one over windows.
  Size products() const;
  const std::map<std::string, Cost>& per_op() const { return per_op_; }

 private:
  friend void add_cost(const char* op, const Cost& cost);
  std::map<std::string, Cost> per_op_;
  CostCounter* outer_;
};

/// Called by the kernels of ops; what only looks or draws (argmax, argsort, one_hot, any, qr, Rng) is not counted.
void add_cost(const char* op, const Cost& cost);
bool cost_is_counted();
inline void note_cost(const char* op, const Cost& cost) {
  if (cost_is_counted()) add_cost(op, cost);
}

}  // namespace attend
