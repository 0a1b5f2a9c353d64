// Wrong answers to exercise 4, each with the bug that the check must name.
#include "tutorials/15_graphs_trees_grids/exercise_4_grid.hpp"

namespace attend::chapter15 {
namespace {

enum class Order { grid, window, groups_by_columns, pixels_by_columns };

// The solution, with the axes in another order.
template <Order order>
Var ordered(const Var& x, Size G) {
  const auto [height, width, d] = dims<3>(x);
  const Size down = height / G, across = width / G;
  Var apart = permute(reshape(x, {G, down, G, across, d}), {1, 3, 0, 2, 4});
  if (order == Order::window) apart = permute(reshape(x, {down, G, across, G, d}), {0, 2, 1, 3, 4});
  if (order == Order::groups_by_columns) apart = permute(apart, {1, 0, 2, 3, 4});
  if (order == Order::pixels_by_columns) apart = permute(apart, {0, 1, 3, 2, 4});
  return reshape(apart, {down * across, G * G, d});
}

Var unsolved(const Var&, Size) { return {}; }
Var reshaped(const Var& x, Size G) {
  const auto [height, width, d] = dims<3>(x);
  return reshape(x, {height * width / (G * G), G * G, d});
}
Var exchanged(const Var& x, Size G) { return permute(ordered<Order::grid>(x, G), {1, 0, 2}); }
Var not_joined(const Var& x, Size G) {
  const auto [height, width, d] = dims<3>(x);
  return permute(reshape(x, {G, height / G, G, width / G, d}), {1, 3, 0, 2, 4});
}
Var history_cut(const Var& x, Size G) { return ordered<Order::grid>(detach(x), G); }

}  // namespace

std::vector<GridAnswer> grid_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"the axes are not joined", not_joined, "not joined"},
      {"groups and pixels exchanged", exchanged, "exchanged"},
      {"a reshape alone", reshaped, "reshape alone"},
      {"windows", ordered<Order::window>, "windows"},
      {"groups in the order of columns", ordered<Order::groups_by_columns>, "groups are in the order of columns"},
      {"pixels in the order of columns", ordered<Order::pixels_by_columns>, "pixels of a group"},
      {"detach", history_cut, "cuts the history"},
  };
}

}  // namespace attend::chapter15
