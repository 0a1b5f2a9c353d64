#include "tutorials/03_additive_attention/date_locale.hpp"

#include <doctest/doctest.h>

#include <map>
#include <stdexcept>

#include "tests/tutorials/lesson/support.hpp"
#include "tutorials/lesson/data.hpp"

using namespace attend;
using namespace attend::chapter03;
using namespace attend::translation;
using lesson_test::thrown;

namespace {

const std::vector<DateLocale>& locales() {
  static const auto all = read_date_locales(lesson::data_path("cldr/cldr_dates.tsv"));
  return all;
}

const DateLocale& locale(const std::string& name) {
  for (const DateLocale& each : locales()) {
    if (each.name == name) return each;
  }
  throw std::invalid_argument("no locale " + name);
}

std::string written(const std::string& name, Size form, const Day& day) {
  return join_characters(write_date(locale(name), form, day).characters);
}

/// A locale whose names are their numbers, with one pattern.
DateLocale numbered(const std::string& pattern) {
  DateLocale locale{"test", {parse_pattern(pattern)}, {}, {}, {}};
  for (int i = 1; i <= 12; ++i) {
    locale.months.push_back("month" + std::to_string(i));
    locale.short_months.push_back("m" + std::to_string(i));
    if (i <= 7) locale.weekdays.push_back("weekday" + std::to_string(i));
  }
  return locale;
}

std::string by_pattern(const std::string& pattern, const Day& day) {
  return join_characters(write_date(numbered(pattern), 0, day).characters);
}

std::string complaint(const std::string& pattern) {
  return thrown<std::invalid_argument>([&] { parse_pattern(pattern); });
}

std::string part(const DateText& text, const Span& span) {
  return join_characters({text.characters.begin() + span.begin, text.characters.begin() + span.end});
}

}  // namespace

TEST_CASE("each field of a pattern is written as CLDR says") {
  const Day monday{1904, 9, 5};
  CHECK(by_pattern("d/M/y", monday) == "5/9/1904");
  CHECK(by_pattern("dd/MM/yy", monday) == "05/09/04");
  CHECK(by_pattern("EEEE d MMMM y", monday) == "weekday1 5 month9 1904");
  CHECK(by_pattern("cccc d LLLL y", monday) == "weekday1 5 month9 1904");
  CHECK(by_pattern("MMM d, y", monday) == "m9 5, 1904");
}

TEST_CASE("quoted text is literal, two quotes are one, and other characters stand for themselves") {
  const Day day{1984, 9, 3};
  CHECK(by_pattern("d 'de' M 'de' y", day) == "3 de 9 de 1984");
  CHECK(by_pattern("d'dMy'M y", day) == "3dMy9 1984");
  CHECK(by_pattern("d 'o''clock' M ''y", day) == "3 o'clock 9 '1984");
  CHECK(by_pattern("y年M月d日", day) == "1984年9月3日");
}

TEST_CASE("a pattern that would not tell the date is refused, with what is wrong") {
  CHECK(complaint("d.MM.yyyy") == "date pattern \"d.MM.yyyy\": unknown field 'yyyy'");
  CHECK(complaint("d MMMMM y") == "date pattern \"d MMMMM y\": unknown field 'MMMMM'");
  CHECK(complaint("d de M y") == "date pattern \"d de M y\": the day occurs twice");
  CHECK(complaint("d 'de M y") == "date pattern \"d 'de M y\": a quote is never closed");
  CHECK(complaint("MMMM y") == "date pattern \"MMMM y\": the day is missing");
  CHECK(complaint("") == "date pattern \"\": the day is missing");
}

