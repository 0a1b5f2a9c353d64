// Wrong answers to exercise 3, each with the bug that the check must name.
#include <algorithm>

#include "tutorials/15_graphs_trees_grids/exercise_3_prior.hpp"

namespace attend::chapter15 {
namespace {

enum class Slip { none, one_sided, diagonal_twice, no_diagonal, shifted, sums, neighbours };

// The solution, with one slip.
template <Slip slip>
Var slipped(const Var& links) {
  const Size T = links.shape()[0] + 1;
  const Var identity(one_hot(Tensor::arange(T), T, links.dtype()));
  Vars columns = {select(identity, 1, 0)};
  for (Size j = 1; j < T; ++j) {
    const Var link = slice(links, 0, slip == Slip::shifted ? j % (T - 1) : j - 1, 1);
    const Var before = slip == Slip::neighbours ? select(identity, 1, j - 1) : columns.back();
    columns.push_back(before * link + select(identity, 1, j));
  }
  const Var upper = stack(columns, 1);
  if (slip == Slip::one_sided) return upper;
  if (slip == Slip::no_diagonal) return upper + transpose(upper) - 2.0 * identity;
  return upper + transpose(upper) - (slip == Slip::diagonal_twice ? 0.0 : 1.0) * identity;
}

Var unsolved(const Var&) { return {}; }
Var history_cut(const Var& links) { return slipped<Slip::none>(detach(links)); }
// exp of sums of logarithms: the differences of running sums between all pairs.
Var by_logarithms(const Var& links) {
  const Size T = links.shape()[0] + 1;
  Var sum(Tensor::zeros({1}, links.dtype()));
  Vars sums = {sum};
  for (Size j = 1; j < T; ++j) {
    sum = sum + log(slice(links, 0, j - 1, 1));
    sums.push_back(sum);
  }
  const Var all = concat(sums, 0);
  return exp(-abs(unsqueeze(all, 1) - unsqueeze(all, 0)));
}
Var weakest_link(const Var& links) {
  const Size T = links.shape()[0] + 1;
  Vars rows;
  for (Size i = 0; i < T; ++i) {
    Vars cells;
    for (Size j = 0; j < T; ++j) {
      Var cell(Tensor::ones({1}, links.dtype()));
      for (Size m = std::min(i, j); m < std::max(i, j); ++m) {
        const Var link = slice(links, 0, m, 1);
        cell = where(link < cell, link, cell);
      }
      cells.push_back(cell);
    }
    rows.push_back(concat(cells, 0));
  }
  return stack(rows, 0);
}

}  // namespace

std::vector<PriorAnswer> prior_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"the upper half alone", slipped<Slip::one_sided>, "one half"},
      {"2 on the diagonal", slipped<Slip::diagonal_twice>, "twice on the diagonal"},
      {"0 on the diagonal", slipped<Slip::no_diagonal>, "diagonal is 0"},
      {"the link behind", slipped<Slip::shifted>, "one link too far"},
      {"neighbours alone", slipped<Slip::neighbours>, "neighbours alone"},
      {"the weakest link", weakest_link, "weakest"},
      {"logarithms", by_logarithms, "logarithm"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter15
