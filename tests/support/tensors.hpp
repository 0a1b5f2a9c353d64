// Tensors to test with: random ones, views that hold the same numbers, and counts of what is alive.
#pragma once
#include <string>
#include <vector>

#include "autograd/var.hpp"
#include "tensor/live.hpp"
#include "tensor/random.hpp"

namespace attend::test {

/// float64, in row-major order: the dtype in which derivatives are checked.
Tensor numbers(const std::vector<double>& values, const Shape& shape);
/// Normal numbers of a fixed seed; give two tensors of one test different seeds.
Tensor random(const Shape& shape, DType dtype = DType::float64, std::uint64_t seed = 1);

/// text(dtype) as doctest can print it.
inline std::string name_of(DType dtype) { return attend::text(dtype); }

/// The same numbers once more, somewhere else or in another order of memory.
struct View {
  std::string name;
  Tensor tensor;
};
/// x in reversed memory order, with NaN (or 0 or false) between its elements, backwards, at an odd address, and as one
/// of several copies that share their memory.
std::vector<View> views_of(const Tensor& x);

/// What is alive now, to compare with later.
struct Counts {
  std::ptrdiff_t nodes = live().nodes, blocks = live().blocks;
  friend bool operator==(const Counts& a, const Counts& b) { return a.nodes == b.nodes && a.blocks == b.blocks; }
};
std::string text(const Counts& counts);

/// Fails at the caller's line when more or fewer nodes or blocks are alive than at the beginning.
void check_nothing_left(const Counts& before, const char* file = __builtin_FILE(), int line = __builtin_LINE());

}  // namespace attend::test
