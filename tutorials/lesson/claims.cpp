#include "tutorials/lesson/claims.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/report/report.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
namespace {

/// The figure in four digits, or in all of them where four would hide on which side of a bound it lies.
std::string figure(double measured, double bound, double other_bound) {
  const std::string text = significant(measured, 4);
  const double shown = std::stod(text);
  const auto side = [](double value, double of) { return (value > of) - (value < of); };
  const bool same =
      side(shown, bound) == side(measured, bound) && side(shown, other_bound) == side(measured, other_bound);
  return same ? text : exact(measured);
}

/// `value` in four digits, never rounded against `direction` (-1: down, +1: up).
double rounded(double value, int direction) {
  const double nearest = std::stod(significant(value, 4));
  if (value == 0 || (nearest - value) * direction >= 0) return nearest;
  const double last_digit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3);
  return std::stod(significant(nearest + direction * last_digit, 4));
}

/// The claim in as many lines as it needs: `first` before the first of them, `others` before the rest.
void print_indented(const std::string& first, const std::string& others, const std::string& claim,
                    const Screen& screen) {
  const std::string* indent = &first;
  for (const std::string& line : wrap(claim, screen.width - 4)) {
    *screen.out << *indent << line << "\n";
    indent = &others;
  }
}

}  // namespace

bool Claims::at_least(const std::string& what, double measured, double bound, const std::string& unit) {
  return state(measured >= bound, what, figure(measured, bound, bound) + unit, "at least " + exact(bound) + unit);
}

bool Claims::at_most(const std::string& what, double measured, double bound, const std::string& unit) {
  return state(measured <= bound, what, figure(measured, bound, bound) + unit, "at most " + exact(bound) + unit);
}

bool Claims::below(const std::string& what, double measured, double bound, const std::string& unit) {
  return state(measured < bound, what, figure(measured, bound, bound) + unit, "below " + exact(bound) + unit);
}

bool Claims::between(const std::string& what, double measured, double low, double high, const std::string& unit) {
  return state(measured >= low && measured <= high, what, figure(measured, low, high) + unit,
               fill("{} to {}{}", {exact(low), exact(high), unit}));
}

bool Claims::holds(const std::string& what, bool condition) { return state(condition, what); }

bool Claims::as_stated(double measured, const Figure& stated, double slack, const std::string& unit) {
  const double low = rounded(stated.min - slack, -1);
  const double high = rounded(stated.max + slack, +1);
  return between(stated.name, measured, low, high, unit);
}

bool Claims::share_as_stated(double measured, const Figure& stated, double slack) {
  Figure wider = stated;
  wider.min = std::max(0.0, stated.min - slack);
  wider.max = std::min(1.0, stated.max + slack);
  return as_stated(measured, wider);
}

int Claims::exit_code() const { return made_ > 0 && broken_.empty() ? 0 : 1; }

int Claims::conclude() const {
  std::ostream& out = *screen_.out;
  if (made_ == 0) {
    out << "No claim was checked.\n";
  } else if (broken_.empty()) {
    out << (made_ == 1 ? "The claim holds.\n" : fill("All {} claims hold.\n", {std::to_string(made_)}));
  } else {
    out << fill("{} of {} claims {} not hold:\n",
                {std::to_string(broken_.size()), std::to_string(made_), broken_.size() == 1 ? "does" : "do"});
    for (const std::string& claim : broken_) print_indented("  ", "    ", claim, screen_);
  }
  out << std::flush;
  return exit_code();
}

bool Claims::state(bool condition, const std::string& what, const std::string& measured, const std::string& expected) {
  ++made_;
  if (screen_.report != nullptr) screen_.report->claim({what, measured, expected, condition});
  const std::string line = measured.empty() ? what : fill("{}: {} ({})", {what, measured, expected});
  const std::string mark =
      condition ? green(screen_.unicode ? "✓" : "ok ", screen_) : red(screen_.unicode ? "✗" : "NOT", screen_);
  print_indented(mark + " ", screen_.unicode ? "  " : "    ", line, screen_);
  *screen_.out << std::flush;
  if (!condition) broken_.push_back(line);
  return condition;
}

}  // namespace attend::lesson