TEST_CASE("a day is written as its locale writes it, in each of the four forms") {
  // What the Unicode library ICU writes for the 3rd of September 1984, with CLDR 48.
  const std::map<std::string, std::vector<std::string>> expected = {
      {"en", {"Monday, September 3, 1984", "September 3, 1984", "Sep 3, 1984", "9/3/84"}},
      {"en-GB", {"Monday, 3 September 1984", "3 September 1984", "3 Sept 1984", "03/09/1984"}},
      {"fr", {"lundi 3 septembre 1984", "3 septembre 1984", "3 sept. 1984", "03/09/1984"}},
      {"de", {"Montag, 3. September 1984", "3. September 1984", "03.09.1984", "03.09.84"}},
      {"es", {"lunes, 3 de septiembre de 1984", "3 de septiembre de 1984", "3 sept 1984", "3/9/84"}},
      {"it", {"lunedì 3 settembre 1984", "3 settembre 1984", "3 set 1984", "03/09/84"}},
      {"pt", {"segunda-feira, 3 de setembro de 1984", "3 de setembro de 1984", "3 de set. de 1984", "03/09/1984"}},
      {"nl", {"maandag 3 september 1984", "3 september 1984", "3 sep 1984", "03-09-1984"}},
      {"sv", {"måndag 3 september 1984", "3 september 1984", "3 sep. 1984", "1984-09-03"}},
      {"pl", {"poniedziałek, 3 września 1984", "3 września 1984", "3 wrz 1984", "3.09.1984"}},
      {"fi", {locale("fi").weekdays[0] + " 3. syyskuuta 1984", "3. syyskuuta 1984", "3.9.1984", "3.9.1984"}},
      {"cs", {"pondělí 3. září 1984", "3. září 1984", "3. 9. 1984", "03.09.84"}},
  };
  REQUIRE(locales().size() == expected.size());
  for (const auto& [name, forms] : expected) {
    for (Size form = 0; form < 4; ++form) CHECK(written(name, form, {1984, 9, 3}) == forms[form]);
  }
}

TEST_CASE("the spans are those of the written parts, counted in characters and not in bytes") {
  const DateText text = write_date(locale("cs"), 0, {2014, 7, 20});  // neděle 20. července 2014
  CHECK(part(text, text.weekday) == "neděle");
  CHECK(part(text, text.day) == "20");
  CHECK(part(text, text.month) == "července");
  CHECK(part(text, text.year) == "2014");
  CHECK(text.year.end == lesson::size_of(text.characters));
  CHECK(text.day.begin == 7);
  CHECK(text.day.contains(8));
  CHECK_FALSE(text.day.contains(9));

  const DateText shorter = write_date(locale("de"), 3, {2014, 7, 20});  // 20.07.14
  CHECK(shorter.weekday.empty());
  CHECK(part(shorter, shorter.year) == "14");
  CHECK(shorter.year.size() == 2);
}

TEST_CASE("a file of dates that is broken is answered with its line") {
  const lesson_test::Folder folder;
  const auto answer = [&](const std::string& row) {
    const std::string path = folder.write("d.tsv", "#locale\tpatterns\tm\tma\tw\n" + row + "\n");
    const std::string text = thrown<lesson::DataError>([&] { read_date_locales(path); });
    return text.empty() ? text : text.substr(text.find("d.tsv"));
  };
  const std::string patterns = "d M y|d M y|d M y|d M y", months = "1|2|3|4|5|6|7|8|9|10|11|12", days = "1|2|3|4|5|6|7";
  const std::string tab = "\t";
  CHECK(answer("xx" + tab + patterns + tab + months + tab + months + tab + days) == "");
  CHECK(answer("xx" + tab + "d M y" + tab + months + tab + months + tab + days) == "d.tsv:2: 1 patterns instead of 4");
  CHECK(answer("xx" + tab + "d M y|d M|d M y|d M y" + tab + months + tab + months + tab + days) ==
        "d.tsv:2: date pattern \"d M\": the year is missing");
  CHECK(answer("xx" + tab + patterns + tab + "1|2" + tab + months + tab + days) == "d.tsv:2: 2 months instead of 12");
  CHECK(answer("xx" + tab + patterns + tab + months + tab + months + tab + "1|2||4|5|6|7") ==
        "d.tsv:2: empty: one of weekdays");
  CHECK(answer("xx" + tab + patterns) == "d.tsv:2: too few tabs on this line: 2 of 5 columns");
}

TEST_CASE("a form that does not exist is refused") {
  CHECK_THROWS_AS(write_date(locale("en"), 4, {1984, 9, 3}), std::invalid_argument);
  CHECK_THROWS_AS(write_date(locale("en"), -1, {1984, 9, 3}), std::invalid_argument);
}
