#include "tutorials/seat/board.hpp"

#include <ostream>

#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/narration.hpp"
#include "tutorials/lesson/table.hpp"

namespace attend::seat {

namespace {

Size finished_exercises(const Chapter& chapter, const State& state) {
  Size finished = 0;
  for (const Exercise& exercise : chapter.exercises) finished += state.finished(exercise.id) ? 1 : 0;
  return finished;
}

// The steps of a chapter: its program, its exercises, its quiz.
Size steps_of(const Chapter& chapter) {
  return 1 + static_cast<Size>(chapter.exercises.size()) + (chapter.has_quiz ? 1 : 0);
}

Size done_of(const Chapter& chapter, const State& state) {
  const bool quiz = chapter.has_quiz && state.quizzes.count(chapter.number) > 0;
  return static_cast<Size>(state.ran.count(chapter.number)) + finished_exercises(chapter, state) + (quiz ? 1 : 0);
}

Step step_in(const Chapter& chapter, const State& state) {
  const std::string title = " of chapter " + chapter.number + ", " + chapter.title;
  if (state.ran.count(chapter.number) == 0) return {"./attend run " + chapter.number, "the program" + title};
  for (const Exercise& exercise : chapter.exercises) {
    if (state.finished(exercise.id)) continue;
    const std::string k = number_in(exercise.id);
    return {"./attend watch " + chapter.number + " " + k, "exercise " + k + title};
  }
  if (chapter.has_quiz && state.quizzes.count(chapter.number) == 0) {
    return {"./attend quiz " + chapter.number, "the quiz" + title};
  }
  return {};
}

std::string of_all(Size done, Size all) { return std::to_string(done) + "/" + std::to_string(all); }

std::string mark(const Chapter& chapter, const State& state, const std::string& next, const lesson::Screen& screen) {
  if (done_of(chapter, state) == steps_of(chapter)) return screen.unicode ? "✓" : "x";
  return chapter.number == next ? ">" : " ";
}

std::string score_of(const Chapter& chapter, const State& state) {
  const auto found = state.quizzes.find(chapter.number);
  if (found == state.quizzes.end()) return chapter.has_quiz ? "open" : "";
  return of_all(found->second.right, found->second.asked);
}

// What is done of a chapter: its program, exercises and quiz; and the minutes that it takes.
std::vector<std::string> parts_of(const Chapter& chapter, const State& state) {
  return {state.ran.count(chapter.number) > 0 ? "done" : "open",
          of_all(finished_exercises(chapter, state), static_cast<Size>(chapter.exercises.size())),
          score_of(chapter, state), chapter.minutes > 0 ? std::to_string(chapter.minutes) : ""};
}

}  // namespace

Step next_step(const std::vector<Chapter>& chapters, const State& state) {
  for (const Chapter& chapter : chapters) {
    if (chapter.number != state.at) continue;
    const Step step = step_in(chapter, state);
    if (!step.command.empty()) return step;
  }
  for (const Chapter& chapter : chapters) {
    const Step step = step_in(chapter, state);
    if (!step.command.empty()) return step;
  }
  return {};
}

std::string next_exercise(const Chapter& chapter, const State& state) {
  if (chapter.exercises.empty()) return "";
  for (const Exercise& exercise : chapter.exercises) {
    if (!state.finished(exercise.id)) return number_in(exercise.id);
  }
  return number_in(chapter.exercises.front().id);
}

void print_step(const Step& step, const lesson::Screen& screen) {
  if (step.command.empty()) {
    lesson::say("All of it: now change a layer, and see what the tests say. CONTRIBUTING.md begins there.", screen);
    return;
  }
  lesson::say("Next, " + step.what + ":", screen);
  lesson::say("  " + step.command, screen);
}

void print_board(const std::vector<Chapter>& chapters, const State& state, const lesson::Screen& screen) {
  const Step step = next_step(chapters, state);
  const std::string next = step.command.empty() ? "" : step.command.substr(step.command.find_first_of("0123456789"), 2);
  lesson::say(lesson::bold("attend", screen) + ": learn how attention works, in programs that check what they print.\n",
              screen);
  const bool narrow = screen.width < 60;  // then there is no room for the parts of a chapter
  lesson::Table table(narrow ? std::vector<std::string>{" ", "chapter", "done"}
                             : std::vector<std::string>{" ", "chapter", "run", "exercises", "quiz", "minutes"});
  Size done = 0, all = 0;
  for (const Chapter& chapter : chapters) {
    done += done_of(chapter, state);
    all += steps_of(chapter);
    std::vector<std::string> cells = {mark(chapter, state, next, screen), chapter.number + "  " + chapter.title};
    const std::vector<std::string> parts =
        narrow ? std::vector<std::string>{of_all(done_of(chapter, state), steps_of(chapter))}
               : parts_of(chapter, state);
    cells.insert(cells.end(), parts.begin(), parts.end());
    table.row(cells);
  }
  table.print(screen);
  *screen.out << "\n";
  lesson::say(lesson::fill("{} of {} steps done.", {lesson::count(done), lesson::count(all)}), screen);
  print_step(step, screen);
  if (!step.command.empty()) lesson::say("\n./attend help tells the other commands.", screen);
}

}  // namespace attend::seat
