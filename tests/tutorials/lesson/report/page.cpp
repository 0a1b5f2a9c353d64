#include "tutorials/lesson/report/page.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

std::map<std::string, std::string> parts() {
  return {{"title", "T"},   {"command", ""}, {"ended", ""},   {"took", ""},
          {"contents", ""}, {"body", "B"},   {"colours", ""}, {"data", "{}"}};
}

}  // namespace

TEST_CASE("a page holds its parts, its style and its script") {
  const std::string page = report_page(parts());
  CHECK(page.find("<title>T</title>") != std::string::npos);
  CHECK(page.find("prefers-color-scheme: dark") != std::string::npos);
  CHECK(page.find("JSON.parse(document.getElementById(\"data\")") != std::string::npos);
}

TEST_CASE("what looks like a hole inside of a part stays") {
  std::map<std::string, std::string> all = parts();
  all["body"] = "{{title}}";
  CHECK(report_page(all).find("<main>\n{{title}}</main>") != std::string::npos);
}

TEST_CASE("a hole without its part is an error of the program") {
  std::map<std::string, std::string> all = parts();
  all.erase("took");
  CHECK(thrown<std::logic_error>([&] { report_page(all); }) == "report.html: nothing for {{took}}");
}
