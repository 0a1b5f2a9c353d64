#include "tutorials/lesson/translation/scores.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "tutorials/lesson/translation/names.hpp"

using namespace attend;
using namespace attend::translation;

namespace {

bool equal(double a, double b) { return std::abs(a - b) < 1e-14; }

}  // namespace

TEST_CASE("the character F-score of small texts is what the formula gives by hand") {
  // abc for abcd: P = 1; R = (3/4 + 2/3 + 1/2) / 3 = 23/36, the 4-grams skipped; F = 5 PR / (4P + R).
  CHECK(equal(character_f("abc", "abcd"), 115.0 / 167));
  // The other way round P = 23/36 and R = 1.
  CHECK(equal(character_f("abcd", "abc"), 115.0 / 128));
  // An n-gram of the reference matches only once: P = 1/3, R = 1.
  CHECK(equal(character_f("aaa", "a"), 5.0 / 7));
  CHECK(equal(character_f("a", "aaa"), 5.0 / 13));
  // éa for éb: of 2 and 2 characters one matches, of 1 and 1 pairs none: P = R = 1/4. In bytes it would be more.
  CHECK(equal(character_f("éa", "éb"), 0.25));
}

TEST_CASE("equal texts score 1, texts without a common character 0") {
  CHECK(character_f("visage souriant", "visage souriant") == 1);
  CHECK(character_f("a", "a") == 1);
  CHECK(character_f("", "") == 1);
  CHECK(character_f("abc", "xyz") == 0);
  CHECK(character_f("", "abc") == 0);
  CHECK(character_f("abc", "") == 0);
  CHECK(character_f("é", "è") == 0);
  CHECK_THROWS_AS(character_f("\xFF", "a"), std::invalid_argument);
}

TEST_CASE("spaces do not count, and recall counts more than precision") {
  CHECK(character_f("demi lune", "demilune") == 1);
  CHECK(character_f("visage souriant aux yeux", "visage souriant") > character_f("visage", "visage souriant"));
}

TEST_CASE("scores are means over the pairs") {
  const std::vector<Pair> pairs = {{"cat", "chat"}, {"x", "aaa"}, {"dog", "chien"}};
  const Scores scores = score({"chat", "a", "loup"}, pairs);
  CHECK(equal(scores.exact_match, 1.0 / 3));
  CHECK(equal(scores.character_f, (1 + 5.0 / 13 + 0) / 3));
  CHECK(score({"de mi"}, {{"x", "demi"}}).exact_match == 0);
  CHECK_THROWS_AS(score({"chat"}, pairs), std::invalid_argument);
  CHECK_THROWS_AS(score({}, {}), std::invalid_argument);
}

TEST_CASE("copying gives the sources back") {
  CHECK(copy_sources({{"cat", "chat"}, {"koala", "koala"}}) == std::vector<std::string>{"cat", "koala"});
}

TEST_CASE("the nearest training pair answers, and of equals the first") {
  const std::vector<Pair> training = {
      {"red car", "voiture rouge"}, {"red cart", "chariot rouge"}, {"cat", "chat"}, {"red car", "auto rouge"}};
  const auto answer = [&](const std::string& source) { return nearest_training_targets({{source, ""}}, training)[0]; };
  CHECK(answer("red car") == "voiture rouge");
  CHECK(answer("red carts") == "chariot rouge");
  CHECK(answer("cats") == "chat");
  CHECK(answer("zzz") == "voiture rouge");
  CHECK_THROWS_AS(nearest_training_targets({{"a", "b"}}, {}), std::invalid_argument);
}

TEST_CASE("on held-out CLDR names copying finds a few exactly, and the nearest name is closer on the whole") {
  const std::vector<Pair> pairs = read_cldr_names(lesson::data_path("cldr/cldr_emoji_names.tsv"));
  Rng rng(1);
  const Split split = split_pairs(pairs, 0.1, rng);
  const Scores copied = score(copy_sources(split.held_out), split.held_out);
  const Scores nearest = score(nearest_training_targets(split.held_out, split.training), split.held_out);
  CHECK(copied.exact_match > 0.02);
  CHECK(copied.exact_match < 0.1);
  CHECK(nearest.character_f > copied.character_f);
}
