#include "tutorials/15_graphs_trees_grids/expressions.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace attend::chapter15 {
namespace {

// Draws a list, appends it, and tells its value. `below` lists may stand within it.
std::int64_t draw_list(const ExpressionPlan& plan, Size below, Size parent, Expression& into, Rng& rng) {
  const std::int64_t list_operator = max_list + rng.below(list_end - max_list);
  const Size place = into.size();
  const auto append = [&into](std::int64_t symbol, Size above) {
    into.symbols.push_back(symbol);
    into.parents.push_back(above);
  };
  append(list_operator, parent);
  std::vector<std::int64_t> numbers;
  const Size count = 2 + rng.below(plan.arguments - 1);
  for (Size i = 0; i < count; ++i) {
    if (below > 0 && rng.below(4) == 0) {
      numbers.push_back(draw_list(plan, below - 1, place, into, rng));
    } else {
      numbers.push_back(rng.below(10));
      append(numbers.back(), place);
    }
  }
  append(list_end, place);
  return value_of(list_operator, numbers);
}

// How many operators stand above each other, at most.
Size depth_of(const Expression& expression) {
  std::vector<Size> depths;
  for (std::size_t i = 0; i < expression.symbols.size(); ++i) {
    const Size parent = expression.parents[i], own = expression.symbols[i] >= max_list;
    depths.push_back(parent < 0 ? own : depths[static_cast<std::size_t>(parent)] + own);
  }
  return *std::max_element(depths.begin(), depths.end()) - 1;  // without the end of the deepest list
}

}  // namespace

std::string written(std::int64_t symbol) {
  static const char* const others[] = {"[MAX", "[MIN", "[MED", "[SM", "]", "-"};
  return symbol < max_list ? std::to_string(symbol) : others[symbol - max_list];
}

std::string Expression::text() const {
  std::string all;
  for (const std::int64_t symbol : symbols) all += (all.empty() ? "" : " ") + written(symbol);
  return all;
}

Expression expression_on_paper() {
  return {{max_list, 2, min_list, 8, 3, list_end, 0, list_end}, {-1, 0, 0, 2, 2, 2, 0, 0}, 3};
}

Expression draw_expression(const ExpressionPlan& plan, Rng& rng) {
  // Lists of two, each within the one before: two digits in the innermost, one and a list in every other.
  if (plan.depth < 1 || plan.arguments < 2 || plan.longest < 3 * plan.depth + 1) {
    throw std::invalid_argument("draw_expression: no expression has a depth of " + std::to_string(plan.depth) + ", " +
                                std::to_string(plan.arguments) + " arguments at most and " +
                                std::to_string(plan.longest) + " symbols at most");
  }
  while (true) {
    Expression drawn;
    drawn.value = draw_list(plan, plan.depth - 1, -1, drawn, rng);
    if (drawn.size() <= plan.longest && depth_of(drawn) == plan.depth) return drawn;
  }
}

std::int64_t value_of(std::int64_t list_operator, std::vector<std::int64_t> numbers) {
  if (numbers.empty()) throw std::invalid_argument("value_of: a list without numbers");
  std::sort(numbers.begin(), numbers.end());
  const std::size_t n = numbers.size();
  switch (list_operator) {
    case max_list:
      return numbers.back();
    case min_list:
      return numbers.front();
    case median_list:
      return (numbers[(n - 1) / 2] + numbers[n / 2]) / 2;
    case sum_list:
      return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0}) % 10;
    default:
      throw std::invalid_argument("value_of: symbol " + std::to_string(list_operator) + " is no operator");
  }
}

}  // namespace attend::chapter15
