#include "tutorials/lesson/progress.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/text.hpp"

using namespace attend::lesson;
using namespace lesson_test;

TEST_CASE("a sparkline runs from the lowest to the highest value") {
  CHECK(sparkline({3, 2, 1}, true) == "█▅▁");
  CHECK(sparkline({1, NAN, 0}, true) == "█?▁");
  CHECK(sparkline({5, 5}, true) == "▁▁");
  CHECK(sparkline({INFINITY, 1, 2}, false) == "@.@");
  CHECK(sparkline({}, true).empty());
}

TEST_CASE("in a pipe progress prints ten plain lines per run") {
  Paper paper;
  double now = 0;
  Progress progress("training", 1000, paper.screen, [&] { return now; });
  for (Size step = 1; step <= 1000; ++step) {
    now += 0.02;
    progress.step(step, 1.0 / static_cast<double>(step));
  }
  progress.done();
  const auto lines = lines_of(paper.str());
  REQUIRE(lines.size() == 10);
  CHECK(lines[4].find("training  50 %   500/1000  loss 0.002") == 0);
  CHECK(lines[4].find("10 s, 10 s left") != std::string::npos);
  CHECK(lines[9].find("left") == std::string::npos);
  CHECK(paper.str().find('\r') == std::string::npos);
}

TEST_CASE("where the line is short of room, the figure of the note stays and the time that is left goes") {
  Paper paper;
  double now = 0;
  Progress progress("without attention", 2000, paper.screen, [&] { return now; });
  now = 80;
  progress.step(1000, 0.00123, "exact 99.2 %");
  CHECK(paper.str() == "without attention  50 %  1000/2000  loss 0.00123  exact 99.2 %  1 min 20 s\n");
}

TEST_CASE("a run of few steps prints a line for each of them, and one that stops early its last state") {
  Paper paper;
  Progress progress("short", 100, paper.screen, [] { return 0.0; });
  progress.step(10, 1);
  progress.step(15, 1);
  progress.done();
  CHECK(lines_of(paper.str()).size() == 2);

  Paper other;
  Progress few("few", 3, other.screen, [] { return 0.0; });
  for (Size step = 1; step <= 3; ++step) few.step(step, 1);
  few.done();
  CHECK(lines_of(other.str()).size() == 3);
}

TEST_CASE("on a terminal one line is rewritten, at most ten times a second") {
  Paper paper;
  paper.screen.rewrites_lines = true;
  double now = 0;
  Progress progress("training", 1000, paper.screen, [&] { return now; });
  for (Size step = 1; step <= 1000; ++step) {
    now += 0.001;  // one second in all
    progress.step(step, 1, "exact 12 %");
  }
  progress.done();
  const std::string text = paper.str();
  const auto rewrites = std::count(text.begin(), text.end(), '\r');
  CHECK(rewrites >= 9);
  CHECK(rewrites <= 12);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
}

TEST_CASE("a progress line fits the screen") {
  Paper paper;
  double now = 0;
  Progress progress("training with attention", 100000, paper.screen, [&] { return now; });
  for (Size step = 10000; step <= 100000; step += 10000) {
    now += 500;
    progress.step(step, 1.234e-5, "exact match 93.2 %");
  }
  for (const std::string& line : lines_of(paper.str())) CHECK(columns(line) <= 79);
}

TEST_CASE("an exception in the loop leaves no open line") {
  Paper paper;
  paper.screen.rewrites_lines = true;
  { Progress("training", 10, paper.screen).step(1, 1); }
  CHECK(paper.str().back() == '\n');
  CHECK_THROWS_AS(Progress("none", 0), std::invalid_argument);
}
