#pragma once

#include <filesystem>

#include "tests/tutorials/lesson/support.hpp"

/// What the tests of the learner's seat share.

namespace seat_test {

/// A folder of chapters: 01 with two exercises and a quiz, 02 with neither.
class Tutorials {
 public:
  Tutorials() {
    write("01_first/README.md",
          "# 01 · First steps\n\nWhat is a **step**, of 1.5 m? More.\n\n![picture](a.svg)\n\n"
          "For all. 30 minutes; the\nprogram is quick.\n");
    write("01_first/main.cpp", "");
    write("01_first/check_2_walk.cpp", "");
    write("01_first/check_1_stand.cpp", "");
    write("01_first/exercise_2_walk.cpp", "walk");
    write("01_first/exercise_1_stand.cpp", "stand");
    write("01_first/quiz.md", "");
    write("02_second/README.md", "A page without a title. An hour.\n");
    write("02_second/main.cpp", "");
    write("03_no_program/README.md", "# 03\n");
    write("lesson/main.cpp", "");
  }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name)) << text;
  }
  std::string path(const std::string& name = "") const { return folder_.path(name); }

 private:
  lesson_test::Folder folder_;
};

}  // namespace seat_test
