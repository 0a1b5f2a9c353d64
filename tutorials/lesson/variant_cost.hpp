#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "nn/variants/variant.hpp"
#include "tutorials/lesson/claims.hpp"

/// What a forward pass of a variant of attention costs, counted and timed over longer and longer sequences. What is
/// measured is one head, one sequence, float32, on normal numbers.

namespace attend::lesson {

/// The multiplications of a forward pass over T positions of width d, counted while it runs.
Size counted_multiplications(const Variant& variant, Size T, Size d);

/// Prints the multiplications at the shortest and at the longest length, and claims that they are those of the formula.
void multiplications_table(const std::vector<Variant>& variants, const std::vector<Size>& lengths, Size d,
                           Claims& claims);

/// Prints what each variant costs at each length, as `shown`, with the power of T by which it grows; and gives the
/// costs: those of one variant after those of the other.
std::vector<std::vector<double>> cost_table(const std::vector<Variant>& variants, const std::vector<Size>& lengths,
                                            const std::function<double(const Variant& variant, Size T)>& cost,
                                            const std::function<std::string(double cost)>& shown);

/// The same of the time of a forward pass, in milliseconds.
std::vector<std::vector<double>> time_table(const std::vector<Variant>& variants, const std::vector<Size>& lengths,
                                            Size d, std::uint64_t seed, bool quick);

/// from, 2 from, 4 from, ..., up to `to`.
std::vector<Size> doubling(Size from, Size to);

/// The power of T by which the figure grows.
double growth(const std::vector<Size>& lengths, const std::vector<double>& figures);

}  // namespace attend::lesson
