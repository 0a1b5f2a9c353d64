#include "tutorials/lesson/report/record.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tensor/whole_file.hpp"
#include "tutorials/lesson/data.hpp"

namespace attend::lesson {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN and no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
double number(const Json& json) { return json.is_null() ? NAN : json.get<double>(); }

Json object(const Claim& claim) {
  return {{"what", claim.what}, {"measured", claim.measured}, {"expected", claim.expected}, {"held", claim.held}};
}

Claim claim_of(const Json& json) {
  return {json.at("what"), json.at("measured"), json.at("expected"), json.at("held")};
}

Json object(const Series& series) {
  Json points = Json::array();
  for (const Spread& point : series.points) {
    points.push_back({number(point.low), number(point.mean), number(point.high)});
  }
  return {{"name", series.name}, {"points", points}};
}

Series series_of(const Json& json) {
  Series series{json.at("name"), {}};
  for (const Json& point : json.at("points")) {
    series.points.push_back({number(point.at(0)), number(point.at(1)), number(point.at(2))});
  }
  return series;
}

Json object(const Chart& chart) {
  Json series = Json::array();
  for (const Series& one : chart.series) series.push_back(object(one));
  return {{"title", chart.title},     {"along", chart.along},       {"places", chart.places}, {"series", series},
          {"low", number(chart.low)}, {"high", number(chart.high)}, {"digits", chart.digits}};
}

Chart chart_of(const Json& json) {
  Chart chart{json.at("title"),       json.at("along"),        json.at("places"), {},
              number(json.at("low")), number(json.at("high")), json.at("digits")};
  for (const Json& series : json.at("series")) chart.series.push_back(series_of(series));
  return chart;
}

Record record_of(const Json& json) {
  Record record{json.at("program"), json.at("command"), json.at("exit code"), json.at("seconds"), {}, {}};
  for (const Json& claim : json.at("claims")) record.claims.push_back(claim_of(claim));
  for (const Json& chart : json.at("charts")) record.charts.push_back(chart_of(chart));
  return record;
}

}  // namespace

void write_record(const std::string& path, const Record& record) {
  Json claims = Json::array(), charts = Json::array();
  for (const Claim& claim : record.claims) claims.push_back(object(claim));
  for (const Chart& chart : record.charts) charts.push_back(object(chart));
  const Json all = {{"program", record.program}, {"command", record.command}, {"exit code", record.exit_code},
                    {"seconds", record.seconds}, {"claims", claims},          {"charts", charts}};
  WholeFile file(path);
  file.stream() << all.dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
  file.commit();
}

Record read_record(const std::string& path) {
  const std::string text = read_bytes(path);
  try {
    return record_of(Json::parse(text));
  } catch (const Json::exception&) {
    throw DataError(path, 0, "this is no record of a run, or was cut short");
  }
}

}  // namespace attend::lesson
