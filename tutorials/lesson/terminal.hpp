#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "tutorials/lesson/size.hpp"

/// Where a lesson is printed, and what can be shown there.

namespace attend::lesson {

class Report;

enum class Colour { none, palette_256, true_colour };

/// A place to print to. Every printing part of the lesson library takes one; the default is `standard_screen()`.
struct Screen {
  std::ostream* out;             ///< never null
  Size width = 80;               ///< columns a picture or paragraph may take: 40 to 80
  Colour colour = Colour::none;  ///< none in a pipe and under NO_COLOR
  bool unicode = true;           ///< false: draw with ASCII only
  bool rewrites_lines = false;   ///< true on a terminal: a line can be printed over
  Report* report = nullptr;      ///< where what is printed is kept for a page too; null for nowhere
};

/// Looks up an environment variable; null where it is not set. `std::getenv`, or a test's own table.
using Environment = std::function<const char*(const char*)>;

/// What a place can show, from the environment (COLUMNS, COLORTERM, TERM, NO_COLOR, CLICOLOR_FORCE, LC_ALL, LC_CTYPE,
/// LANG), whether it is a terminal, and how many columns that terminal says it has (0: unknown).
Screen describe_screen(std::ostream& out, bool is_terminal, Size terminal_columns, const Environment& environment);

/// Standard output, described once, at the first call.
const Screen& standard_screen();

/// From now on the report keeps what is printed to the standard screen; null: no report does.
void keep_standard_screen(Report* report);

/// `text` in bold, green or red where the screen has colours; unchanged elsewhere.
std::string bold(const std::string& text, const Screen& screen);
std::string green(const std::string& text, const Screen& screen);
std::string red(const std::string& text, const Screen& screen);

}  // namespace attend::lesson
