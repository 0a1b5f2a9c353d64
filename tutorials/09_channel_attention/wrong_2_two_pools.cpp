// Wrong answers to exercise 2, each with the bug that the check must name.
#include "tutorials/09_channel_attention/exercise_2_two_pools.hpp"

namespace attend::chapter09 {
namespace {

Var F(const Var& z, const TwoPoolsInputs& in) { return matmul(relu(matmul(z, in.W_1)), in.W_2); }
Var average(const TwoPoolsInputs& in) { return mean(in.x, {2, 3}); }
Var largest(const TwoPoolsInputs& in) { return max(in.x, {2, 3}); }
Var scores(const TwoPoolsInputs& in) { return F(average(in), in) + F(largest(in), in); }

Var unsolved(const TwoPoolsInputs&) { return {}; }
Var mean_alone(const TwoPoolsInputs& in) { return sigmoid(F(average(in), in)); }
Var maximum_alone(const TwoPoolsInputs& in) { return sigmoid(F(largest(in), in)); }
Var added_before(const TwoPoolsInputs& in) { return sigmoid(F(average(in) + largest(in), in)); }
Var multiplied(const TwoPoolsInputs& in) { return sigmoid(F(average(in), in) * F(largest(in), in)); }
Var gates_added(const TwoPoolsInputs& in) { return sigmoid(F(average(in), in)) + sigmoid(F(largest(in), in)); }
Var halved(const TwoPoolsInputs& in) { return sigmoid(0.5 * scores(in)); }
Var no_sigmoid(const TwoPoolsInputs& in) { return scores(in); }
Var softmax_for_sigmoid(const TwoPoolsInputs& in) { return softmax(scores(in)); }
Var of_columns(const TwoPoolsInputs& in) { return sigmoid(F(mean(in.x, {1, 2}), in) + F(max(in.x, {1, 2}), in)); }
Var no_relu(const TwoPoolsInputs& in) { return sigmoid(matmul(matmul(average(in) + largest(in), in.W_1), in.W_2)); }

}  // namespace

std::vector<TwoPoolsAnswer> two_pools_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"the mean alone", mean_alone, "the mean alone"},
      {"the maximum alone", maximum_alone, "the maximum alone"},
      {"added before the bottleneck", added_before, "before the bottleneck"},
      {"multiplied", multiplied, "were multiplied"},
      {"gates added", gates_added, "two sigmoids were added"},
      {"halved", halved, "the mean of the two scores"},
      {"no sigmoid", no_sigmoid, "sigmoid is missing"},
      {"softmax", softmax_for_sigmoid, "softmax in place of sigmoid"},
      {"pooled over channels and rows", of_columns, "pooled over axes 1 and 2"},
      {"no relu", no_relu, "relu is missing"},
  };
}

}  // namespace attend::chapter09
