#include "tutorials/lesson/claims.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/tutorials/lesson/support.hpp"

using namespace attend::lesson;
using namespace lesson_test;

TEST_CASE("claims that hold are printed with figure and range, and the exit code is 0") {
  Paper paper;
  Claims claims(paper.screen);
  CHECK(claims.at_least("exact match", 0.992, 0.99));
  CHECK(claims.at_most("time", 41.53222, 60, " s"));
  CHECK(claims.below("gradient error", 3.2e-10, 1e-8));
  CHECK(claims.between("loss", 0.1, 0.1, 0.2));
  CHECK(claims.holds("rows sum to one", true));
  CHECK(claims.conclude() == 0);
  CHECK(paper.str() ==
        "✓ exact match: 0.992 (at least 0.99)\n"
        "✓ time: 41.53 s (at most 60 s)\n"
        "✓ gradient error: 3.2e-10 (below 1e-08)\n"
        "✓ loss: 0.1 (0.1 to 0.2)\n"
        "✓ rows sum to one\n"
        "All 5 claims hold.\n");
}

TEST_CASE("a claim that does not hold is named again at the end, and the exit code is 1") {
  Paper paper;
  Claims claims(paper.screen);
  claims.at_least("exact match", 0.9, 0.99);
  claims.holds("rows sum to one", true);
  CHECK(claims.exit_code() == 1);
  CHECK(claims.conclude() == 1);
  CHECK(paper.str().find("1 of 2 claims does not hold:\n  exact match: 0.9 (at least 0.99)\n") != std::string::npos);
}

TEST_CASE("a claim is no wider than the screen, where it is made and where it is named again") {
  Paper paper;
  paper.screen.width = 40;
  Claims claims(paper.screen);
  claims.at_least("exact match of a long and winding sentence", 0.9, 0.99);
  claims.conclude();
  CHECK(paper.str() ==
        "✗ exact match of a long and winding\n"
        "  sentence: 0.9 (at least 0.99)\n"
        "1 of 1 claims does not hold:\n"
        "  exact match of a long and winding\n"
        "    sentence: 0.9 (at least 0.99)\n");
}

TEST_CASE("NaN never holds") {
  Paper paper;
  Claims claims(paper.screen);
  CHECK_FALSE(claims.at_least("a", NAN, 0));
  CHECK_FALSE(claims.at_most("b", NAN, 0));
  CHECK_FALSE(claims.below("c", NAN, 0));
  CHECK_FALSE(claims.between("d", NAN, 0, 1));
  CHECK_FALSE(claims.at_least("e", 1, NAN));
}

TEST_CASE("rounding never hides on which side of the bound a figure lies") {
  Paper paper;
  Claims claims(paper.screen);
  claims.at_least("close", 0.98999999, 0.99);
  CHECK(paper.str() == "✗ close: 0.98999999 (at least 0.99)\n");
}

TEST_CASE("a figure is held against the range the page states, rounded outwards") {
  Paper paper;
  Claims claims(paper.screen);
  const Figure stated{"exact match", 5, 0.98761234, 0.99, 0.99512345};
  CHECK(claims.as_stated(0.98761234, stated));
  CHECK(claims.as_stated(0.99512345, stated));
  CHECK_FALSE(claims.as_stated(0.98, stated));
  CHECK(claims.as_stated(0.98, stated, 0.01));
  CHECK(lines_of(paper.str())[2] == "✗ exact match: 0.98 (0.9876 to 0.9952)");
}

TEST_CASE("a share is held against the range the page states, which ends at 0 and 1") {
  Paper paper;
  Claims claims(paper.screen);
  const Figure low{"copied", 3, 0.01, 0.02, 0.03}, high{"exact match", 5, 0.97, 0.98, 0.99};
  CHECK(claims.share_as_stated(0, low, 0.02));
  CHECK(claims.share_as_stated(1, high, 0.02));
  CHECK_FALSE(claims.share_as_stated(0.94, high, 0.02));
  CHECK(lines_of(paper.str())[0] == "✓ copied: 0 (0 to 0.05)");
  CHECK(lines_of(paper.str())[1] == "✓ exact match: 1 (0.95 to 1)");
}

TEST_CASE("no claim at all has not passed") {
  Paper paper;
  CHECK(Claims(paper.screen).conclude() == 1);
  CHECK(paper.str() == "No claim was checked.\n");
}

TEST_CASE("plain mode marks claims in ASCII") {
  Paper paper;
  paper.screen.unicode = false;
  Claims claims(paper.screen);
  claims.holds("good", true);
  claims.holds("bad", false);
  CHECK(paper.str() == "ok  good\nNOT bad\n");
}
