#pragma once

#include "tensor/shape.hpp"

/// Days of the Gregorian calendar, applied to all years alike (the proleptic calendar). C++17's library has none.

namespace attend::chapter03 {

struct Day {
  Size year;
  Size month;  // 1 .. 12
  Size day;    // 1 .. 31
};

inline bool operator==(const Day& a, const Day& b) { return a.year == b.year && a.month == b.month && a.day == b.day; }
inline bool operator!=(const Day& a, const Day& b) { return !(a == b); }

/// Days from 1 March of the year 0 to `day`; negative before it.
Size day_number(const Day& day);

/// The day `count` days after `start`; `count` may be negative.
Day days_later(const Day& start, Size count);

/// 0 for Monday .. 6 for Sunday.
Size weekday(const Day& day);

}  // namespace attend::chapter03
