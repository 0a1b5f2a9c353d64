#include "tutorials/lesson/report/report.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/tutorials/lesson/report/kept.hpp"
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/progress.hpp"
#include "tutorials/lesson/table.hpp"

using namespace attend::lesson;
using namespace lesson_test;

TEST_CASE("what is said is on the page, in its order and unwrapped") {
  Kept kept;
  title("03", "Additive attention", kept.paper.screen);
  heading("Where & why", kept.paper.screen);
  say(std::string(50, 'a') + " " + std::string(50, 'b') + "\n", kept.paper.screen);
  point("one", kept.paper.screen);
  point("two", kept.paper.screen);
  say("", kept.paper.screen);
  CHECK(kept.holds("<h1>Chapter 03  Additive attention</h1>"));
  CHECK(kept.holds("<li><a href=\"#part-0\">Where &amp; why</a></li>"));
  CHECK(kept.holds("<h2 id=\"part-0\">Where &amp; why</h2>\n<p>" + std::string(50, 'a') + " " + std::string(50, 'b') +
                   "</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"));
}

TEST_CASE("shapes, tables and suggestions are on the page") {
  Kept kept;
  shapes({{"query", {16, 10}, "batch, step"}}, kept.paper.screen);
  Table table({"model", "exact"});
  table.row({"with", "99 %"}, "a note");
  table.row({"without", "41 %"});
  table.print(kept.paper.screen);
  try_next({{"./attend check 03", "your turn"}}, kept.paper.screen);
  CHECK(kept.holds("<strong>query</strong> <code>[16, 10]</code> <span>batch, step</span>"));
  CHECK(kept.holds("<tr><td>with</td><td class=\"number\">99 %</td><td>a note</td></tr>"));
  CHECK(kept.holds("<tr><td>without</td><td class=\"number\">41 %</td></tr>"));
  CHECK(kept.holds("<li><code>./attend check 03</code> your turn</li>"));
}

TEST_CASE("claims that follow each other are cards of one list, with figure, range and whether they held") {
  Kept kept;
  Claims claims(kept.paper.screen);
  claims.at_least("exact", 0.992, 0.99, " points");
  claims.holds("sums to one", false);
  CHECK(occurrences(kept.page(), "<ul class=\"claims\">") == 1);
  CHECK(
      kept.holds("<li class=\"held\"><span class=\"mark\">✓ held</span><span class=\"what\">exact</span>"
                 "<strong>0.992 points</strong><span>expected: at least 0.99 points</span></li>"));
  CHECK(kept.holds("<li class=\"broken\"><span class=\"mark\">✗ not held</span>"));
  CHECK(kept.page(1).find("<strong>1 of 2 claims held; exit code 1</strong>") != std::string::npos);
  CHECK(
      kept.holds("{\"what\":\"exact\",\"measured\":\"0.992 points\",\"expected\":\"at least 0.99 points\","
                 "\"held\":true}"));
}

TEST_CASE("a heat map is kept with all of its columns, however narrow the screen was") {
  Kept kept;
  kept.paper.screen.width = 40;
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(0.01 * i);
  HeatMap map{Matrix(1, 100, values), {"row"}, {}, "wide"};
  map.split = false;
  draw(map, kept.paper.screen);
  CHECK(kept.paper.str().find("more columns on the right are not shown") != std::string::npos);
  CHECK(kept.holds(">0.99</td>"));
  CHECK(kept.holds("0.98,0.99]]"));
}

TEST_CASE("a map, a chart or a panel that cannot be drawn is not kept either") {
  Kept kept;
  CHECK_THROWS(draw(HeatMap{Matrix(1, 1, {1}), {"a", "b"}, {}}, kept.paper.screen));
  CHECK_THROWS(draw(Chart{"", "", {}, {}, 1, 1}, kept.paper.screen));
  CHECK_THROWS(draw({Overlay{Matrix(0, 0, {}), Matrix(0, 0, {})}}, kept.paper.screen));
  CHECK(occurrences(kept.page(), "<figure") == 0);
}

TEST_CASE("a training leaves the course of its loss by steps") {
  Kept kept;
  Progress progress("training", 32, kept.paper.screen);
  for (attend::Size step = 1; step <= 32; ++step) progress.step(step, step <= 2 ? 8 : 0.5);
  progress.done();
  CHECK(kept.holds("<title>training: the loss</title>"));
  CHECK(kept.holds(number_row({"2", "8.0000"}) + "\n" + number_row({"4", "0.5000"})));
  CHECK(occurrences(kept.page(), "<td class=\"number\">0.5000</td>") == 15);
}

TEST_CASE("charts that follow each other stand side by side, and what comes between parts them") {
  Kept kept;
  const Chart chart{"t", "d", {"1"}, {{"s", {{1, 1, 1}}}}, 0, 1};
  draw(chart, kept.paper.screen);
  draw(chart, kept.paper.screen);
  say("between", kept.paper.screen);
  draw(chart, kept.paper.screen);
  CHECK(occurrences(kept.page(), "<div class=\"charts\">") == 2);
  CHECK(occurrences(kept.page(), "</figure>\n<figure class=\"chart\">") == 1);
}

TEST_CASE("a training of few steps has a place for each, and a loss that is no number has none") {
  Kept kept;
  Progress progress("training", 3, kept.paper.screen);
  progress.step(1, 1);
  progress.step(2, std::nan(""));
  progress.step(3, 0.25);
  progress.done();
  CHECK(kept.holds(number_row({"1", "1.0000"}) + "\n" + number_row({"3", "0.2500"})));
}

TEST_CASE("the page names the command that repeats the run") {
  CHECK(Kept().holds("To run it again: <code>./attend run 03 --seed 2</code>"));
}

TEST_CASE("without a title of its own the page has the program's") {
  CHECK(Kept().holds("<h1>Chapter 03: Additive attention</h1>"));
}

TEST_CASE("the page asks for nothing outside of itself") {
  Kept kept;
  draw(HeatMap{Matrix(1, 1, {1}), {"a"}, {"b"}}, kept.paper.screen);
  for (const char* part : {"src=", "href=\"http", "url(", "<td class=\"number\">import", "<link"})
    CHECK_FALSE(kept.holds(part));
  CHECK(kept.holds("default-src 'none'"));
}
