#include "tutorials/lesson/text.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace attend::lesson;

TEST_CASE("valid UTF-8 has no invalid byte") {
  CHECK_FALSE(first_invalid_byte(""));
  CHECK_FALSE(first_invalid_byte("août 日本 🏻"));
  CHECK_FALSE(first_invalid_byte("\xF4\x8F\xBF\xBF"));  // U+10FFFF, the last code point
}

TEST_CASE("the first invalid byte is found, whatever is wrong with it") {
  CHECK(first_invalid_byte("ab\xFFz") == 2);
  CHECK(first_invalid_byte("a\xC3") == 1);             // cut short
  CHECK(first_invalid_byte("é\xE2\x82") == 2);         // cut short after three good bytes' worth
  CHECK(first_invalid_byte("\xC0\xAF") == 0);          // overlong '/'
  CHECK(first_invalid_byte("\xE0\x80\xAF") == 0);      // overlong '/'
  CHECK(first_invalid_byte("\xED\xA0\x80") == 0);      // a surrogate
  CHECK(first_invalid_byte("\xF4\x90\x80\x80") == 0);  // above U+10FFFF
  CHECK(first_invalid_byte("abc\x80") == 3);           // a continuation byte alone
}

TEST_CASE("decoding and encoding give the text back") {
  const std::string text = "1987 août 日 🏻\n";
  CHECK(decode("aé日🏻") == U"aé日🏻");
  CHECK(encode(decode(text)) == text);
  CHECK_THROWS_AS(decode("ab\xFF"), std::invalid_argument);
}

TEST_CASE("a wide character counts as two columns") {
  CHECK(columns("日本") == 4);
  CHECK(columns("🚗") == 2);
  CHECK(columns("\U0001FAE8") == 2);  // an emoji of Unicode 15, younger than some C libraries
  CHECK(columns("août") == 4);
}

TEST_CASE("a combining mark takes no column") {
  CHECK(columns("e\u0301") == 1);
  CHECK(columns("กั") == 1);
}

TEST_CASE("a text is cut into characters with their marks") {
  CHECK(characters("ae\u0301日") == std::vector<std::string>{"a", "e\u0301", "日"});
  CHECK(characters("").empty());
}

TEST_CASE("data cannot move the cursor") {
  CHECK(printable("a\nb\x1b[2J") == "a␊b␛[2J");
  CHECK(printable("a\xFF") == "a\uFFFD");
  CHECK(printable("\u009b") == "\uFFFD");  // an escape sequence may start with this one control character too
  CHECK(columns(printable("\t")) == 1);
}

TEST_CASE("padding counts columns, not bytes") {
  CHECK(pad_right("日", 4) == "日  ");
  CHECK(pad_left("é", 3) == "  é");
  CHECK(pad_left("long", 2) == "long");
}

TEST_CASE("truncating never gives more columns than asked for") {
  CHECK(truncate("abcdef", 4) == "abc…");
  CHECK(truncate("abcd", 4) == "abcd");
  CHECK(truncate("日本語", 4) == "日…");
  CHECK(truncate("日本語", 0).empty());
  CHECK(truncate("abcdef", 4, "~") == "abc~");
}

TEST_CASE("text is wrapped at spaces") {
  CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("incomprehensible word", 6) == std::vector<std::string>{"incomprehensible", "word"});
  CHECK(wrap("a\nb", 10) == std::vector<std::string>{"a", "b"});
  CHECK(wrap("", 10) == std::vector<std::string>{""});
  CHECK(wrap("  a   1\n  b   2", 7) == std::vector<std::string>{"  a   1", "  b   2"});
}

TEST_CASE("a text is split at every separator, and empty parts count") {
  CHECK(split("a|b", '|') == std::vector<std::string>{"a", "b"});
  CHECK(split("|a||", '|') == std::vector<std::string>{"", "a", "", ""});
  CHECK(split("", '|') == std::vector<std::string>{""});
}

TEST_CASE("a text begins with its first characters, with all of it and with nothing") {
  CHECK(begins("## Exercise 1", "## "));
  CHECK(begins("## ", "## "));
  CHECK(begins("", ""));
  CHECK_FALSE(begins("#", "## "));
  CHECK_FALSE(begins(" ## Exercise 1", "## "));
}

TEST_CASE("a text is trimmed at both ends, and only of the characters that are named") {
  CHECK(trimmed("  a b\t", " \t") == "a b");
  CHECK(trimmed("\n\n  a\n", "\n") == "  a");
  CHECK(trimmed("a", " ") == "a");
  CHECK(trimmed(" \r ", " \r").empty());
  CHECK(trimmed("", " ").empty());
}
