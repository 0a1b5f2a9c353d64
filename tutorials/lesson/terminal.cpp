#include "tutorials/lesson/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>

namespace attend::lesson {
namespace {

constexpr Size narrowest = 40;
constexpr Size widest = 80;

std::string value_of(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value == nullptr ? "" : value;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Size usable_width(Size terminal_columns, const Environment& environment) {
  const Size asked = std::atol(value_of(environment, "COLUMNS").c_str());
  const Size found = asked > 0 ? asked : terminal_columns > 0 ? terminal_columns : widest;
  return std::clamp(found, narrowest, widest);
}

Colour colours(bool is_terminal, const Environment& environment) {
  const std::string force = value_of(environment, "CLICOLOR_FORCE");
  const bool forced = !force.empty() && force != "0";
  if (!value_of(environment, "NO_COLOR").empty()) return Colour::none;
  if (!is_terminal && !forced) return Colour::none;

  const std::string term = value_of(environment, "TERM");
  const std::string colour_term = value_of(environment, "COLORTERM");
  if (term == "dumb") return Colour::none;
  if (colour_term == "truecolor" || colour_term == "24bit") return Colour::true_colour;
  return contains(term, "256color") ? Colour::palette_256 : Colour::none;
}

/// A container often sets no locale at all while the terminal in front of it speaks UTF-8, so only a locale that is
/// set, and is not a UTF-8 one, turns Unicode off.
bool speaks_unicode(const Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale = value_of(environment, name);
    if (locale.empty()) continue;
    std::transform(locale.begin(), locale.end(), locale.begin(), [](unsigned char c) { return std::tolower(c); });
    return contains(locale, "utf-8") || contains(locale, "utf8");
  }
  return true;
}

std::string styled(const std::string& text, const char* code, const Screen& screen) {
  if (screen.colour == Colour::none) return text;
  return std::string("\x1b[") + code + "m" + text + "\x1b[0m";
}

}  // namespace

Screen describe_screen(std::ostream& out, bool is_terminal, Size terminal_columns, const Environment& environment) {
  Screen screen{&out};
  screen.width = usable_width(terminal_columns, environment);
  screen.colour = colours(is_terminal, environment);
  screen.unicode = speaks_unicode(environment);
  screen.rewrites_lines = is_terminal && value_of(environment, "TERM") != "dumb";
  return screen;
}

namespace {

Screen& described_once() {
  static Screen screen = [] {
    const bool is_terminal = isatty(STDOUT_FILENO) != 0;
    winsize size{};
    const bool known = is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return describe_screen(std::cout, is_terminal, known ? size.ws_col : 0,
                           [](const char* n) { return std::getenv(n); });
  }();
  return screen;
}

}  // namespace

const Screen& standard_screen() { return described_once(); }

void keep_standard_screen(Report* report) { described_once().report = report; }

std::string bold(const std::string& text, const Screen& screen) { return styled(text, "1", screen); }
std::string green(const std::string& text, const Screen& screen) { return styled(text, "32", screen); }
std::string red(const std::string& text, const Screen& screen) { return styled(text, "31", screen); }

}  // namespace attend::lesson
