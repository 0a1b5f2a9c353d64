// The failure museum lists what every chapter breaks on purpose, and for each the test of the library that catches it.
#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/text.hpp"

using namespace attend::lesson;
namespace fs = std::filesystem;

namespace {

const std::string tutorials = std::string(ATTEND_SOURCE_DIR) + "/tutorials";

// "05 causal-mask" for each row of a table that begins with a switch, under the chapter of its heading or folder.
using Switches = std::multiset<std::string>;

Switches switches_in(const std::string& page, std::string chapter) {
  Switches found;
  std::smatch match;
  for (const std::string& line : split(page, '\n')) {
    if (std::regex_search(line, match, std::regex("^## ([0-9][0-9]) · "))) chapter = match[1];
    if (std::regex_search(line, match, std::regex("^\\| `--break ([a-z0-9-]+)"))) {
      found.insert(chapter + " " + match[1].str());
    }
  }
  return found;
}

Switches switches_of_chapters() {
  Switches all;
  for (const auto& entry : fs::directory_iterator(tutorials)) {
    const std::string name = entry.path().filename().string();
    if (!std::regex_match(name, std::regex("[0-9][0-9]_.+"))) continue;
    const Switches found = switches_in(read_text((entry.path() / "README.md").string()), name.substr(0, 2));
    INFO(name);
    CHECK(found.size() >= 3);
    all.insert(found.begin(), found.end());
  }
  return all;
}

}  // namespace

TEST_CASE("the museum has what every chapter breaks, each once, and nothing else; a chapter has at least three") {
  CHECK(switches_in(read_text(tutorials + "/museum.md"), "") == switches_of_chapters());
}

TEST_CASE("the tests that the museum names exist under these names") {
  std::size_t named = 0;
  std::smatch match;
  for (const std::string& line : split(read_text(tutorials + "/museum.md"), '\n')) {
    if (!std::regex_search(line, match, std::regex("\\]\\(\\.\\./(tests/[^)]+)\\): (.+) \\|$"))) continue;
    ++named;
    const std::string test = read_text(std::string(ATTEND_SOURCE_DIR) + "/" + match[1].str());
    INFO(line);
    CHECK(test.find("\"" + match[2].str() + "\"") != std::string::npos);
  }
  CHECK(named == switches_in(read_text(tutorials + "/museum.md"), "").size());
}
