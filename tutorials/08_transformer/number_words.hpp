#pragma once
#include "tutorials/lesson/translation/task.hpp"

/// The first task: a number in English words, to German ones. "four thousand forty two" -> "vier tausend zwei und
/// vierzig". A generator makes them, so it is known which word translates which.

namespace attend::chapter08 {

/// A number in both languages. English without hyphens and "and"; German with its long word taken apart, and in
/// reverse where German is: two and forty. One is "ein" before another word and "eins" at the end.
struct NumberWords {
  static constexpr Size none = -1;

  translation::Tokens english, german;
  /// For each German word the place of the English word that it translates; `none` for "und", which translates nothing.
  std::vector<Size> alignment;
};

constexpr Size largest_number = 9999;

/// Of 1 .. 9999; throws std::invalid_argument for any other number.
NumberWords number_words(Size number);

/// 1 .. 9999 in three parts: to learn from, to choose settings by, and to report.
struct NumberSplit {
  std::vector<Size> training, validation, held_out;
};
NumberSplit split_numbers(Size training, Size validation, Rng& rng);

/// The numbers as examples, in order, and as a task. The vocabularies have the words of all numbers, and these have
/// few: 29 in English and 31 in German.
std::vector<translation::Example> examples_of(const std::vector<Size>& numbers);
translation::Task number_task(const NumberSplit& split);

}  // namespace attend::chapter08
