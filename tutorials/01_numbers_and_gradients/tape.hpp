// A reverse-mode engine for numbers only: the smallest thing in which the order of the walk matters.
#pragma once
#include <vector>

#include "tensor/shape.hpp"

namespace attend::chapter_01 {

/// The use of an earlier number: which one, and how fast the new one grows with it.
struct Use {
  Size input;
  double slope;
};

/// A number, how it was made, and what the walk back has collected for it.
struct Number {
  double value;
  std::vector<Use> uses;
  double gradient = 0;
};

/// The numbers of a computation, in the order in which they were made. A number is called by its place.
class Tape {
 public:
  Size leaf(double value);
  /// slopes 1 and 1
  Size add(Size a, Size b);
  /// slopes b and a
  Size mul(Size a, Size b);

  std::vector<Number> numbers;
};

/// What a walk back from y finds for x, and how many times it came to a number.
struct Walk {
  double gradient;
  Size visits;
};

/// The recursive walk that comes to mind first. WRONG: each time it comes to a number it passes on all that the number has
/// collected, and so what it had passed on before once more.
Walk naive_walk(Tape tape, Size y, Size x);

/// The recursive walk put right: it passes on only what it brings along. Right, but it walks every path from y to x, and
/// paths double with every diamond.
Walk path_walk(Tape tape, Size y, Size x);

/// Youngest first. All who use a number are younger than it, so it has collected everything when its turn comes: each
/// number once, no recursion.
Walk ordered_walk(Tape tape, Size y, Size x);

/// d = b · (b + 3) with b = a · a; returns the place of d. Right is ∂d/∂a = 2a (2a² + 3), at a = 2: 44.
Size diamond(Tape& tape, Size a);

/// `height` diamonds, one upon the other, each ½ b + ½ b = b. So the result is a, and its derivative 1.
Size tower(Tape& tape, Size a, Size height);

}  // namespace attend::chapter_01
