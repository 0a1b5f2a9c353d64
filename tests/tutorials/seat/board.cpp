#include "tutorials/seat/board.hpp"

#include <doctest/doctest.h>

#include "tests/tutorials/seat/support.hpp"
#include "tutorials/lesson/text.hpp"

using namespace attend;
using namespace attend::seat;
using lesson_test::Paper;

namespace {

struct Reader {
  seat_test::Tutorials tutorials;
  std::vector<Chapter> chapters = read_catalogue(tutorials.path());
  State state;

  std::string next() const { return next_step(chapters, state).command; }
  std::string board() const {
    Paper paper;
    print_board(chapters, state, paper.screen);
    return paper.str();
  }
};

}  // namespace

TEST_CASE("a chapter's program comes first, then its exercises, then its quiz, then the next chapter") {
  Reader reader;
  CHECK(reader.next() == "./attend run 01");
  reader.state.ran.insert("01");
  CHECK(reader.next() == "./attend watch 01 1");
  reader.state.exercises["01.1"].standing = Standing::solved;
  CHECK(reader.next() == "./attend watch 01 2");
  reader.state.exercises["01.2"].standing = Standing::tried;
  CHECK(reader.next() == "./attend watch 01 2");
  reader.state.exercises["01.2"].standing = Standing::given_up;
  CHECK(reader.next() == "./attend quiz 01");
  reader.state.quizzes["01"] = {0, 5};
  CHECK(reader.next() == "./attend run 02");
  reader.state.ran.insert("02");
  CHECK(reader.next() == "");
}

TEST_CASE("who has begun a later chapter goes on there, and then with what was left out") {
  Reader reader;
  reader.state.at = "02";
  CHECK(reader.next() == "./attend run 02");
  reader.state.ran.insert("02");
  CHECK(reader.next() == "./attend run 01");
}

TEST_CASE("the next exercise is the first that is left, or the first of all") {
  Reader reader;
  CHECK(next_exercise(reader.chapters[0], reader.state) == "1");
  reader.state.exercises["01.1"].standing = Standing::solved;
  CHECK(next_exercise(reader.chapters[0], reader.state) == "2");
  reader.state.exercises["01.2"].standing = Standing::solved;
  CHECK(next_exercise(reader.chapters[0], reader.state) == "1");
  CHECK(next_exercise(reader.chapters[1], reader.state) == "");
}

TEST_CASE("the board shows what is done, how much that is, and the command to type") {
  Reader reader;
  reader.state.ran = {"01", "02"};
  reader.state.exercises["01.1"].standing = Standing::solved;
  const std::string board = reader.board();
  INFO(board);
  CHECK(board.find("01  First steps") != std::string::npos);
  CHECK(board.find("1/2") != std::string::npos);
  CHECK(board.find("3 of 5 steps done") != std::string::npos);
  CHECK(board.find("  ./attend watch 01 2\n") != std::string::npos);
  for (const std::string& line : lesson_test::lines_of(board)) CHECK(lesson::columns(line) <= 80);
}

TEST_CASE("when all is done the board says so and has no command") {
  Reader reader;
  reader.state.ran = {"01", "02"};
  for (const char* id : {"01.1", "01.2"}) reader.state.exercises[id].standing = Standing::solved;
  reader.state.quizzes["01"] = {5, 5};
  const std::string board = reader.board();
  CHECK(board.find("5 of 5 steps done") != std::string::npos);
  CHECK(board.find("./attend watch") == std::string::npos);
  CHECK(board.find("All of it") != std::string::npos);
}

TEST_CASE("where there is little room the board shows of each chapter how much is done, and is no wider") {
  Reader reader;
  reader.state.ran.insert("01");
  Paper paper;
  paper.screen.width = 40;
  print_board(reader.chapters, reader.state, paper.screen);
  for (const std::string& line : lesson_test::lines_of(paper.str())) CHECK_MESSAGE(lesson::columns(line) <= 40, line);
  CHECK(paper.str().find("1/4") != std::string::npos);
  CHECK(paper.str().find("./attend watch 01 1") != std::string::npos);
}
