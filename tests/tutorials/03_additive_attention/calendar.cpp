#include "tutorials/03_additive_attention/calendar.hpp"

#include <doctest/doctest.h>

using namespace attend;
using namespace attend::chapter03;

namespace {

Size days_in_month(Size year, Size month) {
  constexpr Size days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap_year ? 29 : days[month - 1];
}

}  // namespace

TEST_CASE("the weekdays of known days are right") {
  constexpr Size monday = 0, thursday = 3, friday = 4, saturday = 5, sunday = 6;
  CHECK(weekday({1582, 10, 15}) == friday);  // the first day of the Gregorian calendar
  CHECK(weekday({1900, 1, 1}) == monday);
  CHECK(weekday({1950, 1, 1}) == sunday);
  CHECK(weekday({1969, 7, 20}) == sunday);   // the first landing on the moon
  CHECK(weekday({1970, 1, 1}) == thursday);  // the first day of Unix time
  CHECK(weekday({1984, 9, 3}) == monday);
  CHECK(weekday({2000, 1, 1}) == saturday);
  CHECK(weekday({2049, 12, 31}) == friday);
}

TEST_CASE("the calendar repeats itself after 400 years, and before the year 0 too") {
  for (const Day day : {Day{2000, 2, 29}, Day{1999, 12, 31}, Day{2024, 3, 1}}) {
    CHECK(weekday({day.year - 400, day.month, day.day}) == weekday(day));
    CHECK(weekday({day.year - 2800, day.month, day.day}) == weekday(day));
  }
}

TEST_CASE("walking day by day visits every day of a century once, in order, with the weekdays in turn") {
  Size count = 0;
  for (Size year = 1950; year < 2050; ++year) {
    for (Size month = 1; month <= 12; ++month) {
      for (Size day = 1; day <= days_in_month(year, month); ++day, ++count) {
        const Day here{year, month, day};
        if (days_later({1950, 1, 1}, count) != here) FAIL_CHECK("day " << count);
        if (days_later({2049, 12, 31}, count - 36524) != here) FAIL_CHECK("day " << count << " from behind");
        if (weekday(here) != (6 + count) % 7) FAIL_CHECK("weekday of day " << count);
      }
    }
  }
  CHECK(count == 36525);
}
