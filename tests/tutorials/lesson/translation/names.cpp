#include "tutorials/lesson/translation/names.hpp"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"

using namespace attend;
using namespace attend::translation;
using lesson_test::Folder;
using lesson_test::thrown;

namespace {

std::string listed(const std::vector<Pair>& pairs) {
  std::string text;
  for (const Pair& pair : pairs) text += pair.source + "=" + pair.target + ";";
  return text;
}

std::string read_back(const std::string& content) {
  const Folder folder;
  return listed(read_pair_file(folder.write("p.tsv", content)));
}

/// The message for a file of this content, from its name on.
std::string complaint(const std::string& content) {
  const Folder folder;
  const std::string path = folder.write("p.tsv", content);
  const std::string text = thrown<lesson::DataError>([&] { read_pair_file(path); });
  return text.empty() ? "" : text.substr(text.find("p.tsv"));
}

std::vector<Pair> cldr() { return read_cldr_names(lesson::data_path("cldr/cldr_emoji_names.tsv")); }

}  // namespace

TEST_CASE("the pairs are those of the reader's file, and without one the names of the CLDR") {
  const Folder folder;
  CHECK(pairs_of(folder.write("p.tsv", "red\trouge\ncat\tchat\n")).size() == 2);
  CHECK(pairs_of("").size() == cldr().size());
}

TEST_CASE("the CLDR names are read, English to French or any other two of their languages") {
  const std::vector<Pair> pairs = cldr();
  REQUIRE(pairs.size() == 1585);
  CHECK(pairs[0].source == "light skin tone");
  CHECK(pairs[0].target == "peau claire");
  const std::string path = lesson::data_path("cldr/cldr_emoji_names.tsv");
  CHECK(read_cldr_names(path, "it", "de")[0].target == "helle Hautfarbe");
  CHECK(thrown<lesson::DataError>([&] { read_cldr_names(path, "en", "eo"); }) == path + ":1: no column 'eo'");
}

TEST_CASE("a row of names that ends early is answered with its line") {
  const Folder folder;
  const std::string path = folder.write("n.tsv", "emoji\ten\tfr\nx\tcat\tchat\ny\tdog\n");
  CHECK(thrown<lesson::DataError>([&] { read_cldr_names(path); }) == path + ":3: fewer columns than the header");
}

TEST_CASE("pairs are the first two columns of a file") {
  CHECK(read_back("cat\tchat\ndog\tchien\n") == "cat=chat;dog=chien;");
  CHECK(read_back("cat\tchat\tKatze\tgato\ndog\tchien\t\n") == "cat=chat;dog=chien;");
}

TEST_CASE("Windows line ends, a byte order mark, spaces around and empty lines are tolerated") {
  CHECK(read_back("\xEF\xBB\xBF"
                  "cat\tchat\r\n\r\n  dog \t chien \r\n") == "cat=chat;dog=chien;");
  CHECK(read_back("cat\tchat\n\ndog\tchien\r") == "cat=chat;dog=chien;");
  CHECK(read_back("\ncat\tchat\n   \ndog\tchien") == "cat=chat;dog=chien;");
}

TEST_CASE("a first line that begins with # is a header, and no other line is") {
  CHECK(read_back("# English and French\ncat\tchat\ndog\tchien\n") == "cat=chat;dog=chien;");
  CHECK(read_back("#en\tfr\ncat\tchat\ndog\tchien\n") == "cat=chat;dog=chien;");
  CHECK(read_back("cat\tchat\n# sign\tdièse\n") == "cat=chat;# sign=dièse;");
}

TEST_CASE("a pair that occurs twice is kept once, but other translations of its source are kept") {
  CHECK(read_back("cat\tchat\ncat\tchat\ncat\tchatte\ndog\tchien\n") == "cat=chat;cat=chatte;dog=chien;");
}

TEST_CASE("bad files of pairs are answered with file, line and what is wrong") {
  CHECK(complaint("") == "p.tsv:1: the file is empty");
  CHECK(complaint("\n\n") == "p.tsv:2: the file holds no pair");
  CHECK(complaint("#en\tfr\n") == "p.tsv:1: the file holds no pair");
  CHECK(complaint("cat\tchat\n\ndog chien\n") == "p.tsv:3: no tab on this line");
  CHECK(complaint("cat\tchat\r\ndog chien\r\n") == "p.tsv:2: no tab on this line");
  CHECK(complaint("cat\tchat\ndog\tchi\xE9n\n") == "p.tsv:2: invalid UTF-8 (save the file as UTF-8)");
  CHECK(complaint("cat\tchat\n\tchien\n") == "p.tsv:2: nothing before the tab");
  CHECK(complaint("cat\tchat\ndog\t \tHund\n") == "p.tsv:2: nothing behind the tab");
  CHECK(complaint("cat\tchat\ncat\tchatte\n") ==
        "p.tsv:2: two different texts before the tab are needed: one to learn, one to hold out");
  CHECK(thrown<lesson::DataError>([] { read_pair_file("/nowhere.tsv"); }) ==
        "/nowhere.tsv: cannot be read: No such file or directory");
}

TEST_CASE("a split holds the share asked for, loses no pair and depends on the seed alone") {
  const std::vector<Pair> pairs = cldr();
  Rng one(1), same(1), other(2);
  const Split split = split_pairs(pairs, 0.1, one);
  CHECK(split.held_out.size() == 159);
  CHECK(split.training.size() == 1426);
  CHECK(listed(split.held_out) == listed(split_pairs(pairs, 0.1, same).held_out));
  CHECK(listed(split.held_out) != listed(split_pairs(pairs, 0.1, other).held_out));

  std::set<std::string> all, parts;
  for (const Pair& pair : pairs) all.insert(pair.source + "\t" + pair.target);
  for (const auto* part : {&split.training, &split.held_out}) {
    for (const Pair& pair : *part) parts.insert(pair.source + "\t" + pair.target);
  }
  CHECK(parts == all);
}

TEST_CASE("pairs of one source are held out together") {
  std::vector<Pair> pairs;
  for (int i = 0; i < 60; ++i) pairs.push_back({"source " + std::to_string(i % 20), "target " + std::to_string(i)});
  Rng rng(1);
  const Split split = split_pairs(pairs, 0.5, rng);
  CHECK(split.held_out.size() == 30);
  std::set<std::string> training;
  for (const Pair& pair : split.training) training.insert(pair.source);
  for (const Pair& pair : split.held_out) CHECK(training.count(pair.source) == 0);
}

TEST_CASE("at least one pair is held out and one is left to learn") {
  const std::vector<Pair> pairs = {{"cat", "chat"}, {"dog", "chien"}};
  Rng rng(1);
  CHECK(split_pairs(pairs, 0, rng).held_out.size() == 1);
  CHECK(split_pairs(pairs, 1, rng).training.size() == 1);
  CHECK_THROWS_AS(split_pairs(pairs, 1.5, rng), std::invalid_argument);
  CHECK_THROWS_AS(split_pairs({{"cat", "chat"}}, 0.5, rng), std::invalid_argument);
}
