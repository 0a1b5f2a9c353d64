#include "tutorials/lesson/narration.hpp"

#include <algorithm>
#include <ostream>

#include "tutorials/lesson/report/report.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
namespace {

/// Lines of `text` behind `first` on the first line and as many spaces on the others.
void print_indented(const std::string& first, const std::string& text, const Screen& screen) {
  std::string indent = first;
  for (const std::string& line : wrap(text, screen.width - columns(first))) {
    *screen.out << indent << line << "\n";
    indent = repeat(" ", columns(first));
  }
  *screen.out << std::flush;
}

void underlined(const std::string& text, const char* unicode_line, const char* ascii_line, const Screen& screen) {
  const Size width = std::min(columns(text), screen.width);
  *screen.out << bold(text, screen) << "\n" << repeat(screen.unicode ? unicode_line : ascii_line, width) << "\n";
  *screen.out << std::flush;
}

}  // namespace

void title(const std::string& chapter, const std::string& text, const Screen& screen) {
  if (screen.report != nullptr) screen.report->title(chapter, text);
  underlined("Chapter " + chapter + "  " + text, "═", "=", screen);
}

void heading(const std::string& text, const Screen& screen) {
  if (screen.report != nullptr) screen.report->heading(text);
  *screen.out << "\n";
  underlined(text, "─", "-", screen);
}

void say(const std::string& text, const Screen& screen) {
  if (text.empty()) return;
  if (screen.report != nullptr) screen.report->paragraph(text);
  print_indented("", text, screen);
}

void point(const std::string& text, const Screen& screen) {
  if (screen.report != nullptr) screen.report->point(text);
  print_indented("- ", text, screen);
}

void shapes(const std::vector<Traced>& trace, const Screen& screen) {
  if (screen.report != nullptr) screen.report->shapes(trace);
  Size name_width = 0, shape_width = 0;
  for (const Traced& tensor : trace) {
    name_width = std::max(name_width, columns(tensor.name));
    shape_width = std::max(shape_width, columns(text(tensor.shape)));
  }
  for (const Traced& tensor : trace) {
    std::string line = "  " + pad_right(tensor.name, name_width) + "  ";
    if (tensor.meaning.empty()) {
      *screen.out << line << text(tensor.shape) << "\n";
    } else {
      print_indented(line + pad_right(text(tensor.shape), shape_width) + "  ", tensor.meaning, screen);
    }
  }
  *screen.out << std::flush;
}

void try_next(const std::vector<Suggestion>& suggestions, const Screen& screen) {
  heading("Try next", screen);
  if (screen.report != nullptr) screen.report->suggestions(suggestions);
  Size width = 0;
  for (const Suggestion& s : suggestions) width = std::max(width, columns(s.command));
  constexpr Size least_room = 24;  // beside the commands, else what they show goes below them
  const bool beside = screen.width - width - 4 >= least_room;
  for (const Suggestion& s : suggestions) {
    if (!beside) *screen.out << "  " << s.command << "\n";
    print_indented(beside ? "  " + pad_right(s.command, width) + "  " : "      ", s.shows, screen);
  }
}

}  // namespace attend::lesson
