// Wrong answers to exercise 3, each with the bug that the check must name.
#include "tutorials/16_conditional_and_learned/exercise_3_read_out.hpp"

namespace attend::chapter16 {
namespace {

Var unit(const Var& x) { return x / norm(x, {1}, true); }
Var labels_of(const Tensor& labels, Size C, const Var& like) { return one_hot(labels, C, like.dtype()); }

Var unsolved(const Var&, const Var&, const Tensor&, Size, double) { return {}; }
Var weights_alone(const Var& q, const Var& k, const Tensor&, Size, double sharpness) {
  return softmax(sharpness * matmul(unit(q), transpose(unit(k))), 1);
}
Var dot_products(const Var& q, const Var& k, const Tensor& labels, Size C, double sharpness) {
  return matmul(softmax(sharpness * matmul(q, transpose(k)), 1), labels_of(labels, C, q));
}
Var query_alone(const Var& q, const Var& k, const Tensor& labels, Size C, double sharpness) {
  return matmul(softmax(sharpness * matmul(unit(q), transpose(k)), 1), labels_of(labels, C, q));
}
Var never_sharp(const Var& q, const Var& k, const Tensor& labels, Size C, double) {
  return matmul(softmax(matmul(unit(q), transpose(unit(k))), 1), labels_of(labels, C, q));
}
Var over_queries(const Var& q, const Var& k, const Tensor& labels, Size C, double sharpness) {
  return matmul(softmax(sharpness * matmul(unit(q), transpose(unit(k))), 0), labels_of(labels, C, q));
}
Var softmax_last(const Var& q, const Var& k, const Tensor& labels, Size C, double sharpness) {
  return softmax(matmul(sharpness * matmul(unit(q), transpose(unit(k))), labels_of(labels, C, q)), 1);
}
Var without_history(const Var& q, const Var& k, const Tensor& labels, Size C, double sharpness) {
  return matmul(softmax(sharpness * matmul(unit(q), transpose(unit(k))), 1), labels_of(labels, C, q)).value();
}

}  // namespace

std::vector<ReadOutAnswer> read_out_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"the weights of the examples", weights_alone, "weights of the examples"},
      {"dot products", dot_products, "neither"},
      {"examples as long as they are", query_alone, "only the queries"},
      {"without the sharpness", never_sharp, "sharpness"},
      {"softmax over the queries", over_queries, "over the queries"},
      {"softmax over the classes", softmax_last, "sums of cosines"},
      {"without a history", without_history, "history"},
  };
}

}  // namespace attend::chapter16
