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

bool cost_is_counted() { return innermost != nullptr; }

void add_cost(const char* op, const Cost& cost) {
  for (CostCounter* counter = innermost; counter; counter = counter->outer_) add(counter->per_op_[op], cost);
}

}  // namespace attend
