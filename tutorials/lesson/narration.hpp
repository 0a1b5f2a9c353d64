#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/size.hpp"
#include "tutorials/lesson/terminal.hpp"

/// How a chapter's program speaks: headings, paragraphs, shapes, and what to try next.

namespace attend::lesson {

/// The chapter's first line: "Chapter 03  Additive attention", underlined.
void title(const std::string& chapter, const std::string& text, const Screen& screen = standard_screen());

/// A heading, with an empty line before it.
void heading(const std::string& text, const Screen& screen = standard_screen());

/// A paragraph, wrapped to the screen's width; nothing for an empty text.
void say(const std::string& text, const Screen& screen = standard_screen());

/// Like `say`, in the manner of a list: "- text", further lines indented.
void point(const std::string& text, const Screen& screen = standard_screen());

/// One tensor of a shape trace: its name, its shape, and what its axes are or what happens to it.
struct Traced {
  std::string name;
  Shape shape;
  std::string meaning = "";
};

/// Names, shapes and meanings in columns: "query    [16, 10, 64]  batch, step, features".
void shapes(const std::vector<Traced>& trace, const Screen& screen = standard_screen());

/// A command and what it will show.
struct Suggestion {
  std::string command, shows;
};

/// "Try next", with its commands in a column.
void try_next(const std::vector<Suggestion>& suggestions, const Screen& screen = standard_screen());

}  // namespace attend::lesson
