#pragma once

#include <array>
#include <string>
#include <vector>

#include "tutorials/03_additive_attention/calendar.hpp"
#include "tutorials/lesson/translation/tokens.hpp"

/// How twelve locales write a date, from Unicode CLDR: the patterns, and the names they are filled with.

namespace attend::chapter03 {

using translation::Tokens;

/// What a part of a pattern stands for.
enum class Field { literal, weekday, day, month, year };

/// "weekday", "day", ...
const char* name_of(Field field);

/// A part of a pattern: literal text, or a field and the number of its letters: d and dd, M to MMMM, y and yy.
struct PatternPart {
  Field field;
  Size letters;         // 0 for literal text
  std::string literal;  // empty for a field
};

/// The parts of a date pattern in CLDR's syntax:
///
///   d dd            day: 3, 03                    EEEE cccc   name of the weekday
///   M MM            month: 9, 09                  y           year: 1984
///   MMM  MMMM LLLL  month: abbreviation, name     yy          its last two digits: 84
///
/// Text between single quotes is literal, two quotes in a row are one, and so is all that is no letter. Throws
/// std::invalid_argument, saying what is wrong, for other letters, an open quote, a field that occurs twice, and where
/// day, month or year is missing: the text would not tell the date.
std::vector<PatternPart> parse_pattern(const std::string& pattern);

/// The forms in which a locale writes a date, from the longest to the shortest.
constexpr std::array<const char*, 4> form_names = {"full", "long", "medium", "short"};

struct DateLocale {
  std::string name;                               // "en-GB"
  std::vector<std::vector<PatternPart>> forms;    // as form_names
  std::vector<std::string> months, short_months;  // from January
  std::vector<std::string> weekdays;              // from Monday
};

/// The locales of a file like cldr/cldr_dates.tsv, in its order. Throws lesson::DataError, with the line, where it
/// holds something else.
std::vector<DateLocale> read_date_locales(const std::string& path);

/// A half-open range of positions; empty where there is nothing.
struct Span {
  Size begin = 0, end = 0;

  bool contains(Size position) const { return begin <= position && position < end; }
  Size size() const { return end - begin; }
  bool empty() const { return begin == end; }
};

/// A date as a locale writes it: one token a character, and where its parts stand in them.
struct DateText {
  Tokens characters;
  Span weekday, day, month, year;
};

/// `day` in one of the forms of `locale`. Throws std::invalid_argument when there is no such form.
DateText write_date(const DateLocale& locale, Size form, const Day& day);

}  // namespace attend::chapter03
