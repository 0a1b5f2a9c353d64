#include "tutorials/seat/catalogue.hpp"

#include <doctest/doctest.h>

#include "tests/tutorials/seat/support.hpp"
#include "tutorials/lesson/errors.hpp"

using namespace attend;
using namespace attend::seat;

TEST_CASE("a chapter is a folder with a number and a program, and its page says the rest") {
  const seat_test::Tutorials tutorials;
  const std::vector<Chapter> chapters = read_catalogue(tutorials.path());
  REQUIRE(chapters.size() == 2);
  CHECK(chapters[0].number == "01");
  CHECK(chapters[0].title == "First steps");
  CHECK(chapters[0].question == "What is a step, of 1.5 m?");
  CHECK(chapters[0].minutes == 30);
  CHECK(chapters[0].has_quiz);
  REQUIRE(chapters[0].exercises.size() == 2);
  CHECK(chapters[0].exercises[0].id == "01.1");
  CHECK(chapters[0].exercises[0].name == "stand");
  CHECK(chapters[0].exercises[1].file == tutorials.path("01_first/exercise_2_walk.cpp"));
}

TEST_CASE("a page without title, time, exercises and quiz is a chapter too") {
  const seat_test::Tutorials tutorials;
  const Chapter second = read_catalogue(tutorials.path()).at(1);
  CHECK(second.title == "second");
  CHECK(second.question == "A page without a title.");
  CHECK(second.minutes == 0);
  CHECK(second.exercises.empty());
  CHECK(!second.has_quiz);
}

TEST_CASE(
    "a copy beside an exercise is no exercise, a chapter without its page and an exercise without its file are there") {
  const seat_test::Tutorials tutorials;
  tutorials.write("01_first/exercise_2_walk_old.cpp", "mine");
  std::filesystem::remove(tutorials.path("01_first/exercise_1_stand.cpp"));
  std::filesystem::remove(tutorials.path("01_first/README.md"));
  const Chapter first = read_catalogue(tutorials.path()).at(0);
  CHECK(first.title == "first");
  REQUIRE(first.exercises.size() == 2);
  CHECK(first.exercises[0].id == "01.1");
  CHECK(first.exercises[1].file == tutorials.path("01_first/exercise_2_walk.cpp"));
}

TEST_CASE("a folder without chapters, an unknown chapter and an unknown exercise are named") {
  const seat_test::Tutorials tutorials;
  CHECK_THROWS_WITH_AS(read_catalogue(tutorials.path("lesson")), doctest::Contains("no chapter is here"),
                       lesson::DataError);
  CHECK_THROWS_AS(read_catalogue(tutorials.path("nowhere")), lesson::DataError);
  const std::vector<Chapter> chapters = read_catalogue(tutorials.path());
  CHECK(chapter_of(chapters, "02").title == "second");
  CHECK_THROWS_WITH_AS(chapter_of(chapters, "09"), "there is no chapter '09'; there are: 01 02", lesson::UsageError);
  CHECK(exercise_of(chapters, "01.2").name == "walk");
  CHECK_THROWS_WITH_AS(exercise_of(chapters, "01.3"), "there is no exercise '01.3'; chapter 01 has: 01.1 01.2",
                       lesson::UsageError);
}

TEST_CASE("an exercise's id is taken apart into its chapter and its number") {
  CHECK(chapter_in("05.12") == "05");
  CHECK(number_in("05.12") == "12");
  CHECK(chapter_in("05") == "05");
}

TEST_CASE("every page of the book says how long it takes, and asks its question first") {
  for (const Chapter& chapter : read_catalogue(std::string(ATTEND_SOURCE_DIR) + "/tutorials")) {
    INFO(chapter.folder);
    CHECK(chapter.minutes >= 10);
    CHECK(!chapter.exercises.empty());
    CHECK(chapter.question.size() > 20);
  }
}
