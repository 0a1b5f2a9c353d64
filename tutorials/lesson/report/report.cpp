#include "tutorials/lesson/report/report.hpp"

#include <algorithm>

#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/picture.hpp"
#include "tutorials/lesson/report/data.hpp"
#include "tutorials/lesson/report/html.hpp"
#include "tutorials/lesson/report/page.hpp"

namespace attend::lesson {
namespace {

const char* const points = "ul";
const char* const cards = "ul class=\"claims\"";
const char* const charts = "div class=\"charts\"";

std::string how_it_ended(const std::vector<Claim>& claims, int exit_code) {
  const auto held = std::count_if(claims.begin(), claims.end(), [](const Claim& claim) { return claim.held; });
  const std::string of = fill("{} of {} claims held", {std::to_string(held), std::to_string(claims.size())});
  return exit_code == 0 ? of : of + fill("; exit code {}", {std::to_string(exit_code)});
}

}  // namespace

void Report::title(const std::string& chapter, const std::string& text) { title_ = "Chapter " + chapter + "  " + text; }

void Report::heading(const std::string& text) {
  pieces_.push_back({fill("<h2 id=\"part-{}\">{}</h2>", {std::to_string(headings_.size()), escaped(text)})});
  headings_.push_back(text);
}

void Report::paragraph(const std::string& text) { pieces_.push_back({html::paragraph(text)}); }
void Report::point(const std::string& text) { pieces_.push_back({"<li>" + escaped(text) + "</li>", points}); }
void Report::shapes(const std::vector<Traced>& trace) { pieces_.push_back({html::flow(trace)}); }
void Report::suggestions(const std::vector<Suggestion>& all) { pieces_.push_back({html::suggestions(all)}); }

void Report::claim(const Claim& claim) {
  claims_.push_back(claim);
  pieces_.push_back({html::card(claim), cards});
}

void Report::table(const std::vector<std::string>& headers, const std::vector<std::vector<std::string>>& rows,
                   const std::vector<bool>& right) {
  pieces_.push_back({html::table(headers, rows, right)});
}

void Report::chart(const Chart& chart) {
  charts_.push_back(chart);
  pieces_.push_back({html::figure(chart), charts});
}

void Report::overlays(const std::string& title, const std::vector<std::vector<Overlay>>& rows) {
  pieces_.push_back({html::figure(title, rows)});
}

void Report::map(const HeatMap& map) { maps({MapsOf::one, map.title, {""}, {map}}); }

void Report::heads(const std::string& title, const std::vector<HeatMap>& heads) {
  MapFigure figure{MapsOf::heads, title, {}, heads};
  for (const HeatMap& head : heads) figure.labels.push_back(head.title);
  maps(figure);
}

void Report::over_training(const std::string& title, const std::vector<Moment>& moments) {
  MapFigure figure{MapsOf::training, title, {}, {}};
  for (const Moment& moment : moments) {
    figure.labels.push_back("step " + std::to_string(moment.step));
    figure.maps.push_back(moment.map);
  }
  maps(figure);
}

void Report::maps(const MapFigure& figure) {
  pieces_.push_back({html::figure(figure, size_of(data_))});
  data_.push_back(json(figure));
}

void Report::graph(const Graph& graph) {
  pieces_.push_back({html::figure(graph, size_of(data_))});
  data_.push_back(json(graph));
}

std::string Report::contents() const {
  std::string items;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    items += fill("<li><a href=\"#part-{}\">{}</a></li>\n", {std::to_string(i), escaped(headings_[i])});
  }
  return items;
}

std::string Report::body() const {
  std::string out, together;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::string& group = pieces_[i].group;
    together += pieces_[i].html + "\n";
    if (i + 1 < pieces_.size() && pieces_[i + 1].group == group) continue;
    out += group.empty() ? together : html::element(group, "\n" + together) + "\n";
    together.clear();
  }
  return out;
}

Record Report::record(int exit_code) const {
  return {run_.program, run_.command, exit_code, watch_.seconds(), claims_, charts_};
}

std::string Report::page(int exit_code) const {
  return report_page({{"title", escaped(title_.empty() ? run_.program : title_)},
                      {"command", escaped(run_.command)},
                      {"ended", escaped(how_it_ended(claims_, exit_code))},
                      {"took", duration(watch_.seconds())},
                      {"contents", contents()},
                      {"body", body()},
                      {"colours", html::colours()},
                      {"data", json(run_.command, claims_, data_)}});
}

}  // namespace attend::lesson
