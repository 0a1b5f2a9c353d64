#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "tutorials/lesson/terminal.hpp"
#include "tutorials/seat/state.hpp"

/// The questions at the end of a chapter, quiz.md:
///
///     # Quiz
///
///     ## Why does a masked score become −∞, and not 0?
///
///     - [ ] It is faster.
///       > Both are one assignment.
///     - [x] exp(0) is 1, and a weight would be left.
///       > Only exp(−∞) is 0.
///
/// A question may go on below its heading; an answer has its explanation behind `>`, and one of them is right.

namespace attend::seat {

struct Answer {
  std::string text, explanation;
  bool right = false;
};

struct Question {
  std::string text;
  std::vector<Answer> answers;
};

/// The questions in the text of a quiz.md; `path` is its name in errors. Throws lesson::DataError, with the line, for a
/// question without exactly one right answer among two to six, and for an answer without an explanation.
std::vector<Question> read_quiz(const std::string& text, const std::string& path);

/// Asks the questions and explains the answers. Nothing when the answers end before the questions do, or with q.
std::optional<Score> ask(const std::vector<Question>& questions, std::istream& answers, const lesson::Screen& screen);

}  // namespace attend::seat
