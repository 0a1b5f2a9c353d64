#pragma once

#include <string>
#include <vector>

#include "tutorials/lesson/terminal.hpp"
#include "tutorials/seat/catalogue.hpp"
#include "tutorials/seat/state.hpp"

/// Where a reader is, and what comes next.

namespace attend::seat {

/// The next thing to do: the command to type, and what it is for.
struct Step {
  std::string command, what;
};

/// The first thing that is left in the chapter that was worked on last, or else in the first chapter that has something
/// left: its program, then its exercises, then its quiz. An empty command when everything is done.
Step next_step(const std::vector<Chapter>& chapters, const State& state);

/// The number of the first exercise of a chapter that is left, "2", or of its first when none is. "" where it has none.
std::string next_exercise(const Chapter& chapter, const State& state);

/// Says what comes next, and the command to type.
void print_step(const Step& step, const lesson::Screen& screen = lesson::standard_screen());

/// Chapters with what is done of each, how much that is in all, and the next command.
void print_board(const std::vector<Chapter>& chapters, const State& state,
                 const lesson::Screen& screen = lesson::standard_screen());

}  // namespace attend::seat
