// Comparisons for tests. doctest::Approx is absolute near zero (1e-6 "equals" 2e-6), so nothing here uses it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "autograd/var.hpp"

namespace attend::test {

/// What is wrong with `found`: first its shape, then the first element for which |found − expected| is not within
/// atol + rtol · |expected|, with its index. Empty when all is well. An infinity equals only itself, NaN nothing.
std::string difference(const Tensor& found, const Shape& shape, const std::vector<double>& expected, double atol,
                       double rtol = 0);

/// Fails the test at the caller's line when there is a difference.
void check_close(const Var& found, const Shape& shape, const std::vector<double>& expected, double atol,
                 double rtol = 0, const char* file = __builtin_FILE(), int line = __builtin_LINE());
void check_close(double found, double expected, double atol, double rtol = 0, const char* file = __builtin_FILE(),
                 int line = __builtin_LINE());
/// The same with the numbers of another tensor, of whatever dtype.
void check_agree(const Var& found, const Var& expected, double atol, double rtol = 0,
                 const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// Whether both have the same shape, dtype and bits (so NaN equals the same NaN, and 0 is not −0).
bool same_bits(const Var& a, const Var& b);
/// The same for as many of both, one by one.
bool same_bits(const Vars& a, const Vars& b);

/// Fails unless f throws std::invalid_argument whose text begins with texts[0] and holds all the others.
void check_throws_with(const std::function<void()>& f, const std::vector<std::string>& texts,
                       const char* file = __builtin_FILE(), int line = __builtin_LINE());

}  // namespace attend::test
