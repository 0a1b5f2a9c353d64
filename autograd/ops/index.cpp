#include <stdexcept>

#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "autograd/record.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

Var zeros_of(const Shape& shape, DType dtype) { return Var(Tensor::zeros(shape, dtype)); }

// Every element that was read gets its cotangent; one read twice gets both.
Var taken(const char* op, V x, Size axis, const Tensor& ids) {
  return record(op, kernel::take(x.value(), axis, ids, op), {x},
                [axis, ids](V g, Shapes x) { return index_add(zeros_of(x[0], g.dtype()), axis, ids, g); });
}

}  // namespace

Var take(V x, Size axis, const Tensor& ids) { return taken("take", x, axis, ids); }

Var embedding(V table, const Tensor& ids) {
  if (table.rank() != 2) throw std::invalid_argument("embedding: the table is [n, d], not " + text(table.shape()));
  return taken("embedding", table, 0, ids);
}

Var gather(V x, Size axis, const Tensor& index) {
  return record("gather", kernel::gather(x.value(), axis, index), {x},
                [axis, index](V g, Shapes x) { return scatter_add(zeros_of(x[0], g.dtype()), axis, index, g); });
}

Var index_add(V x, Size axis, const Tensor& ids, V src) {
  if (autocast::meet(x, src)) return index_add(autocast::half(x), axis, ids, autocast::half(src));
  return record(
      "index_add", kernel::index_add(x.value(), axis, ids, src.value()), {x, src},  //
      [](V g) { return g; },                                                        //
      [axis, ids](V g) { return take(g, axis, ids); });
}

Var scatter_add(V x, Size axis, const Tensor& index, V src) {
  if (autocast::meet(x, src)) return scatter_add(autocast::half(x), axis, index, autocast::half(src));
  return record(
      "scatter_add", kernel::scatter_add(x.value(), axis, index, src.value()), {x, src},  //
      [](V g) { return g; },                                                              //
      [axis, index](V g) { return gather(g, axis, index); });
}

Tensor argmax(V x, Size axis, bool keep_dims) { return kernel::argmax(x.value(), axis, keep_dims); }
Tensor argsort(V x, Size axis, bool descending) { return kernel::argsort(x.value(), axis, descending); }

std::pair<Var, Tensor> topk(V x, Size k, Size axis) {
  axis = normal_axis("topk", axis, x.rank());
  if (k < 0 || k > x.shape()[axis]) {
    throw std::invalid_argument("topk: " + std::to_string(k) + " of axis " + std::to_string(axis) + " of " +
                                text(x.shape()));
  }
  const Tensor places = contiguous(slice(argsort(x, axis, true), axis, 0, k));
  return {gather(x, axis, places), places};
}

Tensor one_hot(const Tensor& ids, Size classes, DType dtype) { return kernel::one_hot(ids, classes, dtype); }

}  // namespace attend
