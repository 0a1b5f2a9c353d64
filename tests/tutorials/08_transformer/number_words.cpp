#include "tutorials/08_transformer/number_words.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

using namespace attend;
using namespace attend::chapter08;
using namespace attend::translation;

namespace {

std::string english(Size number) { return join_words(number_words(number).english); }
std::string german(Size number) { return join_words(number_words(number).german); }
std::vector<Size> alignment(Size number) { return number_words(number).alignment; }

constexpr Size none = NumberWords::none;

}  // namespace

TEST_CASE("numbers are written as English and German say them") {
  CHECK(english(42) == "forty two");
  CHECK(german(42) == "zwei und vierzig");
  CHECK(english(9999) == "nine thousand nine hundred ninety nine");
  CHECK(german(9999) == "neun tausend neun hundert neun und neunzig");
  CHECK(english(3016) == "three thousand sixteen");
  CHECK(german(3016) == "drei tausend sechzehn");
  CHECK(german(12) == "zwölf");
  CHECK(german(17) == "siebzehn");
  CHECK(german(30) == "dreißig");
  CHECK(german(66) == "sechs und sechzig");
  CHECK(german(76) == "sechs und siebzig");
}

TEST_CASE("one is ein before another word and eins at the end") {
  CHECK(german(1) == "eins");
  CHECK(german(1101) == "ein tausend ein hundert eins");
  CHECK(german(21) == "ein und zwanzig");
  CHECK(german(1000) == "ein tausend");
  CHECK(english(1101) == "one thousand one hundred one");
}

TEST_CASE("each German word is aligned with the English word that it translates, und with none") {
  CHECK(alignment(42) == std::vector<Size>{1, none, 0});
  CHECK(alignment(7342) == std::vector<Size>{0, 1, 2, 3, 5, none, 4});
  CHECK(alignment(905) == std::vector<Size>{0, 1, 2});
  CHECK(alignment(40) == std::vector<Size>{0});
  CHECK(alignment(1) == std::vector<Size>{0});
}

TEST_CASE("every English word has exactly one German word, in all numbers") {
  for (Size n = 1; n <= largest_number; ++n) {
    const NumberWords words = number_words(n);
    std::vector<Size> places;
    for (std::size_t t = 0; t < words.german.size(); ++t) {
      REQUIRE((words.alignment[t] == none) == (words.german[t] == "und"));
      if (words.alignment[t] != none) places.push_back(words.alignment[t]);
    }
    std::sort(places.begin(), places.end());
    REQUIRE(places.size() == words.english.size());
    for (std::size_t i = 0; i < places.size(); ++i) REQUIRE(places[i] == static_cast<Size>(i));
  }
}

TEST_CASE("no two numbers have the same words") {
  std::set<std::string> texts;
  for (Size n = 1; n <= largest_number; ++n) texts.insert(english(n) + "|" + german(n));
  CHECK(texts.size() == largest_number);
}

TEST_CASE("there are no words for 0, for what is below, and above 9999") {
  for (Size n : {-1, 0, 10000}) CHECK_THROWS_AS(number_words(n), std::invalid_argument);
}

TEST_CASE("a split has every number once, and the same seed gives the same one") {
  Rng rng(1), again(1), other(2);
  const NumberSplit split = split_numbers(3000, 500, rng);
  CHECK(split.training.size() == 3000);
  CHECK(split.validation.size() == 500);
  CHECK(split.held_out.size() == 6499);
  std::set<Size> all(split.training.begin(), split.training.end());
  all.insert(split.validation.begin(), split.validation.end());
  all.insert(split.held_out.begin(), split.held_out.end());
  CHECK(all.size() == 9999);
  CHECK(*all.begin() == 1);
  CHECK(split_numbers(3000, 500, again).training == split.training);
  CHECK(split_numbers(3000, 500, other).training != split.training);
  CHECK_THROWS_AS(split_numbers(0, 500, rng), std::invalid_argument);
  CHECK_THROWS_AS(split_numbers(9000, 999, rng), std::invalid_argument);
}

TEST_CASE("the task knows 29 English and 31 German words, and draws training numbers alone") {
  Rng rng(1);
  const NumberSplit split = split_numbers(20, 5, rng);
  const Task task = number_task(split);
  CHECK(task.source.size() == 4 + 29);
  CHECK(task.target.size() == 4 + 31);
  CHECK(task.held_out.size() == 9974);
  std::set<std::string> known;
  for (Size n : split.training) known.insert(english(n));
  for (const Example& example : task.draw(200, rng)) CHECK(known.count(join_words(example.source)) == 1);
}
