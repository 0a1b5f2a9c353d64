#include "tutorials/lesson/exercise.hpp"

#include <optional>
#include <ostream>
#include <set>

#include "autograd/gradcheck.hpp"
#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/gradients.hpp"
#include "tutorials/lesson/narration.hpp"
#include "tutorials/lesson/run.hpp"
#include "tutorials/lesson/text.hpp"

namespace attend::lesson {
namespace {

struct Outcome {
  Steps steps;
  std::optional<Mistake> mistake;
};

Outcome outcome_of(const Attempt& attempt) {
  Outcome outcome;
  try {
    attempt.check(outcome.steps);
  } catch (const Mistake& mistake) {
    outcome.mistake = mistake;
  } catch (const std::exception& error) {
    outcome.mistake.emplace("An exception was thrown: " + std::string(error.what()),
                            "Its text begins with the op that did not like its arguments.");
  }
  return outcome;
}

std::string tick(bool right, const Screen& screen) {
  return right ? green(screen.unicode ? "✓ " : "ok  ", screen) : red(screen.unicode ? "✗ " : "NOT ", screen);
}

void say_passed(const std::string& step, const Screen& screen) {
  std::string indent = tick(true, screen);
  for (const std::string& part : wrap(step, screen.width - 4)) {
    *screen.out << indent << part << "\n";
    indent = screen.unicode ? "  " : "    ";
  }
}

int check_answer(const Attempt& attempt, const std::string& file, const Screen& screen) {
  const Outcome outcome = outcome_of(attempt);
  for (const std::string& step : outcome.steps.all()) say_passed(step, screen);
  if (!outcome.mistake) {
    say("\nSolved.", screen);
    return 0;
  }
  *screen.out << tick(false, screen) << "not yet\n\n";
  say(outcome.mistake->seen(), screen);
  say("\nThe likely bug: " + outcome.mistake->likely_bug(), screen);
  say("\nThe file to edit: " + file, screen);
  return 1;
}

int check_wrong_answers(const std::vector<Attempt>& attempts, const Screen& screen) {
  bool good = !attempts.empty();
  std::set<std::string> messages;
  for (const Attempt& attempt : attempts) {
    const Outcome outcome = outcome_of(attempt);
    const std::string bug = outcome.mistake ? outcome.mistake->likely_bug() : "";
    const bool named = !attempt.expected.empty() && bug.find(attempt.expected) != std::string::npos;
    const bool alone = messages.insert(bug).second;
    good = good && named && alone;
    *screen.out << tick(named && alone, screen) << attempt.name << "\n";
    if (!outcome.mistake) {
      point("passed, though it is wrong", screen);
      continue;
    }
    point(outcome.mistake->seen(), screen);
    point(bug, screen);
    if (!named) point("expected was: " + attempt.expected, screen);
    if (!alone) point("another wrong answer has the same message", screen);
  }
  if (attempts.empty()) say("There is no wrong answer to try.", screen);
  return good ? 0 : 1;
}

}  // namespace

std::string shape_of(const Var& given) { return given.defined() ? text(given.shape()) : "nothing"; }

std::string shape_of(const Attended& given) {
  return "weights " + shape_of(given.weights) + ", context " + shape_of(given.context);
}

bool is_filled(const Var& given) { return given.defined(); }
bool is_filled(const Attended& given) { return given.weights.defined() && given.context.defined(); }
bool has_history(const Var& given) { return given.needs_grad(); }
bool has_history(const Attended& given) { return given.weights.needs_grad(); }

std::string listed(const Tensor& numbers) {
  std::string out;
  for (const double number : numbers.to_vector()) out += (out.empty() ? "" : ", ") + fixed(number, 4);
  return out;
}

void expect_shapes(Steps& steps, const std::string& of, const std::string& expected,
                   const std::function<std::string()>& found, const Diagnosis& likely_bug) {
  std::string given;
  try {
    given = found();
  } catch (const std::exception& error) {
    given = std::string("an exception, ") + error.what();
  }
  if (given != expected) {
    throw Mistake("Of " + of + "\nexpected: " + expected + "\nyours:    " + given, likely_bug());
  }
  steps.passed("shapes: " + expected);
}

void expect_gradients(Steps& steps, const char* name, const std::function<Var(const Vars&)>& f,
                      const std::vector<Tensor>& inputs, const Diagnosis& likely_bug) {
  const GradcheckReport report = gradcheck(name, f, inputs);
  if (!report.passed()) {
    throw Mistake("The numbers are right, their gradients are not:\n" + report.text() + first_wrong(report),
                  likely_bug());
  }
  steps.passed("gradients to second order, of every input: error " + significant(report.worst(), 1));
}

void expect_fallen(Steps& steps, int count, double first, double last, double share, const std::string& what,
                   const Diagnosis& likely_bug) {
  if (!(last < share * first)) {
    throw Mistake(
        fill("In {} steps the loss goes from {} to {}.", {std::to_string(count), fixed(first, 3), fixed(last, 3)}),
        likely_bug());
  }
  steps.passed("a short training: " + what);
}

int check_exercise(int argc, char** argv, const std::string& file, const std::vector<Attempt>& attempts,
                   const Screen& screen) {
  return run(argc, argv, [&](int count, char** arguments) {
    const bool wrong = count == 2 && std::string(arguments[1]) == "--wrong";
    if (count > 1 && !wrong) throw UsageError("a check takes no argument, or --wrong");
    if (wrong) return check_wrong_answers(attempts, screen);
    if (attempts.size() != 1) throw std::logic_error("the check needs exactly one answer");
    return check_answer(attempts[0], file, screen);
  });
}

}  // namespace attend::lesson
