#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tutorials/lesson/terminal.hpp"

/// What the tests of the lesson library share.

namespace lesson_test {

/// A screen that writes into a string.
struct Paper {
  std::ostringstream text;
  attend::lesson::Screen screen{&text};

  std::string str() const { return text.str(); }
};

/// A screen of the given looks, for functions that only return text.
inline attend::lesson::Screen plain(bool unicode = true) {
  static std::ostringstream nowhere;
  attend::lesson::Screen screen{&nowhere};
  screen.unicode = unicode;
  return screen;
}

inline attend::lesson::Screen coloured(attend::lesson::Colour colour) {
  attend::lesson::Screen screen = plain();
  screen.colour = colour;
  return screen;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// `text` without escape sequences for colours.
inline std::string without_colours(const std::string& text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (text[i] != 'm') ++i;
    } else {
      kept += text[i];
    }
  }
  return kept;
}

/// How many times `part` occurs in `text`.
inline attend::Size occurrences(const std::string& text, const std::string& part) {
  attend::Size n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// A folder of its own that goes with its contents.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "attend-lesson-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }

  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  std::size_t files() const {
    const auto all = std::filesystem::directory_iterator(path_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_back(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// The text of the exception `action` throws as `Error`, or "" when it throws none.
template <class Error, class Action>
std::string thrown(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace lesson_test
