#include "tutorials/16_conditional_and_learned/marked.hpp"

#include <algorithm>
#include <cmath>

#include "nn/loss.hpp"
#include "nn/schedule.hpp"
#include "nn/train.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/lesson/difference.hpp"

namespace attend::chapter16 {
namespace {

constexpr Size features = 4;

// The places of the marked keys of one heap of T.
std::vector<bool> draw_marks(const HeapTask& task, Size T, Rng& rng) {
  const Size count = task.fewest + rng.below(task.most - task.fewest + 1);
  const std::vector<std::int64_t> order = rng.permutation(T);
  std::vector<bool> marks(static_cast<std::size_t>(T));
  for (Size i = 0; i < count; ++i) marks[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = true;
  return marks;
}

}  // namespace

Heap draw_heap(const HeapTask& task, Size batch, Size T, Rng& rng) {
  std::vector<double> x, values, answers;
  std::vector<bool> marked;
  for (Size b = 0; b < batch; ++b) {
    const std::vector<bool> marks = draw_marks(task, T, rng);
    double sum = 0, count = 0;
    for (const bool mark : marks) {
      values.push_back(1 + rng.uniform());
      sum += mark ? values.back() : 0;
      count += mark ? 1 : 0;
    }
    for (const bool mark : marks) {
      const bool silent = rng.uniform() < task.silent;
      x.insert(x.end(), {mark ? 1.0 : 0.0, silent ? 1.0 : 0.0, rng.normal(), rng.normal()});
      answers.push_back(silent ? 0 : task.wanted == Wanted::sum ? sum : sum / count);
    }
    marked.insert(marked.end(), marks.begin(), marks.end());
  }
  return {Tensor::from(x, {batch, T, features}), Tensor::from(values, {batch, T, 1}),
          Tensor::from(answers, {batch, T, 1}), Tensor::from_bools(marked, {batch, T})};
}

Reader::Reader(const AttentionCore& any, Rng& rng)
    : query(features, reader_width, rng), key(features, reader_width, rng, false), core(any) {}

Attended Reader::operator()(const Heap& heap) const {
  const auto one_head = [](const Var& x) { return unsqueeze(x, 1); };  // [B, 1, T, ...]
  const Attended found = core(one_head(query(heap.x)), one_head(key(heap.x)), one_head(heap.values));
  return {squeeze(found.context, {1}), found.weights};  // [B, T, 1]
}

void Reader::parameters(const Visit& visit) {
  visit("query", query);
  visit("key", key);
  visit("core", core);
}

Reader train_reader(const AttentionCore& core, const HeapTask& task, const ReaderPlan& plan, Rng& rng) {
  Reader reader(core, rng);
  Adam adam(plan.learning_rate);
  for (Size step = 1; step <= plan.steps; ++step) {
    adam.learning_rate = cosine_rate(step, plan.learning_rate, plan.steps);
    const Heap heap = draw_heap(task, plan.batch, plan.positions, rng);
    const auto loss_of = [&](const Reader& r, Rng&) { return mean_squared_error(r(heap).context, heap.answers); };
    train_step(reader, adam, loss_of, rng, {step, 1.0});
  }
  return reader;
}

double error_of(const Reader& reader, const Heap& heap) {
  const Recording off(false);
  return std::sqrt(mean_squared_error(reader(heap).context, heap.answers).item());
}

double exact_supports(const Reader& reader, const Heap& heap) {
  const Recording off(false);
  const Tensor support = reader(heap).weights > 0.0;  // [B, 1, T, T]
  const auto [B, T] = dims<2>(Var(kernel::cast(heap.marked, DType::float32)));
  const Tensor wanted = broadcast_to(reshape(heap.marked, {B, 1, 1, T}), support.shape());
  const Tensor wrong = kernel::cast(kernel::not_equal(support, wanted), DType::float32);
  const Tensor rows = kernel::sum(wrong, {3}, false);  // [B, 1, T]
  return lesson::share_equal(rows, Tensor::zeros(rows.shape()));
}

}  // namespace attend::chapter16
