#include "tutorials/lesson/translation/vocabulary.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace attend;
using namespace attend::translation;

TEST_CASE("tokens are numbered behind the four special ones") {
  const Vocabulary vocabulary(Tokens{"b", "a", "b", "<en>"});
  CHECK(vocabulary.size() == 7);
  CHECK(vocabulary.id("b") == 4);
  CHECK(vocabulary.id("a") == 5);
  CHECK(vocabulary.id("<en>") == 6);
  CHECK(vocabulary.token(6) == "<en>");
  CHECK(vocabulary.token(Vocabulary::pad) == "<pad>");
  CHECK(vocabulary.token(Vocabulary::unknown) == "<unknown>");
  CHECK_THROWS_AS(vocabulary.token(7), std::invalid_argument);
  CHECK_THROWS_AS(vocabulary.token(-1), std::invalid_argument);
}

TEST_CASE("an unknown token is the unknown id, also when it looks like a special one") {
  const Vocabulary vocabulary(Tokens{"a"});
  CHECK(vocabulary.encode({"a", "z", "<pad>", "<end>"}) == Ids{4, 3, 3, 3});
  CHECK_FALSE(vocabulary.has("<pad>"));
  const Vocabulary with_word(Tokens{"<end>", "a"});
  CHECK(with_word.encode({"<end>", "a"}) == Ids{4, 5});
  CHECK(with_word.decode({4, 5, Vocabulary::end}) == Tokens{"<end>", "a"});
}

TEST_CASE("the tokens of texts are sorted, so the order of the texts does not matter") {
  const Vocabulary one = Vocabulary::of({{"le", "chat"}, {"un", "chat"}});
  const Vocabulary other = Vocabulary::of({{"un", "chat"}, {"le", "chat"}});
  for (std::int64_t id = 4; id < one.size(); ++id) CHECK(one.token(id) == other.token(id));
  CHECK(one.token(4) == "chat");
  CHECK(one.size() == 7);
}

TEST_CASE("rare tokens can be left out") {
  const Vocabulary vocabulary = Vocabulary::of({{"le", "chat"}, {"un", "chat"}}, 2);
  CHECK(vocabulary.size() == 5);
  CHECK(vocabulary.encode({"le", "chat"}) == Ids{3, 4});
}

TEST_CASE("decoding stops at the end and skips what is no text") {
  const Vocabulary vocabulary(Tokens{"a", "b"});
  CHECK(vocabulary.decode({1, 4, 0, 5, 2, 4, 4}) == Tokens{"a", "b"});
  CHECK(vocabulary.decode({3, 4}) == Tokens{"<unknown>", "a"});
  CHECK(vocabulary.decode({}).empty());
}
