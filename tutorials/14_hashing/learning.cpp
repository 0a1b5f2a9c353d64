#include "tutorials/14_hashing/learning.hpp"

#include "nn/attention/lsh.hpp"
#include "nn/attention/shared_query_key.hpp"
#include "nn/parameters.hpp"

namespace attend::chapter14 {

Contender softmax() {
  return {"softmax", 0, [](Rng&) { return AttentionCore(SoftmaxAttention()); }};
}

Contender shared_query_key() {
  return {"shared query-key", 0, [](Rng&) { return AttentionCore(SharedQueryKeyAttention()); }};
}

Contender hashed(Size chunk, Size rounds) {
  const Size buckets = 2 * length / chunk;
  const std::string times = std::to_string(rounds) + (rounds == 1 ? " round" : " rounds");
  return {"LSH, chunks of " + std::to_string(chunk) + ", " + times, rounds,
          [=](Rng& rng) { return AttentionCore(LshAttention(size / heads, buckets, chunk, rounds, rng)); }};
}

std::vector<Trial> trials() {
  // Queries must grow before they attend sharply (their keys have the length 1): hence the high rate.
  const lesson::TrainingPlan plan = {400, 32, 1e-2, 512};
  return {{lesson::reversal_task(length, symbols),
           plan,
           {softmax(), shared_query_key(), hashed(8, 1), hashed(8, 4), hashed(4, 2)}},
          {lesson::sorting_task(length, symbols), plan, {softmax(), shared_query_key(), hashed(4, 1)}},
          {lesson::copy_task(3, length, symbols), plan, {softmax(), shared_query_key(), hashed(8, 1)}}};
}

Learned learn(const Contender& with, const Trial& trial, std::uint64_t seed) {
  Rng rng(seed);
  lesson::CoreTransformer model(trial.task, with.make, rng, {size, heads, 1});
  const double right = lesson::train_and_test(model, trial.task, seed, trial.plan).accuracy;
  return {model, right};
}

lesson::CoreTransformer with_rounds(const lesson::CoreTransformer& model, Size rounds, Rng& rng) {
  lesson::CoreTransformer other = model;
  each_buffer(other, [&](const std::string&, Tensor& rotations) {
    const Shape& drawn = rotations.shape();  // [rounds, d, buckets / 2]
    rotations = rng.normal({rounds, drawn[1], drawn[2]}, 0, 1);
  });
  return other;
}

double tested_with(const Learned& learned, const Trial& trial, Size rounds, std::uint64_t seed) {
  Rng rng(seed);
  Rng test_draws = rng.split(), rotations = rng.split();
  const lesson::CoreTransformer other = with_rounds(learned.model, rounds, rotations);
  return lesson::accuracy(other, trial.task.draw(trial.plan.test_sequences, test_draws));
}

}  // namespace attend::chapter14
