#include "tutorials/lesson/report/keep.hpp"

#include <doctest/doctest.h>

#include <iostream>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/options.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

/// What `action` prints to standard output.
template <class Action>
std::string printed(Action action) {
  std::ostringstream out;
  std::streambuf* const before = std::cout.rdbuf(out.rdbuf());
  action();
  std::cout.rdbuf(before);
  return out.str();
}

void parse(const std::vector<const char*>& arguments) {
  Options options("03", "Additive attention");
  options.parse(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

TEST_CASE("--report keeps what is printed to the standard screen, and says in the end where the page is") {
  const Folder folder;
  const std::string file = folder.path("it's a report.html");
  const std::string out = printed([&] {
    parse({"program", "--seed", "3", "--report", file.c_str()});
    say("kept");
    finish_report(0);
    say("not kept");
  });
  const std::string page = read_back(file);
  CHECK(out == "kept\n\nReport, for a browser: " + file + "\nnot kept\n");
  CHECK(page.find("<p>kept</p>") != std::string::npos);
  CHECK(page.find("not kept") == std::string::npos);
  CHECK(page.find("./attend run 03 --seed 3 --report '" + folder.path("it'\\''s a report.html") + "'") !=
        std::string::npos);
}

TEST_CASE("without --report nothing is kept and nothing is written") {
  const std::string out = printed([] {
    parse({"program"});
    finish_report(0);
  });
  CHECK(out.empty());
  CHECK(standard_screen().report == nullptr);
}

TEST_CASE("a report that cannot be written is found before anything is computed") {
  const Folder folder;
  const std::string file = folder.path("missing/report.html");
  const std::string complaint = thrown<UsageError>([&] { parse({"program", "--report", file.c_str()}); });
  CHECK(complaint.find("--report: ") == 0);
  CHECK(complaint.find(file) != std::string::npos);
  CHECK(standard_screen().report == nullptr);
  CHECK(thrown<UsageError>([] { parse({"program", "--report", ""}); }) == "--report wants the name of a file, not ''");
}

TEST_CASE("until the run has ended there is no file") {
  const Folder folder;
  const std::string file = folder.path("report.html");
  parse({"program", "--report", file.c_str()});
  CHECK(folder.files() == 0);
  printed([] { finish_report(1); });
  CHECK(read_back(file).find("exit code 1") != std::string::npos);
}
