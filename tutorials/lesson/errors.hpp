#pragma once

#include <stdexcept>
#include <string>

#include "tutorials/lesson/size.hpp"

/// What goes wrong for reasons a person outside of the program can put right. `run` turns each into one line.

namespace attend::lesson {

/// A file that cannot be read, or holds something else than it should: "names.tsv:12: no tab on this line".
class DataError : public std::runtime_error {
 public:
  /// `line` counts from 1; 0 means the file as a whole.
  DataError(const std::string& path, Size line, const std::string& message)
      : std::runtime_error(path + ":" + (line > 0 ? std::to_string(line) + ":" : "") + " " + message),
        path_(path),
        line_(line) {}

  const std::string& path() const { return path_; }
  Size line() const { return line_; }

 private:
  std::string path_;
  Size line_;
};

/// A command line that makes no sense.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Not an error: --help was asked for, and what() is the text to print.
class HelpWanted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace attend::lesson
