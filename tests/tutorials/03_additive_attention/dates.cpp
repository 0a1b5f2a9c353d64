#include "tutorials/03_additive_attention/dates.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <stdexcept>

#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/translation/vocabulary.hpp"

using namespace attend;
using namespace attend::chapter03;
using namespace attend::translation;

namespace {

std::vector<DateLocale> locales() { return read_date_locales(lesson::data_path("cldr/cldr_dates.tsv")); }

const DateTask& task() {
  static const DateTask one(locales(), 500, 1);
  return one;
}

std::string part(const DateExample& example, const Span& span) {
  return join_characters({example.source.begin() + span.begin, example.source.begin() + span.end});
}

std::string key_and_target(const DateExample& example) {
  return example.key() + " -> " + join_characters(example.target);
}

}  // namespace

TEST_CASE("an example is the token of its locale, the characters of the text, and the ISO form") {
  const DateExample example = task().example(1, 2, {1984, 9, 3});
  CHECK(key_and_target(example) == "<en-GB>3 Sept 1984 -> 1984-09-03");
  CHECK(example.text() == "3 Sept 1984");
  CHECK(example.source[0] == "<en-GB>");
  CHECK(example.source.size() == 12);
  CHECK(part(example, example.day_span) == "3");
  CHECK(part(example, example.month_span) == "Sept");
  CHECK(part(example, example.year_span) == "1984");
  CHECK(example.weekday_span.empty());
  CHECK(example.weekday_span.end == 0);
}

TEST_CASE("two-digit years from 50 on are 19xx, and 20xx below") {
  const Size en = 0, short_form = 3;
  CHECK(key_and_target(task().example(en, short_form, {1950, 1, 2})) == "<en>1/2/50 -> 1950-01-02");
  CHECK(key_and_target(task().example(en, short_form, {1999, 1, 2})) == "<en>1/2/99 -> 1999-01-02");
  CHECK(key_and_target(task().example(en, short_form, {2000, 1, 2})) == "<en>1/2/00 -> 2000-01-02");
  CHECK(key_and_target(task().example(en, short_form, {2049, 1, 2})) == "<en>1/2/49 -> 2049-01-02");
}

TEST_CASE("every text means one date, given its locale") {
  // All days of the years that could be mixed up: the two ends of each century, with every month and day in them.
  std::map<std::string, std::string> meaning;
  for (Size locale = 0; locale < 12; ++locale) {
    for (Size form = 0; form < 4; ++form) {
      for (const Size year : {1950, 1951, 1999, 2000, 2001, 2011, 2049}) {
        for (Size day = 0; day < 365; ++day) {
          const DateExample example = task().example(locale, form, days_later({year, 1, 1}, day));
          const std::string target = join_characters(example.target);
          if (meaning.emplace(example.key(), target).first->second != target) FAIL_CHECK(key_and_target(example));
        }
      }
    }
  }
  CHECK(meaning.size() > 100000);
}

TEST_CASE("held-out texts differ from each other and from 50,000 that are drawn for training") {
  std::set<std::string> held_out;
  for (const DateExample& example : task().held_out()) held_out.insert(example.key());
  CHECK(held_out.size() == 500);
  Rng rng(2);
  Size met = 0;
  for (const DateExample& example : task().draw(50000, rng)) met += held_out.count(example.key());
  CHECK(met == 0);
}

TEST_CASE("a draw that hits a held-out text is drawn again") {
  // The stream that chose the held-out dates would, without rejection, give the very same ones.
  Rng rng(1);
  const std::string first_held_out = task().held_out()[0].key();
  CHECK(task().draw(rng).key() != first_held_out);
  Rng same(1);
  CHECK(DateTask(locales(), 0, 9).draw(same).key() == first_held_out);
}

TEST_CASE("the same seed gives the same dates, and another seed others") {
  const auto first_texts = [](std::uint64_t seed) {
    const DateTask task(locales(), 20, seed);
    Rng rng(seed);
    std::string texts;
    for (const DateExample& example : task.held_out()) texts += example.key() + "\n";
    for (const DateExample& example : task.draw(20, rng)) texts += example.key() + "\n";
    return texts;
  };
  CHECK(first_texts(7) == first_texts(7));
  CHECK(first_texts(7) != first_texts(8));
}

TEST_CASE("dates are drawn uniformly over locales, forms and days") {
  Rng rng(3);
  const Size count = 48000;
  std::map<std::pair<Size, Size>, Size> forms;
  std::map<Size, Size> months;
  double years = 0;
  for (const DateExample& example : task().draw(count, rng)) {
    ++forms[{example.locale, example.form}];
    ++months[example.day.month];
    years += static_cast<double>(example.day.year) / count;
  }
  REQUIRE(forms.size() == 48);
  REQUIRE(months.size() == 12);
  for (const auto& [form, times] : forms) {  // 1000 expected, 31 the standard deviation
    CHECK(times > 850);
    CHECK(times < 1150);
  }
  CHECK(months[2] < months[1]);  // 28 days against 31: 3700 against 4100
  CHECK(years > 1999.0);
  CHECK(years < 2000.0);
}

TEST_CASE("the spans of every locale and form hold what they name") {
  for (Size locale = 0; locale < 12; ++locale) {
    for (Size form = 0; form < 4; ++form) {
      const DateExample example = task().example(locale, form, {1987, 11, 26});
      const DateLocale& writer = task().locales()[static_cast<std::size_t>(locale)];
      const std::string year = part(example, example.year_span), day = part(example, example.day_span);
      const std::string month = part(example, example.month_span);
      INFO(example.key());
      CHECK((year == "1987" || year == "87"));
      CHECK(day == "26");
      CHECK((month == "11" || month == writer.months[10] || month == writer.short_months[10]));
      CHECK(example.weekday_span.empty() == (form != 0));
      if (form == 0) CHECK(part(example, example.weekday_span) == writer.weekdays[3]);
    }
  }
}

TEST_CASE("the vocabularies know every token of every date") {
  const Vocabulary source(task().source_tokens()), target(task().target_tokens());
  CHECK(source.size() == 4 + 81);  // 12 locales, 69 characters
  CHECK(target.size() == 4 + 11);
  Rng rng(4);
  for (const DateExample& example : task().draw(20000, rng)) {
    for (const std::string& token : example.source) {
      if (!source.has(token)) FAIL_CHECK(token);
    }
    for (const std::string& token : example.target) {
      if (!target.has(token)) FAIL_CHECK(token);
    }
  }
}

TEST_CASE("what the task cannot give is refused") {
  CHECK_THROWS_AS(DateTask({}, 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(DateTask(locales(), -1, 1), std::invalid_argument);
  CHECK_THROWS_AS(DateTask(locales(), 10001, 1), std::invalid_argument);
  CHECK_THROWS_AS(task().example(0, 0, {1949, 12, 31}), std::invalid_argument);
  CHECK_THROWS_AS(task().example(0, 0, {2050, 1, 1}), std::invalid_argument);
  CHECK_THROWS_AS(task().example(12, 0, {2000, 1, 1}), std::invalid_argument);
  CHECK_THROWS_AS(task().example(0, 4, {2000, 1, 1}), std::invalid_argument);
}
