#include "tutorials/seat/compare.hpp"

#include <algorithm>
#include <ostream>

#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/narration.hpp"
#include "tutorials/lesson/table.hpp"

namespace attend::seat {

using lesson::Chart;
using lesson::Claim;
using lesson::Record;
using lesson::Screen;

namespace {

// The claim of that name, or null. The same name may stand several times: the one in the same place among them.
const Claim* claim_named(const Record& record, const std::string& what, std::size_t place) {
  for (const Claim& claim : record.claims) {
    if (claim.what == what && place-- == 0) return &claim;
  }
  return nullptr;
}

// Which of the claims of that name this is, counted from 0.
std::size_t place_among_equals(const Record& record, std::size_t i) {
  return static_cast<std::size_t>(
      std::count_if(record.claims.begin(), record.claims.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const Claim& claim) { return claim.what == record.claims[i].what; }));
}

std::string cell(const Claim* claim, const Screen& screen) {
  if (claim == nullptr) return "-";
  const std::string mark = claim->held ? (screen.unicode ? "✓" : "ok") : (screen.unicode ? "✗" : "NOT");
  return claim->measured.empty() ? mark : mark + " " + claim->measured;
}

void print_claims(const Record& first, const Record& second, const Screen& screen) {
  lesson::Table table({"claim", "expected", "first", "second"});
  for (std::size_t i = 0; i < first.claims.size(); ++i) {
    const Claim& claim = first.claims[i];
    const Claim* other = claim_named(second, claim.what, place_among_equals(first, i));
    table.row({claim.what, claim.expected, cell(&claim, screen), cell(other, screen)});
  }
  for (std::size_t i = 0; i < second.claims.size(); ++i) {
    const Claim& claim = second.claims[i];
    if (claim_named(first, claim.what, place_among_equals(second, i)) != nullptr) continue;
    table.row({claim.what, claim.expected, "-", cell(&claim, screen)});
  }
  table.print(screen);
}

// Both courses in one chart, where their places are the same and there is room for the series of both.
void print_chart(const Chart& first, const Chart& second, const Screen& screen) {
  if (first.places != second.places || first.series.size() + second.series.size() > 4) return;
  Chart both = first;
  both.series.clear();
  for (const auto& [name, chart] : {std::pair("first", &first), std::pair("second", &second)}) {
    for (const lesson::Series& one : chart->series) {
      both.series.push_back({std::string(name) + (chart->series.size() > 1 ? ", " + one.name : ""), one.points});
    }
  }
  both.low = std::min(first.low, second.low);
  both.high = std::max(first.high, second.high);
  *screen.out << "\n";
  draw(both, screen);
}

void print_charts(const Record& first, const Record& second, const Screen& screen) {
  for (const Chart& chart : first.charts) {
    const auto same = [&](const Chart& other) { return other.title == chart.title; };
    const auto other = std::find_if(second.charts.begin(), second.charts.end(), same);
    if (other != second.charts.end()) print_chart(chart, *other, screen);
  }
}

std::string line_of(const std::string& name, const Record& record) {
  return lesson::fill("{}: {}   ({}, exit code {})",
                      {name, record.command, lesson::duration(record.seconds), std::to_string(record.exit_code)});
}

}  // namespace

void print_comparison(const Record& first, const Record& second, const Screen& screen) {
  lesson::say(line_of("first ", first), screen);
  lesson::say(line_of("second", second) + "\n", screen);
  print_claims(first, second, screen);
  print_charts(first, second, screen);
}

}  // namespace attend::seat
