#include "tutorials/16_conditional_and_learned/in_context_lesson.hpp"

#include "tutorials/16_conditional_and_learned/in_context.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

constexpr Size tasks = 20000;

// Tasks like those of the training, and others: their name, and how they are drawn.
const std::vector<std::pair<std::string, RegressionKind>>& kinds() {
  static const std::vector<std::pair<std::string, RegressionKind>> all = {
      {"as trained", {}}, {"x twice as far", {2}}, {"x half as far", {0.5}}, {"|w · x|", {1, true}}};
  return all;
}

void claim_construction(std::uint64_t seed, Claims& claims) {
  Rng rng(seed);
  const double rate = best_step_on_paper().rate;
  const Regressions some = draw_regressions(100, {}, rng, DType::float64);
  const Tensor zero = Tensor::zeros({x_size, 1}, DType::float64);
  const InContextAttention built = gradient_descent_attention(zero, examples_of_a_task, rate);
  const Var answers = regression_answers(built(regression_tokens(some.x, some.y, some.asked, zero), examples_of_a_task),
                                         examples_of_a_task, 1);
  claims.at_most("a layer with built weights, less a step of gradient descent: largest difference",
                 largest_difference(answers.value(), after_one_step(some, rate)), 1e-14);
}

OneLayer learn(const std::string& name, bool with_softmax, Size steps, std::uint64_t seed) {
  Progress progress(name, steps);
  const OneLayer model =
      learn_in_context(with_softmax, steps, seed, [&](Size step, double loss) { progress.step(step, loss); });
  progress.done();
  return model;
}

Tensor answers_of(const OneLayer& model, const Regressions& asked) {
  const Recording off(false);
  return model(asked).value();
}

using Answer = std::function<Tensor(const Regressions&)>;

// One row: the mean squared error for each kind of tasks.
std::vector<std::string> row(const std::string& name, const std::vector<Regressions>& all, const Answer& answer) {
  std::vector<std::string> cells = {name};
  for (const Regressions& some : all) cells.push_back(fixed(squared_error(answer(some), some.answers), 4));
  return cells;
}

void error_table(const OneLayer& linear, const OneLayer& softmax, const std::vector<Regressions>& all) {
  std::vector<std::string> headers = {"answers by"};
  for (const auto& [name, kind] : kinds()) headers.push_back(name);
  Table table(headers);
  const double rate = best_step(all[0]).rate;
  table.row(row("always 0", all, [](const Regressions& some) { return Tensor::zeros(some.answers.shape()); }));
  table.row(row("softmax, trained", all, [&](const Regressions& some) { return answers_of(softmax, some); }));
  table.row(row("linear, trained", all, [&](const Regressions& some) { return answers_of(linear, some); }));
  table.row(
      row("one step, best rate as trained", all, [&](const Regressions& some) { return after_one_step(some, rate); }));
  table.row(row("one step, best rate of each", all,
                [](const Regressions& some) { return after_one_step(some, best_step(some).rate); }));
  table.row(row("least squares", all, least_squares));
  table.print();
}

}  // namespace

NamedFigures in_context_section(const Options& options, std::uint64_t seed, Claims& claims) {
  heading("Regression within a context");
  say(fill(
      "{} examples of y = w · x in {} dimensions, another w in each context, and one question. One layer of linear "
      "attention can do a step of gradient descent on the examples. Does it learn to?\n",
      {count(examples_of_a_task), count(x_size)}));
  claim_construction(seed, claims);
  const BestStep paper = best_step_on_paper();
  say(fill("On paper the best rate of one step is {}, and its error {}.\n",
           {fixed(paper.rate, 4), fixed(paper.error, 4)}));

  const Size steps = options.quick() ? 300 : 3000;
  const OneLayer linear = learn("linear attention", false, steps, seed);
  const OneLayer softmax = learn("softmax attention", true, steps, seed);
  Rng rng(seed);
  Rng draws = rng.split();
  std::vector<Regressions> all;
  for (const auto& [name, kind] : kinds()) all.push_back(draw_regressions(tasks, kind, draws));
  say(fill("\nMean squared error over {} tasks of each kind:\n", {count(tasks)}));
  error_table(linear, softmax, all);

  const Tensor trained = answers_of(linear, all[0]);
  const BestStep best = best_step(all[0]);
  const double error = squared_error(trained, all[0].answers);
  const double rate = rate_of(trained, all[0]);
  say(fill("\nThe linear layer answers as a step with the rate {} does (the best for these tasks: {}).\n",
           {fixed(rate, 3), fixed(best.rate, 3)}));
  const Tensor zero = Tensor::zeros(trained.shape());
  const double apart = squared_error(trained, after_one_step(all[0], rate)) / squared_error(trained, zero);
  const double of_softmax = squared_error(answers_of(softmax, all[0]), all[0].answers);
  if (options.quick()) {
    claims.below("linear, trained for a moment: its error in that of the answer 0",
                 error / squared_error(zero, all[0].answers), 0.9);
  } else {
    claims.at_most("linear, trained: its error in that of the best step", error / best.error, 1.05);
    claims.at_most("what no step with that rate explains, in the mean square of its answers", apart, 0.01);
    claims.at_least("softmax, trained: its error in that of the best step", of_softmax / best.error, 1.2);
  }
  return {{"error, linear attention", error, 0.02, false},
          {"error, best step", best.error, 0.02, false},
          {"error, softmax attention", of_softmax, 0.05, false},
          {"rate that was learned", rate, 0.05, false}};
}

}  // namespace attend::chapter16
