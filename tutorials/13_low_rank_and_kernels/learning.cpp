#include "tutorials/13_low_rank_and_kernels/learning.hpp"

#include "nn/attention/linear_attention.hpp"
#include "nn/attention/linformer.hpp"
#include "nn/attention/local.hpp"
#include "nn/attention/nystrom.hpp"
#include "nn/attention/performer.hpp"

namespace attend::chapter13 {
namespace {

AttentionCore softmax_attention(Size, Size, Rng&) { return SoftmaxAttention(); }
AttentionCore window(Size, Size, Rng&) { return LocalAttention(4, 4); }
AttentionCore linear(Size, Size, Rng&) { return LinearAttention(); }
// Twice as many directions as the width of a head.
AttentionCore performer(Size, Size d, Rng& rng) { return Performer(d, 2 * d, rng); }
template <Size k>
AttentionCore linformer(Size T, Size, Rng& rng) {
  return LinformerAttention(T, k, rng);
}
AttentionCore nystrom_16(Size, Size, Rng& rng) { return NystromAttention(16, rng); }

}  // namespace

std::vector<Trial> trials() {
  return {{lesson::reversal_task(),
           {64, 4, 2},
           {0, 16, 5e-3, 512},
           {{"softmax", softmax_attention, 400},
            {"local window", window, 400},
            {"linear attention", linear, 1000},
            {"Performer", performer, 1400},
            {"Linformer, k = 24", linformer<24>, 2000},
            {"Linformer, k = 16", linformer<16>, 1200},
            {"Nyström, 16 landmarks", nystrom_16, 500}}},
          {lesson::recall_task(),
           {64, 1, 2},
           {0, 32, 3e-3, 512},
           {{"softmax", softmax_attention, 700}, {"linear attention", linear, 700}}}};
}

double learn(const Contender& contender, const Trial& trial, std::uint64_t seed) {
  Rng rng(seed);
  const Size T = trial.task.length, head_width = trial.model.size / trial.model.heads;
  lesson::CoreTransformer model(
      trial.task, [&](Rng& own) { return contender.make(T, head_width, own); }, rng, trial.model);
  lesson::TrainingPlan plan = trial.plan;
  plan.steps = contender.steps;
  return lesson::train_and_test(model, trial.task, seed, plan).accuracy;
}

}  // namespace attend::chapter13
