#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/size.hpp"

/// What there is to do: the chapters, their exercises and quizzes, as the folders and pages tell it.

namespace attend::seat {

using lesson::Size;

struct Exercise {
  std::string id;    ///< "05.1": chapter and number
  std::string name;  ///< "self", of exercise_1_self.cpp
  std::string file;  ///< its path
};

struct Chapter {
  std::string number;    ///< "05"
  std::string title;     ///< "Self-attention"
  std::string question;  ///< the first sentence of the page
  std::string folder;    ///< its path
  Size minutes = 0;      ///< to read it and do its exercises, as the page says; 0 where it does not
  std::vector<Exercise> exercises;
  bool has_quiz = false;
};

/// The two parts of an exercise's id: of "05.1" the chapter, "05", and the number, "1".
std::string chapter_in(const std::string& id);
std::string number_in(const std::string& id);

/// The chapters below `tutorials`, in their order: every folder NN_name that holds a main.cpp. Throws lesson::DataError
/// when there is none, or when a page cannot be read.
std::vector<Chapter> read_catalogue(const std::string& tutorials);

/// The chapter of that number. Throws lesson::UsageError, naming those there are.
const Chapter& chapter_of(const std::vector<Chapter>& chapters, const std::string& number);

/// The exercise of that id. Throws lesson::UsageError, naming those of its chapter.
const Exercise& exercise_of(const std::vector<Chapter>& chapters, const std::string& id);

}  // namespace attend::seat
