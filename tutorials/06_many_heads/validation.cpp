#include "tutorials/06_many_heads/validation.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

#include "nn/loss.hpp"
#include "nn/train.hpp"
#include "tutorials/lesson/batches.hpp"

namespace attend::chapter06 {

std::vector<Fold> folds_of(const Sentences& sentences, Size count, Rng& rng) {
  const Size n = lesson::size_of(sentences);
  if (count < 2 || n < count) {
    throw std::invalid_argument("folds_of: " + std::to_string(count) + " folds of " + std::to_string(n) + " sentences");
  }
  const Sentences mixed = chosen(sentences, rng.permutation(n));
  std::vector<Fold> folds(static_cast<std::size_t>(count));
  for (Size f = 0; f < count; ++f) {
    for (Size i = 0; i < n; ++i) {
      Fold& fold = folds[static_cast<std::size_t>(f)];
      (i * count / n == f ? fold.test : fold.training).push_back(mixed[static_cast<std::size_t>(i)]);
    }
  }
  return folds;
}

Trained trained(const Sentences& training, ClassifierOptions of_model, const TrainingOptions& options,
                std::uint64_t seed, const AfterEpoch& after_epoch) {
  const Lexicon lexicon(training);
  of_model.words = lexicon.size();
  Rng rng(seed);
  Rng order = rng.split(), draws = rng.split();  // models of one seed see the sentences in the same order
  Classifier model(of_model, rng);
  Adam adam(options.rate);

  const Size n = lesson::size_of(training);
  for (Size epoch = 1; epoch <= options.epochs; ++epoch) {
    double loss = 0;
    for (const auto& places : lesson::shuffled_batches(n, options.batch, order)) {
      const Batch batch = batch_of(chosen(training, places), lexicon);
      const auto loss_of = [&](const Classifier& m, Rng& r) {
        return cross_entropy(m(batch, &r).logits, batch.praise);
      };
      const double of_batch = train_step(model, adam, loss_of, draws, {adam.steps() + 1, 1.0}).loss;
      loss += of_batch * static_cast<double>(places.size()) / static_cast<double>(n);
    }
    if (after_epoch) after_epoch(epoch, loss, model);
  }
  return {model, lexicon, options.epochs, 0};
}

Trained trained_as_long_as_it_helps(const Sentences& training, const ClassifierOptions& model,
                                    const TrainingOptions& options, std::uint64_t seed) {
  Rng rng(seed);
  const Fold inner = folds_of(training, 5, rng)[0];
  const Lexicon lexicon(inner.training);
  Size best_epoch = 1;
  double least = std::numeric_limits<double>::infinity();
  trained(inner.training, model, options, seed, [&](Size epoch, double, const Classifier& now) {
    const double loss = judged(now, inner.test, lexicon).loss;
    if (loss < least) {
      least = loss;
      best_epoch = epoch;
    }
  });
  TrainingOptions as_long = options;
  as_long.epochs = best_epoch;
  Trained result = trained(training, model, as_long, seed);
  result.validation_loss = least;
  return result;
}

}  // namespace attend::chapter06
