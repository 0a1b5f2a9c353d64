#include "tutorials/16_conditional_and_learned/span.hpp"

#include <algorithm>
#include <cmath>

#include "autograd/grad.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "nn/schedule.hpp"
#include "tensor/cost.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

constexpr Size width = 32;
constexpr double highest_rate = 3e-3;
const std::string span_name = "layers.0.attention.core.span";

// All parameters but the spans: these have an optimizer of their own.
struct Rest {
  CoreTransformer& model;
  void parameters(const Visit& visit) {
    model.parameters(Visit([&](const std::string& name, Var& parameter) {
      if (name != span_name) visit(name, parameter);
    }));
  }
};

Var span_parameter(const CoreTransformer& model) {
  for (const auto& [name, parameter] : named_parameters(model)) {
    if (name == span_name) return parameter;
  }
  throw std::invalid_argument("chapter 16: a model without a span");
}

void set_spans(CoreTransformer& model, const Tensor& z) {
  model.parameters(Visit([&](const std::string& name, Var& parameter) {
    if (name == span_name) parameter = Var::parameter(z);
  }));
}

// One step down the gradient of cross-entropy + penalty · the mean of z. Gives the cross-entropy.
double step_down(CoreTransformer& model, Adam& adam, const SequenceBatch& batch, double penalty, double span_rate) {
  Rest rest{model};
  const Var z = span_parameter(model), error = cross_entropy(model(batch.input), batch.answer);
  Vars wanted = parameters(rest);
  wanted.push_back(z);
  Vars gradients = grad(error + penalty * mean(z), wanted);
  const Tensor of_spans = gradients.back().value();
  gradients.pop_back();
  clip_by_norm(gradients, 1.0);
  adam.step(rest, gradients);
  set_spans(model, kernel::clamp((z - span_rate * Var(of_spans)).value(), 0, static_cast<double>(largest)));
  return error.item();
}

}  // namespace

SequenceTask lagged_copy(Size lag) {
  SequenceTask task = copy_task(lag, length, symbols);
  task.causal = true;
  return task;
}

SequenceTask two_lags(Size near, Size far) {
  return {"two lags", length, 2 * symbols, true, [=](Size batch, Rng& rng) {
            std::vector<std::int64_t> input, answer;
            for (Size place = 0; place < batch * length; ++place) {
              input.push_back(rng.below(2 * symbols));
              const Size source = place - (input.back() < symbols ? near : far);
              answer.push_back(place % length < far ? -1 : input[static_cast<std::size_t>(source)] % symbols);
            }
            return SequenceBatch{Tensor::from_ints(input, {batch, length}), Tensor::from_ints(answer, {batch, length})};
          }};
}

CoreTransformer one_layer(const SequenceTask& task, const AttentionCore& core, Size heads, Rng& rng) {
  return CoreTransformer(task, [&](Rng&) { return core; }, rng, {width, heads, 1});
}

CoreTransformer train_span(const SequenceTask& task, const SpanPlan& plan, std::uint64_t seed, const AtStep& at_step) {
  Rng rng(seed);
  CoreTransformer model = one_layer(task, AdaptiveSpan(plan.heads, largest, plan.ramp, largest), plan.heads, rng);
  Adam adam(highest_rate);
  for (Size step = 1; step <= plan.steps; ++step) {
    adam.learning_rate =
        cosine_rate(step, highest_rate, plan.steps) * warm_up(step, std::max<Size>(1, plan.steps / 20));
    const double span_rate = step >= plan.spans_from ? plan.span_rate : 0;
    const double error = step_down(model, adam, task.draw(plan.batch, rng), plan.penalty, span_rate);
    if (at_step) at_step(step, error, spans_of(model));
  }
  return model;
}

std::vector<double> spans_of(const CoreTransformer& model) { return span_parameter(model).value().to_vector(); }

Size farthest_key(double z, double ramp) { return std::max<Size>(0, static_cast<Size>(std::ceil(z + ramp)) - 1); }

CoreTransformer cut_to_span(CoreTransformer model, double ramp) {
  const Tensor z = span_parameter(model).value();
  const std::vector<double> spans = z.to_vector();
  const Size farthest = farthest_key(*std::max_element(spans.begin(), spans.end()), ramp);
  model.layers[0].attention.core = AdaptiveSpan(z.size(), std::min(largest, farthest), ramp);
  set_spans(model, z);
  return model;
}

Size multiplications(const AttentionCore& core, Size heads) {
  Rng rng(1);
  const auto drawn = [&] { return Var(rng.normal({1, heads, length, width / heads}, 0, 1)); };
  const Var q = drawn(), k = drawn(), v = drawn();
  const Recording off(false);
  const CostCounter counter;
  core(q, k, v, causal_mask(length, length));
  return counter.total().multiplications;
}

}  // namespace attend::chapter16
