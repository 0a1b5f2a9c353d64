#include "tutorials/lesson/results.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/errors.hpp"

using namespace attend::lesson;
using namespace lesson_test;

TEST_CASE("results hold the smallest, mean and largest value over the seeds") {
  Results results;
  results.add("exact", 1, 0.5);
  results.add("exact", 2, 1.0);
  results.add("loss", 1, 3);
  results.add("exact", 2, 0.75);  // the same seed again takes the place of the first
  const Figure& exact = results.at("exact");
  CHECK(exact.seeds == 2);
  CHECK(exact.min == 0.5);
  CHECK(exact.mean == 0.625);
  CHECK(exact.max == 0.75);
  CHECK(results.figures().size() == 2);
}

TEST_CASE("results are written and read back to the last bit") {
  const Folder folder;
  Results results;
  results.add("exact match, dates", 1, 1.0 / 3);
  results.add("exact match, dates", 2, 0.1);
  results.write(folder.path("results.tsv"));
  CHECK(read_back(folder.path("results.tsv")).find("name\tseeds\tmin\tmean\tmax\nexact match, dates\t2\t0.1\t") == 0);
  CHECK(folder.files() == 1);

  const Figure read = Results::read(folder.path("results.tsv")).at("exact match, dates");
  CHECK(read.seeds == 2);
  CHECK(read.min == 0.1);
  CHECK(read.mean == results.at("exact match, dates").mean);
  CHECK(read.max == 1.0 / 3);
}

TEST_CASE("a figure that does not exist is answered with the nearest") {
  Results results;
  results.add("exact match", 1, 1);
  CHECK(thrown<std::invalid_argument>([&] { results.at("exactmatch"); }) ==
        "Results: no figure 'exactmatch'; did you mean 'exact match'? There are: exact match");
}

TEST_CASE("what is not a figure is refused") {
  Results results;
  CHECK_THROWS_AS(results.add("loss", 1, NAN), std::invalid_argument);
  CHECK_THROWS_AS(results.add("", 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(results.add("a\tb", 1, 1), std::invalid_argument);
  CHECK(results.figures().empty());
}

TEST_CASE("a malformed results file is refused with its line") {
  const Folder folder;
  const std::string other = folder.write("other.tsv", "a\tb\tc\td\te\n1\t2\t3\t4\t5\n");
  CHECK(thrown<DataError>([&] { Results::read(other); }).find("other.tsv:1: the header should be") !=
        std::string::npos);
  const std::string bad = folder.write("bad.tsv", "name\tseeds\tmin\tmean\tmax\nloss\t2\t1\tx\t3\n");
  CHECK(thrown<DataError>([&] { Results::read(bad); }).find("bad.tsv:2: 'x' is not a number") != std::string::npos);
  const std::string seeds = folder.write("seeds.tsv", "name\tseeds\tmin\tmean\tmax\nloss\t0\t1\t2\t3\n");
  CHECK(thrown<DataError>([&] { Results::read(seeds); }).find("'0' is no number of seeds") != std::string::npos);
  const std::string order = folder.write("order.tsv", "name\tseeds\tmin\tmean\tmax\nloss\t2\t3\t2\t1\n");
  CHECK(thrown<DataError>([&] { Results::read(order); }).find("above the largest") != std::string::npos);
  CHECK_THROWS_AS(Results::read(folder.path("none.tsv")), DataError);
}
