#include <doctest/doctest.h>

#include <fstream>

#include "tests/support/op_table.hpp"

using namespace attend::test;

TEST_CASE("every section of autograd/ops.hpp has its source, and its rows under the same name") {
  const std::vector<std::string> sections = sections_of_ops();
  CHECK(sections.size() >= 12);
  for (const std::string& section : sections) {
    for (const char* folder : {"/autograd/", "/tests/autograd/"}) {
      const std::string path = folder + section;
      CHECK_MESSAGE(std::ifstream(ATTEND_SOURCE_DIR + path).is_open(), "there is no file ", path);
    }
  }
}
