#include "tutorials/lesson/five_seeds.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"

using namespace attend::lesson;
using namespace lesson_test;

TEST_CASE("a figure is found by its name, and one that is not there is named") {
  const NamedFigures figures = {{"a", 0.25}, {"b", 0.5}};
  CHECK(value_named(figures, "b") == 0.5);
  CHECK_THROWS_WITH_AS(value_named(figures, "c"), "no figure 'c'", std::invalid_argument);
}

TEST_CASE("what five seeds measure is written, and given") {
  const Folder folder;
  const std::string path = folder.path("results.tsv");
  const auto measure = [](std::uint64_t seed) { return NamedFigures{{"seed", static_cast<double>(seed)}}; };
  for (const Results& results : {measure_five_seeds(path, measure), Results::read(path)}) {
    CHECK(results.at("seed").seeds == 5);
    CHECK(results.at("seed").min == 1);
    CHECK(results.at("seed").mean == 3);
    CHECK(results.at("seed").max == 5);
  }
}

TEST_CASE("nothing is measured for a file that cannot be written") {
  const auto measure = [](std::uint64_t) -> NamedFigures { throw std::logic_error("measured"); };
  CHECK_THROWS_AS(measure_five_seeds("/no/such/folder/results.tsv", measure), std::runtime_error);
}

TEST_CASE("a figure may lie around its range by its slack, or by half of the range") {
  const Folder folder;
  const std::string path = folder.path("results.tsv");
  Results results;
  results.add("narrow", 1, 0.50);
  results.add("narrow", 2, 0.51);
  results.add("wide", 1, 0.2);
  results.add("wide", 2, 0.6);
  results.write(path);
  const auto held = [&](const NamedFigure& figure) {
    Paper paper;
    Claims claims(paper.screen);
    claim_ranges({figure}, path, claims);
    return claims.exit_code() == 0;
  };
  CHECK(held({"narrow", 0.53}));
  CHECK_FALSE(held({"narrow", 0.54}));
  CHECK(held({"narrow", 0.54, 0.1}));
  CHECK(held({"wide", 0.8}));
  CHECK_FALSE(held({"wide", 0.81}));
}

TEST_CASE("a share lies between 0 and 1, and another figure may lie beyond") {
  const Folder folder;
  const std::string path = folder.path("results.tsv");
  Results results;
  results.add("right", 1, 1);
  results.write(path);
  Paper paper;
  Claims claims(paper.screen);
  claim_ranges({{"right", 1.1, 0.5}}, path, claims);
  CHECK(claims.exit_code() == 1);
  Claims others(paper.screen);
  claim_ranges({{"right", 1.1, 0.5, false}}, path, others);
  CHECK(others.exit_code() == 0);
}
