#include "tutorials/seat/state.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/errors.hpp"

using namespace attend::seat;
using lesson_test::Folder;
using lesson_test::read_back;

namespace {

State some_state() {
  State state;
  state.at = "05";
  state.ran = {"01", "05"};
  state.exercises["05.1"] = {Standing::solved, 2, "ab12"};
  state.exercises["05.2"] = {Standing::tried, 0, ""};
  state.exercises["06.1"] = {Standing::given_up, 3, ""};
  state.quizzes["05"] = {4, 5};
  return state;
}

State read_quietly(const std::string& path) {
  std::string notice;
  const State state = read_state(path, notice);
  CHECK(notice == "");
  return state;
}

}  // namespace

TEST_CASE("what is written is read again") {
  const Folder folder;
  const std::string path = folder.path("new/state.tsv");
  write_state(path, some_state());
  const State read = read_quietly(path);
  CHECK(read.at == "05");
  CHECK(read.ran == std::set<std::string>{"01", "05"});
  CHECK(read.of("05.1").standing == Standing::solved);
  CHECK(read.of("05.1").hints == 2);
  CHECK(read.of("05.1").fingerprint == "ab12");
  CHECK(read.of("05.2").standing == Standing::tried);
  CHECK(read.finished("06.1"));
  CHECK(!read.finished("05.2"));
  CHECK(!read.finished("09.9"));
  CHECK(read.quizzes.at("05").right == 4);
  CHECK(read.quizzes.at("05").asked == 5);
}

TEST_CASE("a missing file is the beginning") {
  const Folder folder;
  CHECK(read_quietly(folder.path("state.tsv")).exercises.empty());
}

TEST_CASE("a file cut short at any byte is put aside, said so, and nothing of it is lost") {
  const Folder whole;
  write_state(whole.path("state.tsv"), some_state());
  const std::string text = read_back(whole.path("state.tsv"));
  for (std::size_t length = 0; length < text.size(); ++length) {
    const Folder folder;
    const std::string path = folder.path("state.tsv");
    std::ofstream(path) << text.substr(0, length);
    std::string notice;
    const State state = read_state(path, notice);
    INFO(length);
    CHECK(state.exercises.empty());
    CHECK(notice.find(path + ".1") != std::string::npos);
    CHECK(!std::filesystem::exists(path));
    CHECK(read_back(path + ".1") == text.substr(0, length));
  }
}

TEST_CASE("a file of another version, or with lines that are not ours, is put aside beside older ones") {
  const Folder folder;
  const std::string path = folder.path("state.tsv");
  int aside = 0;
  for (const char* text : {"attend state 2\nend\t0\n", "attend state 1\nexercise\t05.1\tdone\t0\t\nend\t1\n",
                           "attend state 1\nexercise\t05.1\tsolved\t-1\t\nend\t1\n",
                           "attend state 1\nsung\t05\nend\t1\n", "attend state 1\nran\t05\nend\t2\n", "\n\n\n"}) {
    std::ofstream(path) << text;
    std::string notice;
    read_state(path, notice);
    INFO(text);
    CHECK(notice.find("another version") != std::string::npos);
    CHECK(read_back(path + "." + std::to_string(++aside)) == text);
  }
}

TEST_CASE("what is no file, such as /dev/null, stays where it is") {
  const Folder folder;
  const std::string path = folder.path("state.tsv");
  std::filesystem::create_symlink("/dev/null", path);
  std::string notice;
  CHECK_THROWS_AS(read_state(path, notice), attend::lesson::DataError);
  CHECK(notice == "");
  CHECK(std::filesystem::is_symlink(path));
}

TEST_CASE("a state whose folder cannot be made says so with its path") {
  const Folder folder;
  const std::string path = folder.path("file") + "/state.tsv";
  std::ofstream(folder.path("file")) << "a file, and no folder";
  CHECK_THROWS_WITH(write_state(path, {}), (path + ": cannot be written: Not a directory").c_str());
}

TEST_CASE("a fingerprint tells whether a file has changed") {
  const Folder folder;
  std::ofstream(folder.path("a")) << "one";
  const std::string before = fingerprint(folder.path("a"));
  CHECK(before == fingerprint(folder.path("a")));
  std::ofstream(folder.path("a")) << "onf";
  CHECK(before != fingerprint(folder.path("a")));
  CHECK(fingerprint(folder.path("nothing")) == "");
}
