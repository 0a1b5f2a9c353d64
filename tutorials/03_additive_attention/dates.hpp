#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "tensor/random.hpp"
#include "tutorials/03_additive_attention/date_locale.hpp"
#include "tutorials/lesson/translation/task.hpp"

/// Task (a): a date as some locale writes it, to its ISO form. "<en-GB> 3 Sept 1984" -> "1984-09-03".

namespace attend::chapter03 {

/// One date to translate. Without its locale a text may mean two dates (3/9/84: 3 September or March 9), so the source
/// begins with a token for the locale; with it, and with years from 1950 to 2049, every text means one.
struct DateExample {
  Tokens source;  // the locale's token, then the characters of the text
  Tokens target;  // the characters of "YYYY-MM-DD"

  // How it was made.
  Size locale, form;  // indices into DateTask::locales() and form_names
  Day day;

  // Where its parts stand in `source`; no weekday in most forms.
  Span weekday_span, day_span, month_span, year_span;

  /// The text alone, for people: "3 Sept 1984".
  std::string text() const;
  /// Locale and text, which together mean one date: "<en-GB>3 Sept 1984".
  std::string key() const;
};

/// Draws dates, uniformly over locale × form × day. The held-out dates are drawn first, and training never sees their
/// texts: `draw` rejects them. (Another text of the same day may well occur in training: that is the task.)
class DateTask {
 public:
  static constexpr Day first_day{1950, 1, 1}, last_day{2049, 12, 31};

  /// `held_out` different texts are put aside. The same seed gives the same ones. Throws std::invalid_argument when
  /// there are no locales or when `held_out` is negative or above 10,000: the rejection must stay rare.
  DateTask(std::vector<DateLocale> locales, Size held_out, std::uint64_t seed);

  const std::vector<DateLocale>& locales() const { return locales_; }
  const std::vector<DateExample>& held_out() const { return held_out_; }

  /// One example for training: never a text that is held out.
  DateExample draw(Rng& rng) const;
  std::vector<DateExample> draw(Size count, Rng& rng) const;

  /// The example of one locale, form and day. A two-digit year means 1950–2049; throws std::invalid_argument for a day
  /// outside of these years.
  DateExample example(Size locale, Size form, const Day& day) const;

  /// Every token that can occur, each once, in a fixed order: what the vocabularies are made of.
  Tokens source_tokens() const;
  Tokens target_tokens() const;

 private:
  DateExample draw_any(Rng& rng) const;

  std::vector<DateLocale> locales_;
  std::vector<DateExample> held_out_;
  std::unordered_set<std::string> held_out_keys_;
};

/// The same as a task of translation, without its locales, forms and spans. Examples are drawn without end; `held_out`
/// has those of `dates`, in order.
translation::Task date_task(const DateTask& dates);

}  // namespace attend::chapter03
