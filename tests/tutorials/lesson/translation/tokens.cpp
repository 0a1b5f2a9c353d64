#include "tutorials/lesson/translation/tokens.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tensor/random.hpp"
#include "tutorials/lesson/data.hpp"

using namespace attend;
using namespace attend::translation;

TEST_CASE("characters are code points and join to the same text") {
  const Tokens tokens = characters_of("été 🦊");
  CHECK(tokens == Tokens{"é", "t", "é", " ", "🦊"});
  CHECK(join_characters(tokens) == "été 🦊");
  CHECK(characters_of("").empty());
  CHECK_THROWS_AS(characters_of("\xFF"), std::invalid_argument);
}

TEST_CASE("words are split at spaces, elisions keep their apostrophe, and punctuation is a token") {
  CHECK(words_of("visage souriant") == Tokens{"visage", "souriant"});
  CHECK(words_of("roue d’eau") == Tokens{"roue", "d’", "eau"});
  CHECK(words_of("l'œil d’or") == Tokens{"l'", "œil", "d’", "or"});
  CHECK(words_of("woman’s hat") == Tokens{"woman", "’s", "hat"});
  CHECK(words_of("rock’n’roll") == Tokens{"rock’", "n’", "roll"});
  CHECK(words_of("keycap: 5") == Tokens{"keycap", ": ", "5"});
  CHECK(words_of("touches : 5") == Tokens{"touches", " : ", "5"});
  CHECK(words_of("up-left arrow") == Tokens{"up", "-", "left", "arrow"});
  CHECK(words_of("“free” (x)") == Tokens{"“", "free", "” (", "x", ")"});
  CHECK(words_of("").empty());
  CHECK_THROWS_AS(words_of("a \xC3"), std::invalid_argument);
}

TEST_CASE("a space that an apostrophe would swallow is kept") {
  CHECK(words_of("l’ homme") == Tokens{"l’", " ", "homme"});
  CHECK(words_of("a ’s") == Tokens{"a", " ", "’", "s"});
  CHECK(join_words(words_of("l’ homme")) == "l’ homme");
}

TEST_CASE("all CLDR names of all five languages come back from their words") {
  for (const auto& row : lesson::read_tsv(lesson::data_path("cldr/cldr_emoji_names.tsv"), 6).rows) {
    for (const std::string& name : row.cells) {
      if (join_words(words_of(name)) != name) FAIL_CHECK(name);
    }
  }
}

TEST_CASE("any text comes back from its words, with spaces and apostrophes in every place") {
  const std::vector<std::string> pieces = {"a", "é", "s", "t", "ll", " ", "  ", "’", "'", "-", ":", "(", "\t", "🦊"};
  Rng rng(1);
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (Size length = rng.below(9); length > 0; --length) {
      text += pieces[static_cast<std::size_t>(rng.below(lesson::size_of(pieces)))];
    }
    if (join_words(words_of(text)) != text) FAIL_CHECK("\"" << text << "\" came back as another text");
  }
}

TEST_CASE("the words of a model join to a readable text, whatever they are") {
  CHECK(join_words({"visage", "d’", "<unknown>", ")", "chat"}) == "visage d’<unknown>)chat");
  CHECK(join_words({}) == "");
}
