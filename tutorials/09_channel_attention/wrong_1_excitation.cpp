// Wrong answers to exercise 1, each with the bug that the check must name.
#include "tutorials/09_channel_attention/exercise_1_excitation.hpp"

namespace attend::chapter09 {
namespace {

Var squeezed(const ExcitationInputs& in) { return mean(in.x, {2, 3}); }
Var scores(const Var& z, const ExcitationInputs& in) { return matmul(relu(matmul(z, in.W_1)), in.W_2); }
Var right_gates(const ExcitationInputs& in) { return sigmoid(scores(squeezed(in), in)); }

Var as_channels(const Var& gates) { return reshape(gates, {gates.shape()[0], gates.shape()[1], 1, 1}); }
Excited finished(const Var& gates, const ExcitationInputs& in) { return {gates, in.x * as_channels(gates)}; }

Excited unsolved(const ExcitationInputs&) { return {}; }

Excited means_of_columns(const ExcitationInputs& in) { return finished(sigmoid(scores(mean(in.x, {1, 2}), in)), in); }

Excited sums(const ExcitationInputs& in) { return finished(sigmoid(scores(sum(in.x, {2, 3}), in)), in); }

Excited largest(const ExcitationInputs& in) { return finished(sigmoid(scores(max(in.x, {2, 3}), in)), in); }

Excited with_the_batch(const ExcitationInputs& in) {
  const Var z = mean(in.x, {0, 2, 3}, true);  // [1, C, 1, 1]
  const Var gates = sigmoid(scores(reshape(z, {1, in.x.shape()[1]}), in));
  return finished(broadcast_to(gates, {in.x.shape()[0], in.x.shape()[1]}), in);
}

Excited no_relu(const ExcitationInputs& in) {
  return finished(sigmoid(matmul(matmul(squeezed(in), in.W_1), in.W_2)), in);
}

Excited no_sigmoid(const ExcitationInputs& in) { return finished(scores(squeezed(in), in), in); }

Excited softmax_for_sigmoid(const ExcitationInputs& in) { return finished(softmax(scores(squeezed(in), in)), in); }

Excited sigmoid_first(const ExcitationInputs& in) {
  return finished(relu(matmul(sigmoid(matmul(squeezed(in), in.W_1)), in.W_2)), in);
}

Excited matrices_exchanged(const ExcitationInputs& in) {
  return finished(sigmoid(matmul(relu(matmul(squeezed(in), transpose(in.W_2))), transpose(in.W_1))), in);
}

Excited not_weighed(const ExcitationInputs& in) { return {right_gates(in), in.x}; }

Excited not_reshaped(const ExcitationInputs& in) {
  const Var gates = right_gates(in);
  return {gates, in.x * gates};
}

Excited along_the_width(const ExcitationInputs& in) {
  const Var gates = right_gates(in);
  return {gates, in.x * reshape(gates, {gates.shape()[0], 1, 1, gates.shape()[1]})};
}

Excited added(const ExcitationInputs& in) {
  const Var gates = right_gates(in);
  return {gates, in.x + as_channels(gates)};
}

Excited with_shortcut(const ExcitationInputs& in) {
  const Var gates = right_gates(in);
  return {gates, in.x + in.x * as_channels(gates)};
}

Excited history_cut(const ExcitationInputs& in) { return finished(detach(right_gates(in)), in); }

}  // namespace

std::vector<ExcitationAnswer> excitation_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"mean over channels and rows", means_of_columns, "the mean went over axes 1 and 2"},
      {"sum in place of mean", sums, "a sum in place of a mean"},
      {"maximum in place of mean", largest, "the maximum"},
      {"mean over the batch, too", with_the_batch, "over the batch, too"},
      {"no relu", no_relu, "relu is missing"},
      {"no sigmoid", no_sigmoid, "sigmoid is missing"},
      {"softmax", softmax_for_sigmoid, "softmax in place of sigmoid"},
      {"sigmoid inside, relu outside", sigmoid_first, "have changed places"},
      {"W_1 and W_2 exchanged", matrices_exchanged, "W_2 came first"},
      {"not weighed", not_weighed, "y is x"},
      {"gates not reshaped", not_reshaped, "multiplied as they are"},
      {"gates along the width", along_the_width, "lie along the width"},
      {"added", added, "were added"},
      {"a shortcut", with_shortcut, "x was added once more"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter09
