// The learner's seat: what ./attend keeps of a reader, and shows. The command itself builds and runs; it asks this
// program for the rest:
//
//   attend_seat board            the board
//   attend_seat step             what comes next, and its command
//   attend_seat next 05          the exercise of the chapter that is left, "2"
//   attend_seat note KIND WHAT   ran 05, tried 05.1, solved 05.1, given-up 05.1
//   attend_seat has KIND WHAT    exit code 0 or 1: finished 05.1; unchanged 05.1, since it was solved
//   attend_seat hint 05.1        the next hint; all of them when the exercise is finished
//   attend_seat quiz 05          asks on standard input
//   attend_seat compare A B      two records of runs, files
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/narration.hpp"
#include "tutorials/lesson/run.hpp"
#include "tutorials/lesson/text.hpp"
#include "tutorials/seat/board.hpp"
#include "tutorials/seat/catalogue.hpp"
#include "tutorials/seat/compare.hpp"
#include "tutorials/seat/hints.hpp"
#include "tutorials/seat/quiz.hpp"
#include "tutorials/seat/state.hpp"

using namespace attend;
using namespace attend::seat;

namespace {

// ATTEND_STATE names another file.
std::string state_path() {
  const char* path = std::getenv("ATTEND_STATE");
  return path != nullptr && *path != '\0' ? path : std::string(ATTEND_SOURCE_DIR) + "/.attend/state.tsv";
}

class Seat {
 public:
  Seat() : chapters_(read_catalogue(std::string(ATTEND_SOURCE_DIR) + "/tutorials")) {
    std::string notice;
    state_ = read_state(state_path(), notice);
    if (notice.empty()) return;
    for (const std::string& line : lesson::wrap(notice, lesson::standard_screen().width)) std::cerr << line << "\n";
  }

  int board() const {
    print_board(chapters_, state_);
    return 0;
  }

  int step() const {
    print_step(next_step(chapters_, state_));
    return 0;
  }

  int next(const std::string& chapter) const {
    std::cout << next_exercise(chapter_of(chapters_, chapter), state_) << "\n";
    return 0;
  }

  int note(const std::string& kind, const std::string& what) {
    if (kind == "ran") {
      state_.ran.insert(chapter_of(chapters_, what).number);
    } else {
      note_exercise(kind, exercise_of(chapters_, what));
    }
    return keep(chapter_in(what));
  }

  int has(const std::string& kind, const std::string& id) const {
    const Exercise& exercise = exercise_of(chapters_, id);
    if (kind == "finished") return state_.finished(id) ? 0 : 1;
    if (kind != "unchanged") throw lesson::UsageError("attend_seat has finished or unchanged, not '" + kind + "'");
    const Attempted attempted = state_.of(id);
    return attempted.standing == Standing::solved && attempted.fingerprint == fingerprint(exercise.file) ? 0 : 1;
  }

  int hint(const std::string& id) {
    exercise_of(chapters_, id);
    const std::string path = chapter_of(chapters_, chapter_in(id)).folder + "/hints.md";
    const std::vector<std::string> hints = hints_for(lesson::read_text(path), number_in(id), path);
    const auto all = static_cast<Size>(hints.size());
    Attempted& attempted = state_.exercises[id];
    const bool finished = state_.finished(id);
    if (!finished) attempted.hints = std::min(all, attempted.hints + 1);
    for (Size i = finished ? 0 : attempted.hints - 1; i < (finished ? all : attempted.hints); ++i) {
      lesson::say(lesson::fill("Hint {} of {}\n\n{}\n",
                               {std::to_string(i + 1), std::to_string(all), hints[static_cast<std::size_t>(i)]}));
    }
    if (!finished && attempted.hints == all) {
      lesson::say("That was the last. ./attend solution " + chapter_in(id) + " " + number_in(id) +
                  " --give-up shows the solution.");
    }
    return finished ? 0 : keep(chapter_in(id));
  }

  int quiz(const std::string& number) {
    const Chapter& chapter = chapter_of(chapters_, number);
    const std::string path = chapter.folder + "/quiz.md";
    const std::optional<Score> score =
        ask(read_quiz(lesson::read_text(path), path), std::cin, lesson::standard_screen());
    if (!score) return 1;
    Score& best = state_.quizzes[number];
    if (score->right >= best.right) best = *score;
    return keep(number);
  }

 private:
  void note_exercise(const std::string& kind, const Exercise& exercise) {
    Attempted& attempted = state_.exercises[exercise.id];
    if (kind == "solved") {
      attempted.standing = Standing::solved;
      attempted.fingerprint = fingerprint(exercise.file);
    } else if (kind == "given-up") {
      if (attempted.standing != Standing::solved) attempted.standing = Standing::given_up;
    } else if (kind == "tried") {
      if (attempted.standing == Standing::untouched) attempted.standing = Standing::tried;
    } else {
      throw lesson::UsageError("attend_seat notes ran, tried, solved or given-up, not '" + kind + "'");
    }
  }

  int keep(const std::string& chapter) {
    state_.at = chapter;
    write_state(state_path(), state_);
    return 0;
  }

  std::vector<Chapter> chapters_;
  State state_;
};

int answer(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto asked = [&](const char* command, std::size_t count) {
    return words.size() == count + 1 && words[0] == command;
  };
  if (asked("board", 0)) return Seat().board();
  if (asked("step", 0)) return Seat().step();
  if (asked("next", 1)) return Seat().next(words[1]);
  if (asked("note", 2)) return Seat().note(words[1], words[2]);
  if (asked("has", 2)) return Seat().has(words[1], words[2]);
  if (asked("hint", 1)) return Seat().hint(words[1]);
  if (asked("quiz", 1)) return Seat().quiz(words[1]);
  if (asked("compare", 2)) {
    print_comparison(lesson::read_record(words[1]), lesson::read_record(words[2]));
    return 0;
  }
  throw lesson::UsageError("attend_seat is asked by ./attend: board, step, next, note, has, hint, quiz or compare");
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, answer); }
