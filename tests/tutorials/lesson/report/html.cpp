#include "tutorials/lesson/report/html.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/tutorials/lesson/report/kept.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

bool holds(const std::string& html, const std::string& part) { return html.find(part) != std::string::npos; }

const std::vector<std::string> hard = {"</s>", "<b>", "&", "\"", "</script>"};

}  // namespace

TEST_CASE("every text that could be taken for a tag is escaped") {
  for (const std::string& token : hard) {
    const HeatMap map{Matrix(1, 1, {1}), {token}, {token}, token};
    std::string all = html::paragraph(token) + html::flow({{token, {1}, token}}) +
                      html::card({token, token, token, true}) + html::table({token}, {{token, token}}, {false}) +
                      html::suggestions({{token, token}}) +
                      html::figure(MapFigure{MapsOf::heads, token, {token}, {map}}, 0) +
                      html::figure(Graph{token, {token}, {{0, 0, 1}}}, 0) +
                      html::figure(Chart{token, token, {token}, {{token, {{1, 1, 1}}}}, 0, 1}) +
                      html::figure(token, {{plain_image(Matrix(1, 1, {1}), token)}});
    for (const char* raw : {"</s>", "<b>", "</script>"}) CHECK_FALSE(holds(all, raw));
  }
  CHECK(html::paragraph("a & <b>") == "<p>a &amp; &lt;b&gt;</p>");
}

TEST_CASE("a quote in a title does not end the attribute that it stands in") {
  const HeatMap map{Matrix(1, 1, {1}), {}, {}};
  CHECK(holds(html::figure(MapFigure{MapsOf::one, "a \"map\"", {""}, {map}}, 0), "aria-label=\"a &quot;map&quot;\""));
}

TEST_CASE("a text with lines of its own keeps them") {
  CHECK(html::paragraph("a\n  b\n") == "<pre>a\n  b</pre>");
  CHECK(html::paragraph("\na\n") == "<p>a</p>");
}

TEST_CASE("a heat map is a table of its numbers, each on the colour of its level") {
  const HeatMap map{Matrix(2, 2, {0, 1, 0.5, std::nan("")}), {"q", " "}, {"a", "longer"}, "map"};
  const std::string figure = html::figure(MapFigure{MapsOf::one, "map", {""}, {map}}, 3);
  CHECK(holds(figure, "data-figure=\"3\""));
  CHECK(holds(figure, "<table class=\"map\" aria-label=\"map\">"));
  CHECK(holds(figure, "<th scope=\"col\"><span>a</span></th><th scope=\"col\" class=\"upright\"><span>longer</span>"));
  CHECK(holds(figure, "<th scope=\"row\">q</th><td class=\"l0\">0.00</td><td class=\"l31\">1.00</td>"));
  CHECK(holds(figure, "<th scope=\"row\">␣</th><td class=\"l16\">0.50</td><td class=\"no-number\">?</td>"));
}

TEST_CASE("rows and columns without labels have their numbers") {
  const HeatMap map{Matrix(1, 2, {0, 1}), {}, {}};
  const std::string figure = html::figure(MapFigure{MapsOf::one, "", {""}, {map}}, 0);
  CHECK(holds(figure, "<span>1</span>"));
  CHECK(holds(figure, "<th scope=\"row\">0</th>"));
}

TEST_CASE("the colours are those of the terminal, and the text on each can be read") {
  const std::string sheet = html::colours();
  CHECK(holds(sheet, ".l0{background:#440154;color:#fff}"));
  CHECK(holds(sheet, ".l31{background:#fde725;color:#000}"));
  CHECK(occurrences(sheet, "background:#") == 32);
}

TEST_CASE("a chart has its numbers as a table, with the spread where there is one") {
  const std::string figure =
      html::figure(Chart{"Softness", "d", {"1", "2"}, {{"scaled", {{0.4, 0.5, 0.6}, {0.7, 0.7, 0.7}}}}, 0, 1});
  CHECK(holds(figure, "d</th><th scope=\"col\" class=\"number\">scaled</th>"));
  CHECK(holds(figure, number_row({"1", "0.50 (0.40 to 0.60)"}) + "\n" + number_row({"2", "0.70"})));
}
