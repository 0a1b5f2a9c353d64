#pragma once

#include <string>

#include "tutorials/lesson/data.hpp"

namespace attend::test {

/// Whether a text stands on the page of a chapter, where the tests look for the numbers that they work out:
///
///     const OnPage on_page("12_sparse");
///     CHECK(on_page("| 1 | 15.00 |"));
class OnPage {
 public:
  explicit OnPage(const std::string& chapter)
      : path_(std::string(ATTEND_SOURCE_DIR) + "/tutorials/" + chapter + "/README.md") {}

  bool operator()(const std::string& part) const { return lesson::read_text(path_).find(part) != std::string::npos; }

 private:
  std::string path_;
};

}  // namespace attend::test
