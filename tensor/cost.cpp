#include "tensor/cost.hpp"

namespace attend {
namespace {

thread_local CostCounter* innermost = nullptr;

void add(Cost& sum, const Cost& cost) {
  sum.multiplications += cost.multiplications;
  sum.bytes_read += cost.bytes_read;
  sum.bytes_written += cost.bytes_written;
}

}  // namespace

CostCounter::CostCounter() : outer_(innermost) { innermost = this; }
CostCounter::~CostCounter() { innermost = outer_; }

Cost CostCounter::total() const {
  Cost sum;
  for (const auto& [op, cost] : per_op_) add(sum, cost);
  return sum;
}

Size CostCounter::products() const {
  Size sum = 0;
  for (const char* op : {"matmul", "linear", "conv"}) {
    const auto found = per_op_.find(op);
    if (found != per_op_.end()) sum += found->second.multiplications;
  }
  return sum;
}

bool cost_is_counted() { return innermost != nullptr; }

void add_cost(const char* op, const Cost& cost) {
  for (CostCounter* counter = innermost; counter; counter = counter->outer_) add(counter->per_op_[op], cost);
}

}  // namespace attend
