#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "autograd/grad.hpp"
#include "nn/attention/attended.hpp"
#include "nn/parameters.hpp"
#include "tutorials/lesson/terminal.hpp"

/// How the check of an exercise goes through an answer, and how it tells what is wrong with it.

namespace attend::lesson {

/// What a check throws at the first thing that is wrong: what was expected and what came, and the bug that most likely
/// made it so, in a sentence.
class Mistake : public std::runtime_error {
 public:
  Mistake(std::string seen, std::string likely_bug)
      : std::runtime_error(seen), seen_(std::move(seen)), likely_bug_(std::move(likely_bug)) {}

  const std::string& seen() const { return seen_; }
  const std::string& likely_bug() const { return likely_bug_; }

 private:
  std::string seen_, likely_bug_;
};

/// The shape of what an answer gave, "[2, 3]", or "nothing" where it was never assigned.
std::string shape_of(const Var& given);
/// "weights [2, 3, 4], context [2, 3, 5]".
std::string shape_of(const Attended& given);

/// Numbers as a mistake shows them, with four digits: "0.5000, -1.2500".
std::string listed(const Tensor& numbers);

/// Whether an answer has filled its hole, and whether derivatives reach what matters: the weights, of an attention. An
/// exercise with results of its own form has the same two for it, beside its type.
bool is_filled(const Var& given);
bool is_filled(const Attended& given);
bool has_history(const Var& given);
bool has_history(const Attended& given);

/// The likely bug of an answer: `run` gives what it makes of some inputs, `look` names the bug by that, or "". An
/// exception is the bug itself, and where no bug is known the `hint` says how to look for it.
template <class Run, class Look>
std::string likely_bug_of(
    const Run& run, const Look& look,
    const std::string& hint = "Print the shape of every step and compare with the comment above the hole.") {
  decltype(run()) given;
  try {
    given = run();
  } catch (const std::exception& error) {
    return std::string("an op does not like its arguments: ") + error.what();
  }
  if (!is_filled(given)) return "the hole is not filled: a result was never assigned.";
  const std::string bug = look(given);
  if (!bug.empty()) return bug;
  if (!has_history(given)) return "something cuts the history: .value(), .item() or detach.";
  return "none of the usual ones. " + hint;
}

/// The steps that an answer has passed, in the order shape, tiny numbers, properties, numeric gradient, training.
class Steps {
 public:
  void passed(const std::string& what) { passed_.push_back(what); }
  const std::vector<std::string>& all() const { return passed_; }

 private:
  std::vector<std::string> passed_;
};

/// Finds the likely bug of the answer that is being checked; asked only when there is a mistake.
using Diagnosis = std::function<std::string()>;

/// The step of the shapes: `found` runs the answer of the inputs `of`, as in "query [2, 3, 4]", and tells them as
/// `shape_of` does. Throws Mistake where they are not the expected ones, and where the answer throws.
void expect_shapes(Steps& steps, const std::string& of, const std::string& expected,
                   const std::function<std::string()>& found, const Diagnosis& likely_bug);

/// The step of the gradients of f, to order 2 and with respect to all inputs. Throws Mistake with the report of
/// `gradcheck` where they are wrong.
void expect_gradients(Steps& steps, const char* name, const std::function<Var(const Vars&)>& f,
                      const std::vector<Tensor>& inputs, const Diagnosis& likely_bug);

/// The end of a short training, in which the loss went from `first` to `last`: throws Mistake unless it is below
/// `share` of what it was. `what` says what was to be learned: "queries learn to look at the last key".
void expect_fallen(Steps& steps, int count, double first, double last, double share, const std::string& what,
                   const Diagnosis& likely_bug);

/// The step of the training: `count` steps of the optimizer, each with a loss() of its own, and then `expect_fallen`.
template <class Model, class Optimizer, class Loss>
void expect_training(Steps& steps, Model& model, Optimizer optimizer, int count, const Loss& loss, double share,
                     const std::string& what, const Diagnosis& likely_bug) {
  double first = 0, last = 0;
  for (int step = 0; step < count; ++step) {
    Var now = loss();
    last = now.item();
    if (step == 0) first = last;
    optimizer.step(model, grad(std::move(now), parameters(model)));
  }
  expect_fallen(steps, count, first, last, share, what, likely_bug);
}

/// An answer to an exercise, and its check. Of a listed wrong answer, `expected` is a part of the likely bug that the
/// check must name.
struct Attempt {
  std::string name, expected;
  std::function<void(Steps&)> check;
};

/// The whole of a check's main(). Without arguments: checks the first attempt, prints the steps it passed and the first
/// mistake, and gives 0 when there is none, else 1. With --wrong: every attempt must be found wrong, with the bug that
/// it expects, and no two with the same message; prints each with its message and gives 0 when all is so, else 1. An
/// exception that is no Mistake is a mistake too. `file` is what the learner is to edit.
int check_exercise(int argc, char** argv, const std::string& file, const std::vector<Attempt>& attempts,
                   const Screen& screen = standard_screen());

/// The same for answers of one form, a struct with a `name` and the `bug` that the check must name: each goes through
/// the checks in their order.
///
///     int main(int argc, char** argv) {
///       return lesson::check_answers(argc, argv, "tutorials/.../exercise_1_swish.cpp", swish_answers(),
///                                    {check_shape, check_values});
///     }
template <class Answer>
int check_answers(int argc, char** argv, const std::string& file, const std::vector<Answer>& answers,
                  const std::vector<void (*)(const Answer&, Steps&)>& checks) {
  std::vector<Attempt> attempts;
  for (const Answer& answer : answers) {
    attempts.push_back({answer.name, answer.bug, [answer, checks](Steps& steps) {
                          for (const auto& check : checks) check(answer, steps);
                        }});
  }
  return check_exercise(argc, argv, file, attempts);
}

}  // namespace attend::lesson
