// Solution of exercise 3.
#include "tutorials/15_graphs_trees_grids/exercise_3_prior.hpp"

namespace attend::chapter15 {
namespace {

Var solved(const Var& links) {
  const Size T = links.shape()[0] + 1;
  const Var identity(one_hot(Tensor::arange(T), T, links.dtype()));
  Vars columns = {select(identity, 1, 0)};
  for (Size j = 1; j < T; ++j) {
    columns.push_back(columns.back() * slice(links, 0, j - 1, 1) + select(identity, 1, j));
  }
  const Var upper = stack(columns, 1);
  return upper + transpose(upper) - identity;
}

}  // namespace

std::vector<PriorAnswer> prior_answers() { return {{"the solution", solved}}; }

}  // namespace attend::chapter15
