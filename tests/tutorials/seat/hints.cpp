#include "tutorials/seat/hints.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/text.hpp"
#include "tutorials/seat/catalogue.hpp"

using namespace attend;
using namespace attend::seat;

namespace {

const std::string page =
    "# Hints\n\n## Exercise 1\n\n### 1\n\nThe idea.\n\n### 2\na = b\n\nc = d\n### 3\n```cpp\nx = ...;\n```\n\n"
    "## Exercise 2\n\n### 1\nOne.\n### 2\nTwo.\n";

}  // namespace

TEST_CASE("an exercise has three hints, without the fences around code") {
  CHECK(hints_for(page, "1", "hints.md") == std::vector<std::string>{"The idea.", "a = b\n\nc = d", "x = ...;"});
}

TEST_CASE("an exercise with fewer hints, or an empty one, is named") {
  CHECK_THROWS_WITH_AS(hints_for(page, "2", "hints.md"), doctest::Contains("exercise 2 has 2 hints"),
                       lesson::DataError);
  CHECK_THROWS_WITH_AS(hints_for(page, "3", "hints.md"), doctest::Contains("exercise 3 has 0 hints"),
                       lesson::DataError);
  CHECK_THROWS_AS(hints_for("## Exercise 1\n### 1\na\n### 2\n\n### 3\nc\n", "1", "hints.md"), lesson::DataError);
}

TEST_CASE("every exercise of the book has its hints, of at most 80 columns") {
  for (const Chapter& chapter : read_catalogue(std::string(ATTEND_SOURCE_DIR) + "/tutorials")) {
    const std::string path = chapter.folder + "/hints.md";
    INFO(path);
    REQUIRE(std::filesystem::exists(path));
    const std::string all = lesson::read_text(path);
    for (const Exercise& exercise : chapter.exercises) {
      for (const std::string& hint : hints_for(all, exercise.id.substr(3), path)) {
        for (const std::string& line : lesson::split(hint, '\n')) {
          INFO(line);
          CHECK(lesson::columns(line) <= 80);
        }
      }
    }
  }
}
