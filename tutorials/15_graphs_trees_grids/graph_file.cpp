#include "tutorials/15_graphs_trees_grids/graph_file.hpp"

#include <charconv>

#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::chapter15 {

using lesson::count;
using lesson::DataError;
using lesson::fill;
using lesson::size_of;

std::int64_t number_in(const std::string& path, const lesson::TsvRow& row, std::size_t column, Size end,
                       const std::string& of) {
  const std::string& cell = row.cells.at(column);
  const char* last = cell.data() + cell.size();
  std::int64_t value = -1;
  const auto [stop, error] = std::from_chars(cell.data(), last, value);
  if (error == std::errc() && stop == last && value >= 0 && value < end) return value;
  throw DataError(
      path, row.line,
      fill("'{}' is no number of a {}: there are {}, counted from 0", {lesson::printable(cell), of, count(end)}));
}

void expect_columns(const std::string& path, const lesson::TsvRow& row, Size wanted) {
  if (size_of(row.cells) == wanted) return;
  throw DataError(path, row.line,
                  fill("{} columns in place of {}, between tabs", {count(size_of(row.cells)), count(wanted)}));
}

Edges both_ways(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b, Size nodes) {
  std::vector<std::int64_t> ends = a;
  for (const auto* part : {&b, &b, &a}) ends.insert(ends.end(), part->begin(), part->end());
  return {Tensor::from_ints(ends, {2, 2 * size_of(a)}), nodes};
}

Tensor ids_of(const std::vector<std::int64_t>& numbers) { return Tensor::from_ints(numbers, {size_of(numbers)}); }

}  // namespace attend::chapter15
