#include "tutorials/16_conditional_and_learned/routing.hpp"

#include <algorithm>
#include <cmath>

#include "nn/loss.hpp"
#include "nn/position/sinusoidal.hpp"
#include "nn/schedule.hpp"
#include "nn/train.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

constexpr Size width = 32;

Size rule_of(std::int64_t symbol) { return symbol / symbols_of_rule; }

}  // namespace

SequenceTask opposites_task(Size how_many) {
  return {"opposites", positions, how_many * symbols_of_rule, true, [how_many](Size batch, Rng& rng) {
            std::vector<std::int64_t> input, answer;
            for (Size place = 0; place < batch * positions; ++place) {
              const std::int64_t before = place % positions == 0 ? -1 : input.back();
              input.push_back(rng.below(how_many * symbols_of_rule));
              const std::int64_t opposite = before + symbols_of_rule / 2 * rule_of(input.back());
              answer.push_back(before < 0 ? -1 : opposite % symbols_of_rule);
            }
            return SequenceBatch{Tensor::from_ints(input, {batch, positions}),
                                 Tensor::from_ints(answer, {batch, positions})};
          }};
}

RoutedModel::RoutedModel(Size experts, Size d, Rng& rng)
    : embedding(rules * symbols_of_rule, width, rng),
      norm(width),
      attention(width, d, experts, 1, rng),
      output(width, symbols_of_rule, rng) {}

RoutedModel::Answer RoutedModel::operator()(const Tensor& ids) const {
  const Size B = ids.shape()[0], T = ids.shape()[1];
  const Var x = add_sinusoidal_positions(std::sqrt(static_cast<double>(width)) * embedding(ids)), normed = norm(x);
  const Routed routed = attention(normed, causal_mask(T, T));
  const Tensor experts = route(attention.router(reshape(normed, {B * T, width})), 1).experts;
  return {output(x + routed.y), routed.balance, reshape(experts, {B, T})};
}

void RoutedModel::parameters(const Visit& visit) {
  visit("embedding", embedding);
  visit("norm", norm);
  visit("attention", attention);
  visit("output", output);
}

RoutedModel train_routed(const SequenceTask& task, const RoutingPlan& plan, std::uint64_t seed) {
  Rng rng(seed);
  RoutedModel model(plan.experts, plan.d, rng);
  Adam adam(plan.learning_rate);
  for (Size step = 1; step <= plan.steps; ++step) {
    adam.learning_rate =
        cosine_rate(step, plan.learning_rate, plan.steps) * warm_up(step, std::max<Size>(1, plan.steps / 20));
    const SequenceBatch batch = task.draw(plan.batch, rng);
    const auto loss_of = [&](const RoutedModel& m, Rng&) {
      const RoutedModel::Answer answer = m(batch.input);
      return cross_entropy(answer.scores, batch.answer) + plan.balance * answer.balance;
    };
    train_step(model, adam, loss_of, rng, {step, 1.0});
  }
  return model;
}

Routing look_at(const RoutedModel& model, const SequenceTask& task, std::uint64_t seed) {
  const Recording off(false);
  Rng rng(seed);
  const SequenceBatch batch = task.draw(256, rng);
  const RoutedModel::Answer answer = model(batch.input);
  const std::vector<std::int64_t> input = batch.input.to_ints(), wanted = batch.answer.to_ints(),
                                  found = argmax(answer.scores, -1).to_ints(), expert = answer.experts.to_ints();
  const std::size_t experts = model.attention.queries.size();
  std::vector<double> asked(rules), right(rules);
  std::vector<std::vector<double>> use(rules, std::vector<double>(experts));
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (wanted[i] < 0) continue;
    const std::size_t rule = static_cast<std::size_t>(rule_of(input[i]));
    asked[rule] += 1;
    right[rule] += found[i] == wanted[i] ? 1 : 0;
    use[rule][static_cast<std::size_t>(expert[i])] += 1;
  }
  Routing routing{(right[0] + right[1]) / (asked[0] + asked[1]), {}, use};
  for (std::size_t rule = 0; rule < rules; ++rule) {
    const double of = std::max(1.0, asked[rule]);
    routing.right_of_rule.push_back(right[rule] / of);
    for (double& share : routing.use[rule]) share /= of;
  }
  return routing;
}

}  // namespace attend::chapter16
