#include "tutorials/lesson/terminal.hpp"

#include <doctest/doctest.h>

#include <map>

#include "tests/tutorials/lesson/support.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

Screen described(bool is_terminal, Size width, std::map<std::string, std::string> variables) {
  static std::ostringstream nowhere;
  return describe_screen(nowhere, is_terminal, width, [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

}  // namespace

TEST_CASE("a terminal tells its colours through COLORTERM and TERM") {
  CHECK(described(true, 80, {{"TERM", "xterm-256color"}, {"COLORTERM", "truecolor"}}).colour == Colour::true_colour);
  CHECK(described(true, 80, {{"TERM", "xterm-256color"}}).colour == Colour::palette_256);
  CHECK(described(true, 80, {{"TERM", "vt100"}}).colour == Colour::none);
  CHECK(described(true, 80, {{"TERM", "dumb"}, {"COLORTERM", "truecolor"}}).colour == Colour::none);
}

TEST_CASE("a pipe and NO_COLOR get no colours") {
  CHECK(described(false, 0, {{"TERM", "xterm-256color"}, {"COLORTERM", "truecolor"}}).colour == Colour::none);
  CHECK(described(true, 80, {{"TERM", "xterm-256color"}, {"NO_COLOR", "1"}}).colour == Colour::none);
  CHECK(described(true, 80, {{"TERM", "xterm-256color"}, {"NO_COLOR", ""}}).colour == Colour::palette_256);
}

TEST_CASE("CLICOLOR_FORCE gives a pipe the colours of the terminal, but no rewriting") {
  const Screen screen = described(false, 0, {{"TERM", "xterm-256color"}, {"CLICOLOR_FORCE", "1"}});
  CHECK(screen.colour == Colour::palette_256);
  CHECK_FALSE(screen.rewrites_lines);
}

TEST_CASE("the width comes from COLUMNS, then from the terminal, and stays between 40 and 80") {
  CHECK(described(true, 60, {}).width == 60);
  CHECK(described(true, 60, {{"COLUMNS", "70"}}).width == 70);
  CHECK(described(true, 200, {}).width == 80);
  CHECK(described(true, 10, {}).width == 40);
  CHECK(described(false, 0, {}).width == 80);
  CHECK(described(false, 0, {{"COLUMNS", "many"}}).width == 80);
}

TEST_CASE("only a locale that is set and not UTF-8 turns Unicode off") {
  CHECK(described(true, 80, {}).unicode);
  CHECK(described(true, 80, {{"LANG", "fr_FR.UTF-8"}}).unicode);
  CHECK(described(true, 80, {{"LANG", "C.utf8"}}).unicode);
  CHECK_FALSE(described(true, 80, {{"LANG", "C"}}).unicode);
  CHECK_FALSE(described(true, 80, {{"LC_ALL", "POSIX"}, {"LANG", "fr_FR.UTF-8"}}).unicode);
}

TEST_CASE("only a terminal can rewrite a line") {
  CHECK(described(true, 80, {{"TERM", "xterm"}}).rewrites_lines);
  CHECK_FALSE(described(true, 80, {{"TERM", "dumb"}}).rewrites_lines);
  CHECK_FALSE(described(false, 80, {{"TERM", "xterm"}}).rewrites_lines);
}
