#pragma once

#include "tutorials/lesson/report/record.hpp"
#include "tutorials/lesson/terminal.hpp"

namespace attend::seat {

/// Two runs side by side: what each claimed and measured, and the courses that both have in one chart.
void print_comparison(const lesson::Record& first, const lesson::Record& second,
                      const lesson::Screen& screen = lesson::standard_screen());

}  // namespace attend::seat
