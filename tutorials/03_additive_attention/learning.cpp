#include "tutorials/03_additive_attention/learning.hpp"

#include "nn/loss.hpp"
#include "nn/train.hpp"

namespace attend::chapter03 {

Learner::Learner(const Task& task, const TranslatorSize& size, Bridge bridge, std::uint64_t seed, double rate,
                 const LearningOptions& options)
    : task_(task), options_(options), rng_(seed), model_(size, bridge, rng_), adam_(rate) {}

double Learner::step() {
  const auto loss_of = [&](const Translator& model, Rng& rng) {
    const Pairs pairs = as_pairs(task_, task_.draw(options_.batch, rng));
    const Var scores = model(pairs.source, pairs.lengths, pairs.given);
    return cross_entropy(scores, pairs.wanted, {Vocabulary::pad, options_.label_smoothing, {}});
  };
  return train_step(model_, adam_, loss_of, rng_, {++steps_, options_.clip_norm}).loss;
}

Answers ask(const Task& task, const Translator& model, const std::vector<Example>& examples, Size most_tokens) {
  const Pairs pairs = as_pairs(task, examples);
  const Written written = model.write(pairs.source, pairs.lengths, Vocabulary::begin, Vocabulary::end, most_tokens);
  Answers answers{{}, written.weights};
  for (const auto& ids : written.ids) answers.texts.push_back(task.target.decode(ids));
  return answers;
}

double exact_match(const Answers& answers, const std::vector<Example>& examples) {
  Size right = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) right += answers.texts[i] == examples[i].target;
  return static_cast<double>(right) / static_cast<double>(examples.size());
}

}  // namespace attend::chapter03
