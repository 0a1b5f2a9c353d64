// Exercise 1: a local window by blocks. Query i sees the keys i − w .. i + w that are there. T is a multiple of w, so
// that the queries make n = T / w blocks of w, and all that the queries of a block see are the 3 w keys of its own
// block and of the two beside it:
//
//   q in blocks        [n, w, d]
//   keys beside each   [n, d, 3 w]     key m of block b is position b w + m − w; before the first and after the last: 0
//   scores             [n, w, 3 w]     / √d
//   allowed            [n, w, 3 w]     query p of a block sees m = p .. p + 2 w, where position b w + m − w is one
//
// No more than 3 w scores for each query may be computed.
//
// Useful:
//   pad(x, axis, before, after)                zeros around an axis
//   windows(x, 0, size, step)                  [T, d] -> [windows, d, size]
//   Tensor::from_bools(std::vector<bool>, shape)
//   masked_softmax(scores, allowed)            weights of what is allowed, along the last axis; 0 elsewhere
//   reshape(x, shape), transpose(x), matmul(a, b)
#include "tutorials/12_sparse/exercise_1_blocks.hpp"

#include <cmath>

namespace attend::chapter12 {
namespace {

Var your_window(const Var& q, const Var& k, const Var& v, Size w) {
  const auto [T, d] = dims<2>(q);
  const Size n = T / w, dv = v.shape()[1];
  Var context;
  // Your lines go here. At the end context is [T, dv].

  (void)n, (void)d, (void)dv, (void)k, (void)w;
  return context;
}

}  // namespace

std::vector<BlocksAnswer> blocks_answers() { return {{"yours", your_window}}; }

}  // namespace attend::chapter12
