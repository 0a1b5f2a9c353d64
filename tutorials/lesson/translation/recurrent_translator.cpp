#include "tutorials/lesson/translation/recurrent_translator.hpp"

#include "tensor/kernels.hpp"

namespace attend::translation {

/// What the reader hands over.
struct RecurrentTranslator::Read {
  Var states;   // [B, Tx, 2 hidden]
  Var keys;     // [B, Tx, hidden], the states as the attention projects them
  Var summary;  // [B, 2 hidden]
  Var begin;    // [B, hidden]
  Mask mask;
};

/// One step of the writer.
struct RecurrentTranslator::Step {
  Var state;    // [B, hidden]
  Var context;  // [B, 2 hidden]
  Var weights;  // [B, 1, Tx]
};

RecurrentTranslator::RecurrentTranslator(const TranslatorSize& size, Bridge between, Rng& rng)
    : source_embedding(size.source_symbols, size.embedding, rng),
      target_embedding(size.target_symbols, size.embedding, rng),
      forwards(size.embedding, size.hidden, rng),
      backwards(size.embedding, size.hidden, rng),
      begin(size.hidden, size.hidden, rng),
      writer(size.embedding + 2 * size.hidden, size.hidden, rng),
      output(3 * size.hidden, size.target_symbols, rng),
      bridge(between) {
  if (bridge != Bridge::summary) attention.emplace(size.hidden, 2 * size.hidden, size.hidden, rng);
}

void RecurrentTranslator::parameters(const Visit& visit) {
  visit("source_embedding", source_embedding);
  visit("target_embedding", target_embedding);
  visit("forwards", forwards);
  visit("backwards", backwards);
  visit("begin", begin);
  if (attention) visit("attention", *attention);
  visit("writer", writer);
  visit("output", output);
}

RecurrentTranslator::Read RecurrentTranslator::read(const Tensor& source, const std::vector<Size>& lengths) const {
  const Var x = source_embedding(source);  // [B, Tx, embedding]
  const Sequence right = forwards(x, {}, lengths), left = backwards(x, {}, lengths, Direction::backward);
  Read read;
  read.states = concat({right.states, left.states}, -1);
  read.summary = concat({right.last, left.last}, -1);
  read.begin = tanh(begin(left.last));
  if (bridge != Bridge::visible_padding) read.mask = padding_mask(lengths, source.shape()[1]);
  if (attention) read.keys = attention->projected(read.states, read.mask);
  return read;
}

Attended RecurrentTranslator::look(const Var& state, const Read& read) const {
  const Var query = unsqueeze(state, 1);  // [B, 1, hidden]
  if (bridge == Bridge::no_softmax) {
    const Var scores = attention->scores(query, read.keys);
    const Var weights = where(read.mask.for_scores(scores.shape()), scores, Tensor::zeros({}, scores.dtype()));
    return {matmul(weights, read.states), weights};
  }
  return attention->attend(bridge == Bridge::no_query ? query * 0.0 : query, read.keys, read.states, read.mask);
}

RecurrentTranslator::Step RecurrentTranslator::step(const Var& symbol, const Var& state, const Read& read) const {
  Step step;
  step.context = read.summary;
  if (attention) {
    const Attended seen = look(state, read);
    step.context = squeeze(seen.context, {1});
    step.weights = seen.weights;
  }
  step.state = writer(concat({symbol, step.context}, -1), state);
  return step;
}

Var RecurrentTranslator::operator()(const Tensor& source, const std::vector<Size>& lengths, const Tensor& target,
                                    const Mask& visible) const {
  Read from = read(source, lengths);
  from.mask = from.mask & visible;
  Var state = from.begin;
  Vars shown;
  for (const Var& symbol : unstack(target_embedding(target), 1)) {
    const Step now = step(symbol, state, from);
    state = now.state;
    shown.push_back(concat({now.state, now.context}, -1));  // [B, 3 hidden]
  }
  return output(stack(shown, 1));  // [B, Ty, symbols]
}

Written RecurrentTranslator::write(const Tensor& source, const std::vector<Size>& lengths, std::int64_t begin_id,
                                   std::int64_t end_id, Size most) const {
  const Recording off(false);
  const Size B = source.shape()[0];
  const Read from = read(source, lengths);
  Written written{std::vector<std::vector<std::int64_t>>(static_cast<std::size_t>(B)), {}};
  std::vector<bool> ended(static_cast<std::size_t>(B));
  std::vector<Tensor> weights;
  Tensor last = Tensor::full({B}, static_cast<double>(begin_id), DType::int64);
  Var state = from.begin;
  for (Size i = 0; i < most; ++i) {
    const Step now = step(target_embedding(last), state, from);
    state = now.state;
    last = argmax(output(concat({now.state, now.context}, -1)), -1);
    const std::vector<std::int64_t> symbols = last.to_ints();
    bool all = true;
    for (std::size_t b = 0; b < symbols.size(); ++b) {
      ended[b] = ended[b] || symbols[b] == end_id;
      if (!ended[b]) written.ids[b].push_back(symbols[b]);
      all = all && ended[b];
    }
    if (all) break;
    if (attention) weights.push_back(now.weights.value());
  }
  if (!weights.empty()) written.weights = kernel::concat(weights, 1);
  return written;
}

Var training_scores(const RecurrentTranslator& model, const Pairs& pairs, Rng&) {
  return model(pairs.source, pairs.lengths, pairs.given);
}

RecurrentLearner learner_of(const Task& task, const TranslatorSize& size, Bridge bridge, std::uint64_t seed,
                            double rate, const LearningOptions& options) {
  return {task, [&](Rng& rng) { return RecurrentTranslator(size, bridge, rng); }, seed, rate, options};
}

}  // namespace attend::translation
