#include "tutorials/seat/quiz.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/data.hpp"
#include "tutorials/seat/catalogue.hpp"

using namespace attend;
using namespace attend::seat;
using lesson_test::Paper;

namespace {

const std::string page =
    "# Quiz\n\n## What is exp(0),\nand why?\n\n- [ ] 0\n  > Only exp(−∞) is.\n- [x] 1, as every\n  number to the power "
    "0\n"
    "  > So it is,\n  > always.\n\n## Is it big?\n- [x] yes\n> It is.\n- [ ] no\n> It is not.\n";

std::optional<Score> asked(const std::string& answers, Paper& paper) {
  std::istringstream in(answers);
  return ask(read_quiz(page, "quiz.md"), in, paper.screen);
}

}  // namespace

TEST_CASE("a quiz without answers to read says what is missing, one that is stopped does not") {
  Paper nothing, stopped;
  CHECK_FALSE(asked("", nothing).has_value());
  CHECK(nothing.str().find("an answer is a letter, one a line") != std::string::npos);
  CHECK_FALSE(asked("q\n", stopped).has_value());
  CHECK(stopped.str().find("Stopped: nothing is noted.") != std::string::npos);
}

TEST_CASE("a quiz is read with its answers and their explanations, over several lines") {
  const std::vector<Question> questions = read_quiz(page, "quiz.md");
  REQUIRE(questions.size() == 2);
  CHECK(questions[0].text == "What is exp(0), and why?");
  REQUIRE(questions[0].answers.size() == 2);
  CHECK(questions[0].answers[1].text == "1, as every number to the power 0");
  CHECK(questions[0].answers[1].explanation == "So it is, always.");
  CHECK(questions[0].answers[1].right);
  CHECK(!questions[0].answers[0].right);
}

TEST_CASE("a right answer is explained, a wrong one is too, with the right one behind it") {
  Paper paper;
  const std::optional<Score> score = asked("a\na\n", paper);
  REQUIRE(score);
  CHECK(score->right == 1);
  CHECK(score->asked == 2);
  CHECK(paper.str().find("No. Only exp(−∞) is.") != std::string::npos);
  CHECK(paper.str().find("b is right. So it is, always.") != std::string::npos);
  CHECK(paper.str().find("Right. It is.") != std::string::npos);
  CHECK(paper.str().find("1 of 2 are right.") != std::string::npos);
}

TEST_CASE("what is no letter of an answer is asked again, capitals and spaces do not matter") {
  Paper paper;
  const std::optional<Score> score = asked("\nc\n1\nab\n B \nA\n", paper);
  REQUIRE(score);
  CHECK(score->right == 2);
  CHECK(paper.str().find("none of the letters") != std::string::npos);
}

TEST_CASE("a quiz that is stopped, or whose answers end, has no score") {
  Paper paper;
  CHECK(!asked("b\nq\n", paper));
  CHECK(!asked("b\n", paper));
  CHECK(paper.str().find("nothing is noted") != std::string::npos);
}

TEST_CASE(
    "a question without exactly one right answer among two to six, or with one unexplained, is named by its line") {
  CHECK_THROWS_WITH_AS(read_quiz("", "quiz.md"), doctest::Contains("no question"), lesson::DataError);
  CHECK_THROWS_WITH_AS(read_quiz("## A?\n- [ ] a\n> a\n- [ ] b\n> b\n", "quiz.md"), doctest::Contains("quiz.md:1:"),
                       lesson::DataError);
  CHECK_THROWS_WITH_AS(read_quiz("\n## A?\n- [x] a\n> a\n", "quiz.md"), doctest::Contains("quiz.md:2:"),
                       lesson::DataError);
  CHECK_THROWS_WITH_AS(read_quiz("## A?\n- [x] a\n> a\n- [ ] b\n", "quiz.md"),
                       doctest::Contains("no explanation, '> ', below the answer 'b'"), lesson::DataError);
}

TEST_CASE("every chapter of the book has five questions, and the right answers are not all in one place") {
  std::vector<Size> places(6);
  for (const Chapter& chapter : read_catalogue(std::string(ATTEND_SOURCE_DIR) + "/tutorials")) {
    INFO(chapter.folder);
    REQUIRE(chapter.has_quiz);
    const std::string path = chapter.folder + "/quiz.md";
    const std::vector<Question> questions = read_quiz(lesson::read_text(path), path);
    CHECK(questions.size() == 5);
    for (const Question& question : questions) {
      for (std::size_t i = 0; i < question.answers.size(); ++i) places[i] += question.answers[i].right ? 1 : 0;
    }
  }
  CHECK(std::count_if(places.begin(), places.end(), [](Size count) { return count > 0; }) >= 3);
}

// Programs assert the numbers of a page; a quiz may say no other.
TEST_CASE("a number with decimals that a quiz says stands on its chapter's page") {
  std::size_t found = 0;
  const std::regex decimal("[0-9]+\\.[0-9]+");
  for (const Chapter& chapter : read_catalogue(std::string(ATTEND_SOURCE_DIR) + "/tutorials")) {
    const std::string quiz = lesson::read_text(chapter.folder + "/quiz.md");
    const std::string readme = lesson::read_text(chapter.folder + "/README.md");
    for (std::sregex_iterator number(quiz.begin(), quiz.end(), decimal), end; number != end; ++number, ++found) {
      INFO(chapter.number, ": ", number->str());
      CHECK(readme.find(number->str()) != std::string::npos);
    }
  }
  CHECK(found > 0);
}
