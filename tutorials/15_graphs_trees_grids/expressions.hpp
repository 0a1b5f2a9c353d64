#pragma once
#include <string>
#include <vector>

#include "nn/attention/tree.hpp"
#include "tensor/random.hpp"

/// ListOps: nested lists of digits to be computed. Nangia and Bowman 2018 (arXiv:1804.06028). The data set itself is
/// not here: its rule is, made smaller.

namespace attend::chapter15 {

/// The symbols: the digits 0 to 9, the four operators, the end of a list, and padding behind the expression.
enum ListSymbol : std::int64_t { max_list = 10, min_list, median_list, sum_list, list_end, list_padding, list_symbols };

/// An expression in reading order. The operator of a list is the parent of its arguments and of its end.
struct Expression {
  std::vector<std::int64_t> symbols;
  std::vector<Size> parents;
  std::int64_t value;

  Size size() const { return static_cast<Size>(symbols.size()); }
  Tree tree() const { return Tree(parents); }
  /// "[MAX 2 [MIN 8 3 ] 0 ]"
  std::string text() const;
};

/// A symbol as it is written: "7", "[MAX", "]", and "-" for padding.
std::string written(std::int64_t symbol);

/// What the expressions are drawn from: how many operators stand within each other at the deepest place, how many
/// arguments a list has at most (and 2 at least), how many symbols there are at most.
struct ExpressionPlan {
  Size depth = 3, arguments = 4, longest = 32;
};

/// Draws expressions, an argument being a list with probability 1/4 where the depth allows it, until one is exactly as
/// deep as the plan says and not too long. Throws std::invalid_argument for a plan that no expression fits.
Expression draw_expression(const ExpressionPlan& plan, Rng& rng);

/// The expression of the page: [MAX 2 [MIN 8 3 ] 0 ]
Expression expression_on_paper();

/// The value of a list: `numbers` joined by an operator. The median of an even number is the mean of the middle two,
/// rounded down. Throws std::invalid_argument for no numbers and for what is no operator.
std::int64_t value_of(std::int64_t list_operator, std::vector<std::int64_t> numbers);

}  // namespace attend::chapter15
