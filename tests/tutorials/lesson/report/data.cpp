#include "tutorials/lesson/report/data.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

using namespace attend::lesson;
using Json = nlohmann::json;

TEST_CASE("the numbers of a map are there to six digits, and what is no number is null") {
  const HeatMap map{Matrix(1, 3, {1.0 / 3, std::nan(""), INFINITY}), {"q"}, {"a", "b", "c"}, "map"};
  const Json read = Json::parse(json(MapFigure{MapsOf::heads, "both", {"head 1"}, {map}}));
  CHECK(read["title"] == "both");
  CHECK(read["labels"] == Json({"head 1"}));
  CHECK(read["maps"][0]["values"].dump() == "[[0.333333,null,null]]");
  CHECK(read["maps"][0]["columns"] == Json({"a", "b", "c"}));
  CHECK(read["maps"][0]["high"] == 1);
}

TEST_CASE("a map that has its own scale has its ends in the data") {
  const HeatMap map{Matrix(1, 2, {-2, 5}), {}, {}, "", std::nullopt};
  const Json read = Json::parse(json(MapFigure{MapsOf::one, "", {""}, {map}}));
  CHECK(read["maps"][0]["low"] == -2);
  CHECK(read["maps"][0]["high"] == 5);
}

TEST_CASE("no text can end the script element that the data stand in, and all come back as they were") {
  const std::string hard = "</script><!-- & \" ' \xff";
  const Graph graph{hard, {hard}, {{0, 0, 0.5}}};
  const std::string text = json("run '</script>'", {{hard, "1", "2", false}}, {json(graph)});
  CHECK(text.find('<') == std::string::npos);
  const Json read = Json::parse(text);
  CHECK(read["command"] == "run '</script>'");
  CHECK(read["claims"][0]["what"] == "</script><!-- & \" ' \xef\xbf\xbd");  // the byte that is no UTF-8, replaced
  CHECK(read["claims"][0]["held"] == false);
  CHECK(read["figures"][0]["edges"][0]["weight"] == 0.5);
}
