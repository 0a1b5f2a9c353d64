// Exercise 3: the prior of constituent attention. links[i] says how strongly positions i and i + 1 belong together, in
// 0 .. 1. What is between two positions multiplies:
//
//   C_ij = links[i] · links[i + 1] · ... · links[j − 1]   for i < j         C_ji = C_ij         C_ii = 1
//
// links [T − 1] -> C [T, T]. A link of 0 cuts exactly, and derivatives must survive it: not by logarithms.
//
// Useful:
//   slice(x, axis, start, count)      a part of x, of the same rank
//   stack({x, y, ...}, axis)          vectors [n] -> a matrix, as its rows (axis 0) or columns (axis 1)
//   one_hot(Tensor::arange(T), T, links.dtype())   the identity, [T, T]
//   transpose(x), a * b, a + b, a − b; a number of shape [1] multiplies all of a vector
#include "tutorials/15_graphs_trees_grids/exercise_3_prior.hpp"

namespace attend::chapter15 {
namespace {

Var your_prior(const Var& links) {
  const Size T = links.shape()[0] + 1;
  Var prior;
  // Your lines go here. At the end prior is [T, T]. (One way: column j of the upper half is column j − 1 times
  // links[j − 1], with a 1 on the diagonal; begin with column 0.)

  (void)T;
  return prior;
}

}  // namespace

std::vector<PriorAnswer> prior_answers() { return {{"yours", your_prior}}; }

}  // namespace attend::chapter15
