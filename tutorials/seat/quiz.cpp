#include "tutorials/seat/quiz.hpp"

#include <algorithm>
#include <istream>
#include <ostream>

#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/narration.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::seat {

using lesson::begins;
using lesson::say;
using lesson::Screen;
using lesson::trimmed;

namespace {

constexpr const char* space = " \t";

void append(std::string& text, const std::string& more) { text += (text.empty() ? "" : " ") + more; }

// Takes a quiz apart, line by line.
class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  void take(const std::string& line, Size number) {
    const std::string rest = trimmed(line, space);
    if (begins(line, "## ")) {
      close();
      begun_ = number;
      questions_.push_back({rest.substr(3), {}});
    } else if (questions_.empty() || rest.empty()) {
      return;
    } else if (begins(rest, "- [ ] ") || begins(rest, "- [x] ")) {
      questions_.back().answers.push_back({rest.substr(6), "", rest[3] == 'x'});
      into_ = &questions_.back().answers.back().text;
      return;
    } else if (begins(rest, "> ") && !questions_.back().answers.empty()) {
      into_ = &questions_.back().answers.back().explanation;
      append(*into_, rest.substr(2));
      return;
    } else {
      append(*into_, rest);
      return;
    }
    into_ = &questions_.back().text;
  }

  std::vector<Question> all() {
    close();
    if (questions_.empty()) throw lesson::DataError(path_, 0, "no question: one begins with '## '");
    return questions_;
  }

 private:
  // The question that ends here is complete.
  void close() const {
    if (questions_.empty()) return;
    const std::vector<Answer>& answers = questions_.back().answers;
    const auto right = std::count_if(answers.begin(), answers.end(), [](const Answer& one) { return one.right; });
    if (answers.size() < 2 || answers.size() > 6 || right != 1) {
      throw lesson::DataError(path_, begun_, "a question has two to six answers, '- [ ] ', one of them '- [x] '");
    }
    for (const Answer& one : answers) {
      if (!one.explanation.empty()) continue;
      throw lesson::DataError(path_, begun_, "no explanation, '> ', below the answer '" + one.text + "'");
    }
  }

  std::string path_;
  std::vector<Question> questions_;
  std::string* into_ = nullptr;  // what a further line goes on with
  Size begun_ = 0;               // the line of the last question
};

std::string letter(std::size_t i) { return std::string(1, static_cast<char>('a' + i)); }

void print(const Question& question, Size number, std::size_t all, const Screen& screen) {
  say(lesson::fill("\n{} of {}. {}", {std::to_string(number), std::to_string(all), question.text}), screen);
  for (std::size_t i = 0; i < question.answers.size(); ++i) {
    std::string indent = "  " + letter(i) + ") ";
    for (const std::string& line : lesson::wrap(question.answers[i].text, screen.width - 5)) {
      *screen.out << indent << line << "\n";
      indent = "     ";
    }
  }
}

// The place of the answer that is given; nothing at the end of them, or for q.
std::optional<std::size_t> given(const Question& question, std::istream& answers, const Screen& screen) {
  const std::string last = letter(question.answers.size() - 1);
  while (true) {
    *screen.out << "a to " << last << ", or q to stop: " << std::flush;
    std::string line;
    if (!std::getline(answers, line)) return std::nullopt;
    line = trimmed(line, space);
    if (line == "q" || line == "Q") return std::nullopt;
    const char c = line.size() == 1 ? static_cast<char>(line[0] | 0x20) : '?';
    if (c >= 'a' && c <= last[0]) return static_cast<std::size_t>(c - 'a');
    say("That is none of the letters.", screen);
  }
}

}  // namespace

std::vector<Question> read_quiz(const std::string& text, const std::string& path) {
  Reader reader(path);
  Size number = 0;
  for (const std::string& line : lesson::split(text, '\n')) reader.take(line, ++number);
  return reader.all();
}

std::optional<Score> ask(const std::vector<Question>& questions, std::istream& answers, const Screen& screen) {
  Score score;
  for (const Question& question : questions) {
    print(question, score.asked + 1, questions.size(), screen);
    const std::optional<std::size_t> chosen = given(question, answers, screen);
    if (!chosen) {
      say(answers.eof() ? "\nStopped, for there is nothing more to read: an answer is a letter, one a line. Nothing is "
                          "noted."
                        : "\nStopped: nothing is noted.",
          screen);
      return std::nullopt;
    }
    ++score.asked;
    const Answer& answer = question.answers[*chosen];
    score.right += answer.right ? 1 : 0;
    say((answer.right ? lesson::green("Right. ", screen) : lesson::red("No. ", screen)) + answer.explanation, screen);
    if (answer.right) continue;
    const auto right =
        std::find_if(question.answers.begin(), question.answers.end(), [](auto& one) { return one.right; });
    say(letter(static_cast<std::size_t>(right - question.answers.begin())) + " is right. " + right->explanation,
        screen);
  }
  say(lesson::fill("\n{} of {} are right.", {std::to_string(score.right), std::to_string(score.asked)}), screen);
  return score;
}

}  // namespace attend::seat
