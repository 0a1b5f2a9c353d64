#include "tutorials/03_additive_attention/dates.hpp"

#include <set>
#include <stdexcept>

#include "tutorials/lesson/size.hpp"

namespace attend::chapter03 {

using namespace translation;

namespace {

/// ISO 8601 as one more way to write a date.
const DateLocale& iso() {
  static const DateLocale locale{"iso", {parse_pattern("y-MM-dd")}, {}, {}, {}};
  return locale;
}

std::string locale_token(const std::string& name) { return "<" + name + ">"; }

/// The span behind the token of the locale.
Span behind_locale(const Span& span) { return span.empty() ? Span{} : Span{span.begin + 1, span.end + 1}; }

std::vector<Example> examples_of(const std::vector<DateExample>& dates) {
  std::vector<Example> examples;
  for (const DateExample& date : dates) examples.push_back({date.source, date.target});
  return examples;
}

}  // namespace

std::string DateExample::text() const { return join_characters({source.begin() + 1, source.end()}); }
std::string DateExample::key() const { return join_characters(source); }

DateTask::DateTask(std::vector<DateLocale> locales, Size held_out, std::uint64_t seed) : locales_(std::move(locales)) {
  if (locales_.empty()) throw std::invalid_argument("DateTask: no locales");
  if (held_out < 0 || held_out > 10000) {
    throw std::invalid_argument("DateTask: " + std::to_string(held_out) +
                                " dates to hold out; 0 to 10000 are possible");
  }
  Rng rng(seed);
  while (lesson::size_of(held_out_) < held_out) {
    DateExample example = draw_any(rng);
    if (held_out_keys_.insert(example.key()).second) held_out_.push_back(std::move(example));
  }
}

DateExample DateTask::draw(Rng& rng) const {
  for (;;) {
    DateExample example = draw_any(rng);
    if (held_out_keys_.count(example.key()) == 0) return example;
  }
}

std::vector<DateExample> DateTask::draw(Size count, Rng& rng) const {
  std::vector<DateExample> examples;
  for (Size i = 0; i < count; ++i) examples.push_back(draw(rng));
  return examples;
}

DateExample DateTask::draw_any(Rng& rng) const {
  const Size days = day_number(last_day) - day_number(first_day) + 1;
  const Size locale = rng.below(lesson::size_of(locales_));
  const Size form = rng.below(lesson::size_of(form_names));
  return example(locale, form, days_later(first_day, rng.below(days)));
}

DateExample DateTask::example(Size locale, Size form, const Day& day) const {
  if (locale < 0 || locale >= lesson::size_of(locales_)) {
    throw std::invalid_argument("DateTask: no locale " + std::to_string(locale));
  }
  if (day.year < first_day.year || day.year > last_day.year) {
    throw std::invalid_argument("DateTask: the year " + std::to_string(day.year) + " is not one of 1950 to 2049");
  }
  const DateLocale& writer = locales_[static_cast<std::size_t>(locale)];
  const DateText text = write_date(writer, form, day);

  DateExample example;
  example.source = {locale_token(writer.name)};
  example.source.insert(example.source.end(), text.characters.begin(), text.characters.end());
  example.target = write_date(iso(), 0, day).characters;
  example.locale = locale;
  example.form = form;
  example.day = day;
  example.weekday_span = behind_locale(text.weekday);
  example.day_span = behind_locale(text.day);
  example.month_span = behind_locale(text.month);
  example.year_span = behind_locale(text.year);
  return example;
}

Tokens DateTask::source_tokens() const {
  // The days of one year have every month, weekday and digit among them.
  std::set<std::string> characters;
  Tokens tokens;
  for (Size locale = 0; locale < lesson::size_of(locales_); ++locale) {
    tokens.push_back(locale_token(locales_[static_cast<std::size_t>(locale)].name));
    for (Size form = 0; form < lesson::size_of(form_names); ++form) {
      for (Size day = 0; day < 365; ++day) {
        const Tokens source = example(locale, form, days_later(first_day, day)).source;
        characters.insert(source.begin() + 1, source.end());
      }
    }
  }
  tokens.insert(tokens.end(), characters.begin(), characters.end());
  return tokens;
}

Tokens DateTask::target_tokens() const { return characters_of("-0123456789"); }

Task date_task(const DateTask& dates) {
  return {Vocabulary(dates.source_tokens()),
          Vocabulary(dates.target_tokens()),
          [&dates](Size count, Rng& rng) { return examples_of(dates.draw(count, rng)); },
          {},
          examples_of(dates.held_out())};
}

}  // namespace attend::chapter03
