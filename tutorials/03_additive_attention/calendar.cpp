#include "tutorials/03_additive_attention/calendar.hpp"

namespace attend::chapter03 {
namespace {

/// a / b rounded down, also for negative a.
Size floor_divide(Size a, Size b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

Size day_number(const Day& day) {
  // Years are counted from March, so that the leap day is the last of its year and moves no other day.
  const Size year = day.month > 2 ? day.year : day.year - 1;
  const Size months_since_march = (day.month + 9) % 12;
  const Size leap_days = floor_divide(year, 4) - floor_divide(year, 100) + floor_divide(year, 400);
  // From March on, five months always have 31, 30, 31, 30 and 31 days: 153 together.
  return 365 * year + leap_days + (153 * months_since_march + 2) / 5 + day.day - 1;
}

Day days_later(const Day& start, Size count) {
  Day day = start;
  const Size wanted = day_number(start) + count;
  day.year += floor_divide(count, 366);  // a first guess; the loops walk the rest
  while (day_number({day.year + 1, 1, 1}) <= wanted) ++day.year;
  while (day_number({day.year, 1, 1}) > wanted) --day.year;
  day.month = 1;
  while (day.month < 12 && day_number({day.year, day.month + 1, 1}) <= wanted) ++day.month;
  day.day = wanted - day_number({day.year, day.month, 1}) + 1;
  return day;
}

Size weekday(const Day& day) {
  const Size wednesday = 2;  // 1 March of the year 0
  const Size days = day_number(day) + wednesday;
  return days - 7 * floor_divide(days, 7);
}

}  // namespace attend::chapter03
