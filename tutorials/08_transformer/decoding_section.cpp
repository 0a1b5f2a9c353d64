#include "tutorials/08_transformer/decoding_section.hpp"

#include <algorithm>

#include "tensor/cost.hpp"
#include "tutorials/08_transformer/writing.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter08 {

using namespace lesson;
using namespace translation;

namespace {

constexpr Size beam = 4;

DecodingOptions options_for(const Task& task) {
  DecodingOptions options{Vocabulary::begin, Vocabulary::end, longest_target(task)};
  options.beam = beam;
  return options;
}

// One way to write: how many of the examples come out right, and how likely the model finds what it has written.
struct Way {
  Size right = 0;
  double log_probability = 0;
  std::vector<Ids> texts;
};

template <class Write>
Way write_each(const Task& task, const std::vector<Example>& examples, const Write& write) {
  Way way;
  for (const Example& example : examples) {
    const Pairs one = as_pairs(task, {example});
    const Decoded text = write(one);
    way.right += task.target.decode(text.symbols) == example.target;
    way.log_probability += text.log_probability / static_cast<double>(examples.size());
    way.texts.push_back(text.symbols);
  }
  return way;
}

void greedy_and_beam(const Task& task, const Transformer& model, Claims& claims) {
  heading("The likeliest word, or the likeliest text");
  const std::vector<Example> examples(task.held_out.begin(), task.held_out.begin() + 200);
  const DecodingOptions options = options_for(task);
  DecodingOptions one = options;
  one.beam = 1;
  const auto next = [&](const Pairs& pairs) { return with_cache(model, pairs.source, pairs.lengths); };
  const Way best_words = write_each(task, examples, [&](const Pairs& p) { return greedy(next(p), 1, options)[0]; });
  const Way best_texts = write_each(task, examples, [&](const Pairs& p) { return beam_search(next(p), options)[0]; });
  const Way beam_of_one = write_each(task, examples, [&](const Pairs& p) { return beam_search(next(p), one)[0]; });

  Table table({"of 200 held-out numbers", "right", "mean log p(text)"});
  table.row({"greedy: the likeliest word", count(best_words.right), significant(best_words.log_probability, 4)});
  table.row({fill("beam search: {} texts at once", {count(beam)}), count(best_texts.right),
             significant(best_texts.log_probability, 4)});
  table.print();
  Size different = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) different += best_words.texts[i] != best_texts.texts[i];
  say(fill("The texts of {} numbers differ.", {count(different)}));
  claims.holds("a beam of one text writes what greedy decoding writes", beam_of_one.texts == best_words.texts);
  claims.at_least("beam search: mean log p, less that of greedy",
                  best_texts.log_probability - best_words.log_probability, -1e-9);
}

// Time and multiplications of writing so many words, for the first 16 held-out numbers at once.
struct Effort {
  double seconds, multiplications;
};

Effort effort_of(const NextSymbol& next, Size texts, Size words) {
  constexpr std::int64_t never = -1;  // no word ends a text: all have the same length
  CostCounter counter;
  Stopwatch watch;
  greedy(next, texts, {Vocabulary::begin, never, words});
  return {watch.seconds(), static_cast<double>(counter.total().multiplications)};
}

void cache_section(const Task& task, const Transformer& model, Claims& claims) {
  heading("With the cache and without");
  constexpr Size texts = 16;
  const Pairs pairs = as_pairs(task, {task.held_out.begin(), task.held_out.begin() + texts});
  say("Sixteen texts at once, made to go on to a given length. Multiplications are counted, in millions; times are of "
      "this machine.");
  Table table({"words", "time with", "without", "multiplications with", "without", "ratio"});
  double ratio = 0;
  for (const Size words : {8, 32, 128}) {
    const Effort with = effort_of(with_cache(model, pairs.source, pairs.lengths), texts, words);
    const Effort without = effort_of(without_cache(model, pairs.source, pairs.lengths), texts, words);
    ratio = without.multiplications / with.multiplications;
    table.row({count(words), duration(with.seconds), duration(without.seconds),
               significant(with.multiplications / 1e6, 3), significant(without.multiplications / 1e6, 3),
               significant(ratio, 3)});
  }
  table.print();
  claims.between("multiplications without the cache for 128 words, as a multiple of those with it", ratio, 64.5, 72);

  const Transformer exact = cast(model, DType::float64);
  const DecodingOptions options = options_for(task);
  const auto with = greedy(with_cache(exact, pairs.source, pairs.lengths), texts, options);
  const auto without = greedy(without_cache(exact, pairs.source, pairs.lengths), texts, options);
  double difference = 0;
  bool same = true;
  for (std::size_t i = 0; i < with.size(); ++i) {
    same = same && with[i].symbols == without[i].symbols;
    difference = std::max(difference, std::abs(with[i].log_probability - without[i].log_probability));
  }
  claims.holds("both write the same texts", same);
  claims.below("and give them the same log-probabilities, difference", difference, 1e-12);
}

}  // namespace

void decoding_section(const Task& task, const Transformer& model, Claims& claims) {
  greedy_and_beam(task, model, claims);
  cache_section(task, model, claims);
}

}  // namespace attend::chapter08
