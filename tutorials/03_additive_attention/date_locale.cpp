#include "tutorials/03_additive_attention/date_locale.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::chapter03 {

using namespace translation;

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The field that a run of one letter stands for, if any. LLLL and cccc are names as they stand alone, outside of a
/// date. The file has one list of each, so here they are the same as MMMM and EEEE.
std::optional<Field> field_of(const std::string& run) {
  if (run == "d" || run == "dd") return Field::day;
  if (run == "M" || run == "MM" || run == "MMM" || run == "MMMM" || run == "LLLL") return Field::month;
  if (run == "y" || run == "yy") return Field::year;
  if (run == "EEEE" || run == "cccc") return Field::weekday;
  return std::nullopt;
}

void append_literal(std::vector<PatternPart>& parts, const std::string& text) {
  if (parts.empty() || parts.back().field != Field::literal) parts.push_back({Field::literal, 0, ""});
  parts.back().literal += text;
}

Size occurrences(const std::vector<PatternPart>& parts, Field field) {
  return std::count_if(parts.begin(), parts.end(), [&](const PatternPart& part) { return part.field == field; });
}

/// The number in decimal digits, with zeros in front up to `width` digits.
std::string digits(Size number, Size width) {
  const std::string text = std::to_string(number);
  const Size missing = std::max<Size>(0, width - lesson::size_of(text));
  return std::string(static_cast<std::size_t>(missing), '0') + text;
}

std::string written(const DateLocale& locale, const PatternPart& part, const Day& day) {
  const auto month = static_cast<std::size_t>(day.month - 1);
  switch (part.field) {
    case Field::literal:
      return part.literal;
    case Field::weekday:
      return locale.weekdays[static_cast<std::size_t>(weekday(day))];
    case Field::day:
      return digits(day.day, part.letters);
    case Field::month:
      if (part.letters == 4) return locale.months[month];
      return part.letters == 3 ? locale.short_months[month] : digits(day.month, part.letters);
    case Field::year:
      return part.letters == 2 ? digits(day.year % 100, 2) : digits(day.year, 1);
  }
  throw std::logic_error("written: no such field");
}

}  // namespace

const char* name_of(Field field) {
  constexpr const char* names[] = {"literal", "weekday", "day", "month", "year"};
  return names[static_cast<int>(field)];
}

std::vector<PatternPart> parse_pattern(const std::string& pattern) {
  std::vector<PatternPart> parts;
  const auto invalid = [&](const std::string& why) {
    return std::invalid_argument("date pattern \"" + pattern + "\": " + why);
  };
  bool quoted = false;
  for (std::size_t i = 0; i < pattern.size();) {
    const char c = pattern[i];
    if (c == '\'') {
      const bool doubled = i + 1 < pattern.size() && pattern[i + 1] == '\'';
      if (doubled) append_literal(parts, "'");
      if (!doubled) quoted = !quoted;
      i += doubled ? 2 : 1;
    } else if (quoted || !is_letter(c)) {
      append_literal(parts, std::string(1, c));
      ++i;
    } else {
      const std::size_t end = std::min(pattern.find_first_not_of(c, i), pattern.size());
      const std::string run = pattern.substr(i, end - i);
      const std::optional<Field> field = field_of(run);
      if (!field) throw invalid("unknown field '" + run + "'");
      if (occurrences(parts, *field) > 0) throw invalid(std::string("the ") + name_of(*field) + " occurs twice");
      parts.push_back({*field, lesson::size_of(run), ""});
      i = end;
    }
  }
  if (quoted) throw invalid("a quote is never closed");
  for (const Field needed : {Field::day, Field::month, Field::year}) {
    if (occurrences(parts, needed) == 0) throw invalid(std::string("the ") + name_of(needed) + " is missing");
  }
  return parts;
}

std::vector<DateLocale> read_date_locales(const std::string& path) {
  std::vector<DateLocale> locales;
  for (const lesson::TsvRow& row : lesson::read_tsv(path, 5, lesson::Header::first_line).rows) {
    const auto names = [&](std::size_t column, Size count, const std::string& what) {
      const std::vector<std::string> parts = lesson::split(row.cells[column], '|');
      const std::string found = std::to_string(parts.size()) + " " + what + " instead of " + std::to_string(count);
      if (lesson::size_of(parts) != count) throw lesson::DataError(path, row.line, found);
      if (std::count(parts.begin(), parts.end(), "") > 0)
        throw lesson::DataError(path, row.line, "empty: one of " + what);
      return parts;
    };
    DateLocale locale;
    locale.name = row.cells[0];
    try {
      for (const std::string& pattern : names(1, form_names.size(), "patterns")) {
        locale.forms.push_back(parse_pattern(pattern));
      }
    } catch (const std::invalid_argument& error) {
      throw lesson::DataError(path, row.line, error.what());
    }
    locale.months = names(2, 12, "months");
    locale.short_months = names(3, 12, "abbreviated months");
    locale.weekdays = names(4, 7, "weekdays");
    locales.push_back(std::move(locale));
  }
  return locales;
}

DateText write_date(const DateLocale& locale, Size form, const Day& day) {
  if (form < 0 || form >= lesson::size_of(locale.forms)) {
    throw std::invalid_argument("write_date: " + locale.name + " has no form " + std::to_string(form));
  }
  DateText text;
  for (const PatternPart& part : locale.forms[static_cast<std::size_t>(form)]) {
    const Size begin = lesson::size_of(text.characters);
    for (std::string& character : characters_of(written(locale, part, day))) {
      text.characters.push_back(std::move(character));
    }
    const Span span{begin, lesson::size_of(text.characters)};
    if (part.field == Field::weekday) text.weekday = span;
    if (part.field == Field::day) text.day = span;
    if (part.field == Field::month) text.month = span;
    if (part.field == Field::year) text.year = span;
  }
  return text;
}

}  // namespace attend::chapter03
