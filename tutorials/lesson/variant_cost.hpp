#pragma once
#include <vector>

#include "nn/variants/variant.hpp"
#include "tutorials/lesson/claims.hpp"

/// What a forward pass of a variant of attention costs, counted and timed over longer and longer sequences. What is
/// measured is one head, one sequence, float32, on normal numbers.

namespace attend::lesson {

/// The multiplications of a forward pass over T positions of width d, counted while it runs.
Size counted_multiplications(const Variant& variant, Size T, Size d);
/// The same pass in milliseconds of the processor: the middle one of several.
double forward_milliseconds(const Variant& variant, Size T, Size d, Size rounds, std::uint64_t seed);

/// Prints the multiplications at the shortest and at the longest length, and claims that they are those of the formula.
void multiplications_table(const std::vector<Variant>& variants, const std::vector<Size>& lengths, Size d,
                           Claims& claims);

/// Prints the time at each length with the power of T by which it grows, and gives the times: those of one variant
/// after those of the other, in milliseconds.
std::vector<std::vector<double>> time_table(const std::vector<Variant>& variants, const std::vector<Size>& lengths,
                                            Size d, std::uint64_t seed, bool quick);

/// The power of T by which the figure grows.
double growth(const std::vector<Size>& lengths, const std::vector<double>& figures);

}  // namespace attend::lesson
