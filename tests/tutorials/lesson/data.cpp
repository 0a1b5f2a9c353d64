#include "tutorials/lesson/data.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/tutorials/lesson/support.hpp"

using namespace attend::lesson;
using namespace lesson_test;

namespace {

/// The message for a file of this content, without the folder.
std::string complaint(const std::string& content) {
  const Folder folder;
  const std::string path = folder.write("rows.tsv", content);
  const std::string text = thrown<DataError>([&] { read_tsv(path); });
  return text.empty() ? "" : text.substr(text.find("rows.tsv"));
}

}  // namespace

TEST_CASE("the data of the chapters are found from any folder") {
  const Tsv dates = read_tsv(data_path("cldr/cldr_dates.tsv"), 5, Header::first_line);
  CHECK(dates.rows.size() == 12);
  CHECK(dates.rows[0].cells[0] == "en");
}

TEST_CASE("ATTEND_DATA names another data folder") {
  setenv("ATTEND_DATA", "/elsewhere", 1);
  CHECK(data_path("a/b.tsv") == "/elsewhere/a/b.tsv");
  unsetenv("ATTEND_DATA");
  CHECK(data_path("a/b.tsv") != "/elsewhere/a/b.tsv");
}

TEST_CASE("rows are read, whatever the line ends and with a byte order mark") {
  const Folder folder;
  const Tsv file = read_tsv(folder.write("p.tsv", "\xEF\xBB\xBFred car\tvoiture rouge\r\n\r\ncat\tchat\tKatze"));
  REQUIRE(file.rows.size() == 2);
  CHECK(file.rows[0].cells == std::vector<std::string>{"red car", "voiture rouge"});
  CHECK(file.rows[1].cells[1] == "chat");
}

TEST_CASE("bad files are answered with path, line and what is wrong") {
  CHECK(complaint("") == "rows.tsv:1: the file is empty");
  CHECK(complaint("\n\n") == "rows.tsv:3: the file holds no row");
  CHECK(complaint("a\tb\n\nno tab here\n") == "rows.tsv:3: no tab on this line: 1 of 2 columns");
  CHECK(complaint("a\tb\nc\t\xFF\n") == "rows.tsv:2: invalid UTF-8 (save the file as UTF-8)");
}

TEST_CASE("a missing file and a folder are answered with the path") {
  const Folder folder;
  CHECK(thrown<DataError>([] { read_tsv("/nowhere.tsv"); }) ==
        "/nowhere.tsv: cannot be read: No such file or directory");
  CHECK(thrown<DataError>([&] { read_tsv(folder.path("")); }).find("is a folder, not a file") != std::string::npos);
}

TEST_CASE("a row that lacks columns says how many") {
  const Folder folder;
  const std::string path = folder.write("t.tsv", "a\tb\n");
  CHECK(thrown<DataError>([&] { read_tsv(path, 3); }).find("t.tsv:1: too few tabs on this line: 2 of 3 columns") !=
        std::string::npos);
}
