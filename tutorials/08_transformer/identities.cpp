#include "tutorials/08_transformer/identities.hpp"

#include "nn/gradcheck.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/08_transformer/number_words.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/gradients.hpp"

namespace attend::chapter08 {

using namespace translation;
using lesson::largest_difference;

namespace {

// The target with another last word.
Tensor with_other_end(const Tensor& given, Size tokens) {
  const Size last = given.shape()[1] - 1;
  std::vector<std::int64_t> words = given.to_ints();
  words.back() = (words.back() + 1) % tokens;
  return Tensor::from_ints(words, {1, last + 1});
}

// The scores of all steps, made one by one.
Tensor step_by_step(const Transformer& model, const Pairs& pairs) {
  const Memory memory = model.read(pairs.source, pairs.lengths);
  Cache cache;
  std::vector<Tensor> scores;
  for (const Var& last : unstack(Var(pairs.given), 1)) {
    scores.push_back(model.step(last.value(), memory, cache).scores.value());
  }
  return kernel::concat(scores, 1);  // [B, Ty, tokens]
}

// The bias of the keys adds the same to all scores of a query, and softmax does not see it: its gradient is 0, and no
// check could tell that from a mistake. It goes.
void without_key_biases(Transformer& model) {
  for (EncoderLayer& layer : model.encoder) layer.attention.key_projection.bias = Var();
  for (DecoderLayer& layer : model.decoder) {
    layer.self_attention.key_projection.bias = Var();
    layer.memory_attention.key_projection.bias = Var();
  }
}

GradcheckReport check_model(const std::string& name, NormPlace norm, Rng& rng) {
  Transformer model({6, 5, 1, 1, {4, 2, 3, 0, norm}}, rng);
  without_key_biases(model);
  const Tensor source = Tensor::from_ints({1, 2, 3, 4, 5, 0}, {2, 3}), given = Tensor::from_ints({1, 3, 4, 2}, {2, 2});
  GradcheckOptions options;
  options.most_elements = 6;  // of each parameter, drawn at random
  options.step = 3e-4;        // four features: the norms curve a lot, and the relus have kinks
  return gradcheck_layer(
      name, model, {},
      [&](const Transformer& m, const Vars&) {
        return m(source, {3, 2}, given);
      },
      options);
}

}  // namespace

void claim_identities(const Task& task, const Transformer& trained, lesson::Claims& claims) {
  const Recording off(false);
  const Transformer model = cast(trained, DType::float64);
  const std::vector<Example> examples = examples_of({7342, 16, 901, 5000});
  const Pairs first = as_pairs(task, {examples[0]}), second = as_pairs(task, {examples[1]}),
              all = as_pairs(task, examples);

  const Tensor scores = model(first.source, first.lengths, first.given).value();
  const Size steps = first.given.shape()[1];
  const Tensor changed = model(first.source, first.lengths, with_other_end(first.given, task.target.size())).value();
  claims.at_most("another last word: difference it makes to the scores before it",
                 largest_difference(slice(scores, 1, 0, steps - 1), slice(changed, 1, 0, steps - 1)), 0);
  claims.holds("and to those behind it: some", largest_difference(scores, changed) > 0);

  const Tensor alone = model(second.source, second.lengths, second.given).value();
  const Tensor beside = slice(model(all.source, all.lengths, all.given).value(), 0, 1, 1);
  claims.below("a short text alone and beside longer ones, difference",
               largest_difference(alone, slice(beside, 1, 0, alone.shape()[1])), 1e-12);

  claims.below("all steps at once and one by one with the cache, difference",
               largest_difference(model(all.source, all.lengths, all.given).value(), step_by_step(model, all)), 1e-12);
}

void claim_gradients(lesson::Claims& claims) {
  Rng rng(1);
  lesson::claim_gradients({check_model("transformer, norm before", NormPlace::before, rng),
                           check_model("transformer, norm after", NormPlace::after, rng)},
                          claims);
}

}  // namespace attend::chapter08
