#include "tutorials/lesson/report/record.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/report/report.hpp"

using namespace attend::lesson;
using lesson_test::Folder;
using lesson_test::Paper;

namespace {

Record some_record() {
  Record record{"Chapter 05", "./attend run 05", 1, 2.5, {{"a \"claim\"", "0.3", "at least 0.2", true}}, {}};
  record.charts.push_back({"loss", "step", {"1", "2"}, {{"loss", {{1, 1.5, 2}, {0, 0.1, NAN}}}}, 0, 2, 3});
  return record;
}

}  // namespace

TEST_CASE("a record is read back as it was written, NaN included") {
  const Folder folder;
  Record written = some_record();
  written.charts[0].low = NAN;
  write_record(folder.path("a.json"), written);
  const Record read = read_record(folder.path("a.json"));
  CHECK(read.program == "Chapter 05");
  CHECK(read.command == "./attend run 05");
  CHECK(read.exit_code == 1);
  CHECK(read.seconds == 2.5);
  REQUIRE(read.claims.size() == 1);
  CHECK(read.claims[0].what == "a \"claim\"");
  CHECK(read.claims[0].measured == "0.3");
  CHECK(read.claims[0].expected == "at least 0.2");
  CHECK(read.claims[0].held);
  REQUIRE(read.charts.size() == 1);
  CHECK(read.charts[0].places == std::vector<std::string>{"1", "2"});
  CHECK(read.charts[0].digits == 3);
  CHECK(std::isnan(read.charts[0].low));
  CHECK(read.charts[0].series.at(0).points.at(0).high == 2);
  CHECK(std::isnan(read.charts[0].series.at(0).points.at(1).high));
}

TEST_CASE("a record that is missing, cut short or something else is named") {
  const Folder folder;
  CHECK_THROWS_AS(read_record(folder.path("nothing.json")), DataError);
  for (const char* text : {"", "{", "[]", "{\"program\": 3}"}) {
    std::ofstream(folder.path("a.json")) << text;
    CHECK_THROWS_AS(read_record(folder.path("a.json")), DataError);
  }
}

TEST_CASE("a report's record has its claims and charts, and how it ended") {
  Report report({"Chapter 05", "./attend run 05"});
  Paper paper;
  paper.screen.report = &report;
  Claims claims(paper.screen);
  claims.at_least("exact", 0.5, 0.9);
  draw(some_record().charts[0], paper.screen);
  const Record record = report.record(claims.exit_code());
  CHECK(record.exit_code == 1);
  REQUIRE(record.claims.size() == 1);
  CHECK(!record.claims[0].held);
  CHECK(record.claims[0].measured == "0.5");
  CHECK(record.charts.size() == 1);
}
