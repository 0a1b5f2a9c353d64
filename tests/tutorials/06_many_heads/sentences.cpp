#include "tutorials/06_many_heads/sentences.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/data.hpp"

using namespace attend;
using namespace attend::chapter06;

namespace {

using Ids = std::vector<std::int64_t>;

Sentence sentence(const std::string& text, std::int64_t praise = 1) { return {words_of(text), praise}; }

const Sentences& reviews() {
  static const Sentences all = read_sentences(lesson::data_path("sentiment/amazon_sentiment.tsv"));
  return all;
}

}  // namespace

TEST_CASE("words are small letters, digits and apostrophes; ! and ? are words of their own") {
  CHECK(words_of("It's GREAT!!") == Words{"it's", "great", "!", "!"});
  CHECK(words_of("what?a 5+ ft-range.") == Words{"what", "?", "a", "5", "ft", "range"});
  CHECK(words_of("a\xC3\xA9"
                 "b") == Words{"a", "b"});
  CHECK(words_of(" .,- ").empty());
}

TEST_CASE("the data set is what its datasheet says: 990 sentences, 493 of them praise, at most 30 words or so") {
  CHECK(reviews().size() == 990);
  CHECK(std::count_if(reviews().begin(), reviews().end(), [](const Sentence& s) { return s.praise == 1; }) == 493);
  for (const Sentence& s : reviews()) {
    CHECK(!s.words.empty());
    CHECK(s.words.size() <= 40);
  }
  CHECK(reviews()[1].words == Words{"good", "case", "excellent", "value"});
  CHECK(reviews()[1].praise == 1);
}

TEST_CASE("a word that occurs once is unknown, and the order of the sentences does not matter") {
  const Sentences some = {sentence("good phone"), sentence("good case"), sentence("bad case")};
  const Lexicon lexicon(some), turned({some[2], some[0], some[1]});
  CHECK(lexicon.size() == 4);  // padding, unknown, case, good
  CHECK(lexicon.id("case") == 2);
  CHECK(lexicon.id("good") == 3);
  CHECK(lexicon.id("phone") == Lexicon::unknown);
  CHECK(lexicon.id("never") == Lexicon::unknown);
  CHECK(turned.id("good") == lexicon.id("good"));
}

TEST_CASE("short sentences are filled up with padding, and no further than asked") {
  const Sentences some = {sentence("good good case case"), sentence("case", 0)};
  const Lexicon lexicon(some);
  const Batch batch = batch_of(some, lexicon);
  CHECK(batch.ids.shape() == Shape{2, 4});
  CHECK(batch.ids.to_ints() == Ids{3, 3, 2, 2, 2, 0, 0, 0});
  CHECK(batch.lengths == std::vector<Size>{4, 1});
  CHECK(batch.praise.to_ints() == Ids{1, 0});
  CHECK(batch_of(some, lexicon, 6).ids.shape() == Shape{2, 6});
  CHECK(batch_of(some, lexicon, 2).ids.shape() == Shape{2, 4});
  CHECK_THROWS_AS(batch_of({}, lexicon), std::invalid_argument);
}

TEST_CASE("chosen takes the sentences at these places") {
  const Sentences some = chosen(reviews(), {1, 0});
  CHECK(some.size() == 2);
  CHECK(some[0].words == reviews()[1].words);
  CHECK(some[1].words == reviews()[0].words);
}

TEST_CASE("a broken file is answered with the line and what is wrong") {
  const lesson_test::Folder folder;
  const auto complaint = [&](const std::string& row) -> std::string {
    try {
      read_sentences(folder.write("s.tsv", "label\ttext\n1\tgood\n" + row));
    } catch (const lesson::DataError& error) {
      const std::string text = error.what();
      return text.substr(text.find("s.tsv"));
    }
    return "";
  };
  CHECK(complaint("0\tbad\n") == "");
  CHECK(complaint("2\tgood\n") == "s.tsv:3: the label '2' is neither 0 nor 1");
  CHECK(complaint("1\t...\n") == "s.tsv:3: no word behind the tab");
}
