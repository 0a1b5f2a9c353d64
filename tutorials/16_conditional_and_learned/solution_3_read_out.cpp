// Solution of exercise 3.
#include "tutorials/16_conditional_and_learned/exercise_3_read_out.hpp"

namespace attend::chapter16 {
namespace {

Var solved(const Var& queries, const Var& examples, const Tensor& labels, Size C, double sharpness) {
  const Var q = queries / norm(queries, {1}, true), k = examples / norm(examples, {1}, true);
  const Var weights = softmax(sharpness * matmul(q, transpose(k)), 1);  // [n, m]
  return matmul(weights, one_hot(labels, C, weights.dtype()));          // [n, C]
}

}  // namespace

std::vector<ReadOutAnswer> read_out_answers() { return {{"the solution", solved}}; }

}  // namespace attend::chapter16
