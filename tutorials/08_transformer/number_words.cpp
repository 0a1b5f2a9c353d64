#include "tutorials/08_transformer/number_words.hpp"

#include <numeric>
#include <stdexcept>

#include "tutorials/lesson/size.hpp"

namespace attend::chapter08 {

using namespace translation;

namespace {

// From 1 to 19, and the tens from 20.
const Tokens english_small = {"one",     "two",     "three",     "four",     "five",    "six",      "seven",
                              "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen", "fourteen",
                              "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
const Tokens german_small = {"ein",      "zwei",     "drei",     "vier",     "fünf",    "sechs",    "sieben",
                             "acht",     "neun",     "zehn",     "elf",      "zwölf",   "dreizehn", "vierzehn",
                             "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"};
const Tokens english_tens = {"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
const Tokens german_tens = {"zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"};

const std::string& small(const Tokens& words, Size number) { return words[static_cast<std::size_t>(number - 1)]; }
const std::string& tens(const Tokens& words, Size ten) { return words[static_cast<std::size_t>(ten - 2)]; }

// Writes both texts, and keeps which word belongs to which.
struct Writer {
  NumberWords words;

  // Puts an English word behind the others; its place.
  Size english(const std::string& word) {
    words.english.push_back(word);
    return lesson::size_of(words.english) - 1;
  }
  void german(const std::string& word, Size place) {
    words.german.push_back(word);
    words.alignment.push_back(place);
  }
  void both(const std::string& english_word, const std::string& german_word) {
    german(german_word, english(english_word));
  }

  // "four thousand", "vier tausend"
  void times(Size digit, const std::string& english_unit, const std::string& german_unit) {
    if (digit == 0) return;
    both(small(english_small, digit), small(german_small, digit));
    both(english_unit, german_unit);
  }

  void below_hundred(Size number) {
    if (number == 0) return;
    if (number == 1) return both("one", "eins");
    if (number < 20) return both(small(english_small, number), small(german_small, number));
    const Size ten = english(tens(english_tens, number / 10)), digit = number % 10;
    if (digit > 0) {
      german(small(german_small, digit), english(small(english_small, digit)));
      german("und", NumberWords::none);
    }
    german(tens(german_tens, number / 10), ten);
  }
};

std::vector<Size> part(const std::vector<std::int64_t>& order, Size start, Size count) {
  std::vector<Size> numbers;
  for (Size i = start; i < start + count; ++i) numbers.push_back(order[static_cast<std::size_t>(i)] + 1);
  return numbers;
}

}  // namespace

NumberWords number_words(Size number) {
  if (number < 1 || number > largest_number) {
    throw std::invalid_argument("number_words: " + std::to_string(number) + " is not one of 1 to " +
                                std::to_string(largest_number));
  }
  Writer writer;
  writer.times(number / 1000, "thousand", "tausend");
  writer.times(number / 100 % 10, "hundred", "hundert");
  writer.below_hundred(number % 100);
  return writer.words;
}

NumberSplit split_numbers(Size training, Size validation, Rng& rng) {
  if (training < 1 || validation < 1 || training + validation >= largest_number) {
    throw std::invalid_argument("split_numbers: " + std::to_string(training) + " and " + std::to_string(validation) +
                                " of " + std::to_string(largest_number));
  }
  const std::vector<std::int64_t> order = rng.permutation(largest_number);
  const Size known = training + validation;
  return {part(order, 0, training), part(order, training, validation), part(order, known, largest_number - known)};
}

std::vector<Example> examples_of(const std::vector<Size>& numbers) {
  std::vector<Example> examples;
  for (const Size number : numbers) {
    const NumberWords words = number_words(number);
    examples.push_back({words.english, words.german});
  }
  return examples;
}

Task number_task(const NumberSplit& split) {
  std::vector<Size> all(static_cast<std::size_t>(largest_number));
  std::iota(all.begin(), all.end(), 1);
  std::vector<Tokens> english, german;
  for (const Example& example : examples_of(all)) {
    english.push_back(example.source);
    german.push_back(example.target);
  }
  const std::vector<Example> training = examples_of(split.training);
  return {Vocabulary::of(english), Vocabulary::of(german), draw_from(training), training, examples_of(split.held_out)};
}

}  // namespace attend::chapter08
