#include "tutorials/lesson/report/data.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tutorials/lesson/format.hpp"

namespace attend::lesson {
namespace {

using Json = nlohmann::ordered_json;

constexpr Size digits = 6;  // more than anybody looks at, and a third of the room

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::stod(significant(value, digits));
}

Json rows_of(const Matrix& values) {
  Json rows = Json::array();
  for (Size r = 0; r < values.rows(); ++r) {
    Json row = Json::array();
    for (Size c = 0; c < values.columns(); ++c) row.push_back(number(values(r, c)));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json object(const HeatMap& map) {
  const Range scale = scale_of(map);
  return {{"title", map.title},       {"rows", map.row_labels},     {"columns", map.column_labels},
          {"low", number(scale.low)}, {"high", number(scale.high)}, {"values", rows_of(map.values)}};
}

/// Text that is no UTF-8 has its broken bytes replaced.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Inside of JSON "<" can stand only in a string, where it may be written by its number.
std::string without_angles(const std::string& json) {
  std::string text;
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string json(const MapFigure& figure) {
  Json maps = Json::array();
  for (const HeatMap& map : figure.maps) maps.push_back(object(map));
  return text_of({{"title", figure.title}, {"labels", figure.labels}, {"maps", std::move(maps)}});
}

std::string json(const Graph& graph) {
  Json edges = Json::array();
  for (const Edge& edge : graph.edges) {
    edges.push_back({{"from", edge.from}, {"to", edge.to}, {"weight", number(edge.weight)}});
  }
  return text_of({{"title", graph.title}, {"nodes", graph.nodes}, {"edges", std::move(edges)}});
}

std::string json(const std::string& command, const std::vector<Claim>& claims,
                 const std::vector<std::string>& figures) {
  Json list = Json::array();
  for (const Claim& claim : claims) {
    list.push_back(
        {{"what", claim.what}, {"measured", claim.measured}, {"expected", claim.expected}, {"held", claim.held}});
  }
  std::string all;
  for (const std::string& figure : figures) all += (all.empty() ? "" : ",\n") + figure;
  return without_angles("{\"command\": " + text_of(command) + ",\n\"claims\": " + text_of(list) +
                        ",\n\"figures\": [\n" + all + "\n]}");
}

}  // namespace attend::lesson
