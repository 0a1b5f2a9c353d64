#include "tutorials/lesson/narration.hpp"

#include <doctest/doctest.h>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/text.hpp"

using namespace attend::lesson;
using namespace lesson_test;

TEST_CASE("titles and headings are underlined to their width") {
  Paper paper;
  title("03", "Additive attention", paper.screen);
  heading("Où", paper.screen);
  CHECK(paper.str() ==
        "Chapter 03  Additive attention\n══════════════════════════════\n"
        "\nOù\n──\n");
}

TEST_CASE("paragraphs are wrapped to the screen") {
  Paper paper;
  paper.screen.width = 40;
  std::string text;
  for (int i = 0; i < 40; ++i) text += "é" + std::string(static_cast<std::size_t>(i % 7), 'x') + " ";
  say(text, paper.screen);
  point(text, paper.screen);
  for (const std::string& line : lines_of(paper.str())) CHECK(columns(line) <= 40);
}

TEST_CASE("an empty paragraph prints nothing") {
  Paper paper;
  say("", paper.screen);
  CHECK(paper.str().empty());
}

TEST_CASE("a shape trace is aligned") {
  Paper paper;
  shapes({{"query", {16, 10, 64}, "batch, step, features"}, {"k", {16, 3}}}, paper.screen);
  CHECK(paper.str() ==
        "  query  [16, 10, 64]  batch, step, features\n"
        "  k      [16, 3]\n");
}

TEST_CASE("suggestions stand in a column") {
  Paper paper;
  try_next({{"./attend run 03", "again"}, {"./attend", "all chapters"}}, paper.screen);
  CHECK(paper.str() ==
        "\nTry next\n────────\n"
        "  ./attend run 03  again\n"
        "  ./attend         all chapters\n");
}

TEST_CASE("beside a long command there is no room, so what it shows goes below") {
  Paper paper;
  paper.screen.width = 40;
  try_next({{"./attend run 03 --break no-softmax", "the rows of the map go dark"}}, paper.screen);
  CHECK(paper.str() ==
        "\nTry next\n────────\n"
        "  ./attend run 03 --break no-softmax\n"
        "      the rows of the map go dark\n");
}
