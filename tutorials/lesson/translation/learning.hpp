#pragma once
#include "autograd/autocast.hpp"
#include "nn/loss.hpp"
#include "nn/loss_scale.hpp"
#include "nn/optimizer.hpp"
#include "nn/train.hpp"
#include "tutorials/lesson/translation/task.hpp"

/// Training a translator, and asking it. A translator is any model with
///
///   Var training_scores(model, const Pairs& pairs, Rng& rng)               scores of each next token, [B, Ty, tokens]
///   Written model.write(source, lengths, begin, end, most_tokens) const    what it writes by itself

namespace attend::translation {

/// What a translator wrote, and where it looked.
struct Written {
  std::vector<Ids> ids;  // without begin and end
  Tensor weights;        // [B, steps, Tx], undefined without attention
};

struct LearningOptions {
  Size batch = 64;
  double clip_norm = 1.0;
  double label_smoothing = 0;
  DType activations = DType::float32;  // or float16, with scaled losses, or bfloat16: the parameters stay float32
};

/// What a step of training goes down: the cross-entropy of the next token, in the mean over those of a batch.
template <class Model>
Var loss_on(const Pairs& pairs, const Model& model, Rng& rng, double label_smoothing = 0) {
  return cross_entropy(training_scores(model, pairs, rng), pairs.wanted, {Vocabulary::pad, label_smoothing, {}});
}

/// A model in training. The same seed gives the same course, whatever the number of threads.
template <class Model>
class Learner {
 public:
  /// `make(rng)` gives the model with its first weights; the batches come from the same stream.
  template <class Make>
  Learner(const Task& task, const Make& make, std::uint64_t seed, double rate, const LearningOptions& options = {})
      : task_(task), options_(options), rng_(seed), model_(make(rng_)), adam_(rate) {}

  /// One step on a fresh batch; returns its loss. Throws NotFinite, and changes nothing, when a value is not finite.
  double step() {
    const auto loss_of = [&](const Model& model, Rng& rng) {
      const Autocast scope(options_.activations);
      return loss_on(as_pairs(task_, task_.draw(options_.batch, rng)), model, rng, options_.label_smoothing);
    };
    return train_step(model_, adam_, loss_of, rng_, {++steps_, options_.clip_norm, scaler()}).loss;
  }
  Size steps() const { return steps_; }
  /// Those that changed nothing, because a gradient did not fit into float16.
  Size skipped() const { return scaler_.skipped(); }
  void set_rate(double rate) { adam_.learning_rate = rate; }
  const Model& model() const { return model_; }

 private:
  LossScaler* scaler() { return options_.activations == DType::float16 ? &scaler_ : nullptr; }

  const Task& task_;
  LearningOptions options_;
  Rng rng_;
  Model model_;
  Adam adam_;
  LossScaler scaler_;
  Size steps_ = 0;
};

/// What a model writes for some examples, as tokens, and where it looks.
struct Answers {
  std::vector<Tokens> texts;
  Tensor weights;  // [examples, steps, Tx], undefined without attention
};
Answers answers_of(const Task& task, const Written& written);

template <class Model>
Answers ask(const Task& task, const Model& model, const std::vector<Example>& examples, Size most_tokens) {
  const Pairs pairs = as_pairs(task, examples);
  return answers_of(task, model.write(pairs.source, pairs.lengths, Vocabulary::begin, Vocabulary::end, most_tokens));
}

/// The share of the answers that equal the target, token for token.
double exact_match(const Answers& answers, const std::vector<Example>& examples);

/// One more than the longest target of the training examples has: room for the end.
Size longest_target(const Task& task);

}  // namespace attend::translation
