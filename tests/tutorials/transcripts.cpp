// What pages show of runs. The short ones are run again by transcripts/NN (tests/transcripts); here every claim that a
// page shows, however long its program takes, must be one that the program can make.
#include <doctest/doctest.h>

#include <filesystem>
#include <stdexcept>

#include "tests/transcripts/transcript.hpp"
#include "tutorials/lesson/data.hpp"

using namespace transcripts;
namespace fs = std::filesystem;

namespace {

// The strings of the chapter's sources and of what all chapters share, and the figures that its results name.
std::vector<std::string> strings_of_chapter(const fs::path& chapter) {
  std::string source, figures;
  for (const fs::path& folder : {chapter, chapter.parent_path() / "lesson"}) {
    for (const auto& file : fs::recursive_directory_iterator(folder)) {
      const std::string name = file.path().filename().string();
      if (file.path().extension() == ".cpp") source += attend::lesson::read_text(file.path().string());
      if (name.rfind("results", 0) != 0 || file.path().extension() != ".tsv") continue;
      for (const auto& row : attend::lesson::read_tsv(file.path().string()).rows) figures += '"' + row.cells[0] + "\";";
    }
  }
  return strings_of(source + figures);
}

std::optional<std::string> missing(const std::vector<std::string>& lines, const std::string& output) {
  return first_line_missing({1, "", lines}, output);
}

}  // namespace

TEST_CASE("every claim that a page shows is one that its program can make") {
  for (const auto& chapter : fs::directory_iterator(std::string(ATTEND_SOURCE_DIR) + "/tutorials")) {
    const fs::path page = chapter.path() / "README.md";
    if (!fs::exists(page)) continue;
    CAPTURE(page.string());
    const std::vector<std::string> strings = strings_of_chapter(chapter.path());
    for (const Transcript& transcript : transcripts_of(attend::lesson::read_text(page.string()))) {
      CAPTURE(transcript.line);
      for (const std::string& claim : claims_of(transcript)) CHECK_MESSAGE(may_be_said(claim, strings), claim);
    }
  }
}

TEST_CASE("transcripts are found by their marks") {
  const auto all = transcripts_of(
      "a\n<!-- run: the end of ./attend run 05 --break x -->\n```\none\n\ntwo\n```\n<!-- /run -->\n```\nother\n```\n");
  REQUIRE(all.size() == 1);
  CHECK(all[0].line == 2);
  CHECK(all[0].arguments == "--break x");
  CHECK(all[0].lines == std::vector<std::string>{"one", "", "two"});
  CHECK_THROWS_AS(transcripts_of("<!-- run: ./attend test 05 -->\n<!-- /run -->\n"), std::invalid_argument);
  CHECK_THROWS_AS(transcripts_of("<!-- run: ./attend run 05 -->\n```\n```\n"), std::invalid_argument);
}

TEST_CASE("a transcript may be one of the comparison of all variants") {
  const auto all = transcripts_of("<!-- run: the end of ./attend variants --quick -->\n```\none\n```\n<!-- /run -->\n");
  REQUIRE(all.size() == 1);
  CHECK(all[0].arguments == "--quick");
  CHECK_THROWS_AS(transcripts_of("<!-- run: ./attend identities -->\n<!-- /run -->\n"), std::invalid_argument);
}

TEST_CASE("a transcript is a part of the output, without gaps but where it says so") {
  const std::string output = "first\nsecond line\nthird\nfourth\n";
  CHECK_FALSE(missing({"second", "  line third"}, output));
  CHECK_FALSE(missing({"first", "...", "fourth"}, output));
  CHECK(missing({"first", "third"}, output) == "third");
  CHECK(missing({"third", "...", "first"}, output) == "first");
  CHECK(missing({"third", "fourth", "fifth"}, output) == "fifth");
}

TEST_CASE("measured numbers may differ a little, counted ones may not") {
  const std::string output = "sat │·0.23 ░0.46 │ 8,192 pairs, 1.3e-14 off, 25.4 %\n";
  CHECK_FALSE(missing({"sat │░0.23 ·0.46 │ 8,192 pairs, 0 off, 25.4 %"}, output));
  CHECK_FALSE(missing({"25.3 %"}, output));
  CHECK(missing({"26.4 %"}, output) == "26.4 %");
  CHECK(missing({"8,191 pairs"}, output) == "8,191 pairs");
  CHECK(missing({"0.001 off"}, output) == "0.001 off");
}

TEST_CASE("claims are read with their line breaks and without their figures") {
  const Transcript transcript{
      1,
      "",
      {"✓ rows sum to 1, difference:", "  2e-15 (below 1e-12)", "✗ it learns", "row", "  2 of them",
       "2 of 9 claims do not hold:", "  it learns", "  time:", "    3 s (at most 2 s)"}};
  CHECK(claims_of(transcript) ==
        std::vector<std::string>{"rows sum to 1, difference", "it learns", "it learns", "time"});
}

TEST_CASE("a claim is made of what the program's strings say") {
  const auto strings = strings_of(R"(holds("rows sum "
                                           "to one", x); below(name + ": difference", y); fill("at rate {}", z);)");
  CHECK(may_be_said("rows sum to one", strings));
  CHECK(may_be_said("at rate 0.3: difference", strings));
  CHECK_FALSE(may_be_said("columns sum to one", strings));
  CHECK_FALSE(may_be_said("rows sum to two", strings));
  CHECK_FALSE(may_be_said("at speed 0.3: difference", strings));
}
