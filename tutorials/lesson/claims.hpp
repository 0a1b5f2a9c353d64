#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/results.hpp"
#include "tutorials/lesson/terminal.hpp"

namespace attend::lesson {

/// What a chapter claims, checked where it is printed: every line shows the measured figure beside the stated range,
/// and the program's exit code says whether all of them hold. NaN never holds.
///
///     Claims claims;
///     claims.at_least("exact on unseen dates", 0.992, 0.99);     //  ✓ exact on unseen dates: 0.992 (at least 0.99)
///     return claims.conclude();
///
/// `unit` is put behind every number: claims.at_most("time", 41.5, 60, " s").
class Claims {
 public:
  explicit Claims(const Screen& screen = standard_screen()) : screen_(screen) {}

  /// Each prints one line and tells whether the claim holds; the bounds themselves are inside.
  bool at_least(const std::string& what, double measured, double bound, const std::string& unit = "");
  bool at_most(const std::string& what, double measured, double bound, const std::string& unit = "");
  bool below(const std::string& what, double measured, double bound, const std::string& unit = "");
  bool between(const std::string& what, double measured, double low, double high, const std::string& unit = "");
  bool holds(const std::string& what, bool condition);

  /// The measured figure lies in the range the page states (results.tsv), `slack` wider on both sides and rounded
  /// outwards to four digits, as the page prints it.
  bool as_stated(double measured, const Figure& stated, double slack = 0, const std::string& unit = "");
  /// The same for a share: with its slack the range ends at 0 and at 1.
  bool share_as_stated(double measured, const Figure& stated, double slack);

  /// 0 when every claim so far holds, else 1. No claim at all is 1 too: a check that checks nothing has not passed.
  int exit_code() const;

  /// Prints how many hold and which do not, and gives the exit code.
  int conclude() const;

 private:
  /// Prints and keeps the claim: `what` alone, or "what: measured (expected)".
  bool state(bool condition, const std::string& what, const std::string& measured = "",
             const std::string& expected = "");

  Screen screen_;
  Size made_ = 0;
  std::vector<std::string> broken_;
};

}  // namespace attend::lesson
