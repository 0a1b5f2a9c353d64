#include "nn/train.hpp"
#include "tests/benchmarks/versus/chapters.hpp"
#include "tutorials/03_additive_attention/dates.hpp"
#include "tutorials/03_additive_attention/dates_lesson.hpp"
#include "tutorials/08_transformer/number_learning.hpp"
#include "tutorials/10_attention_and_convolution/learning.hpp"
#include "tutorials/10_attention_and_convolution/tasks.hpp"
#include "tutorials/lesson/data.hpp"

namespace versus::attend_side {
namespace {

using namespace attend;
using namespace attend::translation;

constexpr std::uint64_t seed = 1;

Task date_task() {
  // The task keeps a reference to them.
  static const chapter03::DateTask dates(chapter03::read_date_locales(lesson::data_path("cldr/cldr_dates.tsv")), 0,
                                         seed);
  return chapter03::date_task(dates);
}

Task number_task() { return chapter08::number_task(chapter08::split_for(seed)); }

TextBatch batch_of(const Task& task) {
  Rng rng(seed);
  const Pairs pairs = as_pairs(task, task.draw(LearningOptions().batch, rng));
  return {pairs.source.shape()[0],
          pairs.source.shape()[1],
          pairs.given.shape()[1],
          task.source.size(),
          task.target.size(),
          pairs.source.to_ints(),
          std::vector<std::int64_t>(pairs.lengths.begin(), pairs.lengths.end()),
          pairs.given.to_ints(),
          pairs.wanted.to_ints()};
}

Pairs pairs_of(const TextBatch& batch) {
  const Shape target = {batch.size, batch.target_steps};
  return {Tensor::from_ints(batch.source, {batch.size, batch.source_steps}),
          std::vector<Size>(batch.lengths.begin(), batch.lengths.end()), Tensor::from_ints(batch.given, target),
          Tensor::from_ints(batch.wanted, target)};
}

// The step of every chapter: train_step on loss_of(model, rng).
template <class Model, class Optimizer, class LossOf>
Training training(Model model, Optimizer adam, LossOf loss_of) {
  const long parameters = parameter_count(model);
  return {[=, rng = Rng(seed)]() mutable {
            return train_step(model, adam, loss_of, rng, {adam.steps() + 1, clip_norm}).loss;
          },
          parameters};
}

// The step of Learner, but always on this batch.
template <class Model>
Training on_texts(const Model& model, double rate, const TextBatch& batch) {
  return training(model, Adam(rate),
                  [pairs = pairs_of(batch)](const Model& now, Rng& rng) { return loss_on(pairs, now, rng); });
}

// The step of chapter 10's `learn`, but always on this batch.
Training on_images(chapter10::Kind kind, const ImageBatch& batch) {
  using namespace chapter10;
  Rng rng(seed);
  const Recipe recipe = recipe_of(kind, batch.size);
  const Tensor pixels =
      Tensor::from({batch.pixels.begin(), batch.pixels.end()}, {batch.size, 1, batch.side, batch.side});
  const Tensor labels = Tensor::from_ints(batch.labels, {batch.size});
  return training(chapter10::Model(kind, {batch.side, batch.side, batch.classes}, rng),
                  AdamW(recipe.rate, {0.9, 0.999, 1e-8, recipe.weight_decay}), [=](const chapter10::Model& now, Rng&) {
                    return cross_entropy(now(Var(pixels), Mode::training), labels);
                  });
}

}  // namespace

TextBatch dates() { return batch_of(date_task()); }
TextBatch numbers() { return batch_of(number_task()); }

ImageBatch digits() {
  const chapter10::Task task = chapter10::digits_task(seed);
  const Size size = chapter10::recipe_of(chapter10::Kind::attention, task.training.size()).batch;
  Rng rng(seed);
  const lesson::Images batch = task.training.select(lesson::shuffled_batches(task.training.size(), size, rng).front());
  const std::vector<double> pixels = batch.pixels.to_vector();
  return {batch.size(), task.form.height, task.form.classes, {pixels.begin(), pixels.end()}, batch.labels.to_ints()};
}

Training translator(const TextBatch& batch) {
  const Task task = date_task();
  Rng rng(seed);
  return on_texts(RecurrentTranslator(chapter03::size_with(task), Bridge::attention, rng), chapter03::date_rate, batch);
}

Training transformer(const TextBatch& batch) {
  const Task task = number_task();
  return on_texts(chapter08::learner_of(task, chapter08::Flaw::none, seed).model(), chapter08::highest_rate, batch);
}

Training attention_network(const ImageBatch& batch) { return on_images(chapter10::Kind::attention, batch); }
Training vision_transformer(const ImageBatch& batch) { return on_images(chapter10::Kind::vision, batch); }

}  // namespace versus::attend_side
