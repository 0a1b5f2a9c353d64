#pragma once
#include "nn/optimizer.hpp"
#include "tutorials/03_additive_attention/task.hpp"
#include "tutorials/03_additive_attention/translator.hpp"

/// Training a translator, and asking it.

namespace attend::chapter03 {

struct LearningOptions {
  Size batch = 64;
  double clip_norm = 1.0;
  double label_smoothing = 0;
};

/// A model in training. The same seed gives the same course, whatever the number of threads.
class Learner {
 public:
  Learner(const Task& task, const TranslatorSize& size, Bridge bridge, std::uint64_t seed, double rate,
          const LearningOptions& options = {});

  /// One step on a fresh batch; returns its loss. Throws NotFinite, and changes nothing, when a value is not finite.
  double step();
  Size steps() const { return steps_; }
  void set_rate(double rate) { adam_.learning_rate = rate; }
  const Translator& model() const { return model_; }

 private:
  const Task& task_;
  LearningOptions options_;
  Rng rng_;
  Translator model_;
  Adam adam_;
  Size steps_ = 0;
};

/// What a model writes for some examples, and where it looks.
struct Answers {
  std::vector<Tokens> texts;
  Tensor weights;  // [examples, steps, Tx], undefined without attention
};
Answers ask(const Task& task, const Translator& model, const std::vector<Example>& examples, Size most_tokens);

/// The share of the answers that equal the target, token for token.
double exact_match(const Answers& answers, const std::vector<Example>& examples);

}  // namespace attend::chapter03
