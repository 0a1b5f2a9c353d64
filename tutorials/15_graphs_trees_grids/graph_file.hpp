#pragma once
#include <string>
#include <vector>

#include "nn/attention/graph.hpp"
#include "tutorials/lesson/data.hpp"

/// What the files of graphs have in common: numbers of nodes and classes, and edges that stand once for both
/// directions.

namespace attend::chapter15 {

/// A cell that holds a whole number from 0 to below `end`, of a node, a class, a word. Throws lesson::DataError, with
/// the line, for anything else.
std::int64_t number_in(const std::string& path, const lesson::TsvRow& row, std::size_t column, Size end,
                       const std::string& of);

/// Throws lesson::DataError unless the row has just so many columns.
void expect_columns(const std::string& path, const lesson::TsvRow& row, Size wanted);

/// The edges a -> b, and behind them b -> a.
Edges both_ways(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b, Size nodes);

/// int64 [n].
Tensor ids_of(const std::vector<std::int64_t>& numbers);

}  // namespace attend::chapter15
