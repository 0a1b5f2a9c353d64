// The check of exercise 2: the number of texts, short texts, whole texts, and what comes of them.
#include <algorithm>
#include <functional>

#include "nn/schedule.hpp"
#include "tutorials/08_transformer/exercise_2_greedy.hpp"
#include "tutorials/08_transformer/number_words.hpp"
#include "tutorials/08_transformer/writing.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/size.hpp"

using namespace attend;
using namespace attend::chapter08;
using namespace attend::translation;
using namespace attend::lesson;

namespace {

constexpr Size longest = 12;

// A transformer that has learned a little, once for all answers, and numbers of different lengths for it.
struct Model {
  NumberSplit split;
  Task task;
  Transformer transformer;
  std::vector<Example> examples;
  Pairs pairs;
};

Model learn() {
  constexpr Size steps = 120;
  constexpr double rate = 5e-3;
  Rng rng(1);
  const NumberSplit split = split_numbers(3000, 500, rng);
  const Task task = number_task(split);
  const TransformerSize size{task.source.size(), task.target.size(), 1, 1, {32, 4, 64, 0, NormPlace::before}};
  Learner<Transformer> learner(
      task, [&](Rng& r) { return Transformer(size, r); }, 1, rate);
  for (Size i = 1; i <= steps; ++i) {
    learner.set_rate(warm_up(i, 30) * cosine_rate(i, rate, steps));
    learner.step();
  }
  const std::vector<Example> examples = examples_of({9742, 7, 13, 42, 500, 8003, 650, 77});
  return {split, task, learner.model(), examples, as_pairs(task, examples)};
}

const Model& model() {
  static const Model learned = learn();
  return learned;
}

using Texts = std::vector<Ids>;

Texts yours(const GreedyAnswer& answer, Size most) {
  const Model& m = model();  // may learn yet, and needs its history for that
  const Recording off(false);
  const Memory memory = m.transformer.read(m.pairs.source, m.pairs.lengths);
  return answer.write(m.transformer, memory, lesson::size_of(m.examples), most);
}

Texts expected(Size most) {
  const Model& m = model();
  Texts texts;
  const NextSymbol next = with_cache(m.transformer, m.pairs.source, m.pairs.lengths);
  for (const Decoded& text : greedy(next, lesson::size_of(m.examples), {Vocabulary::begin, Vocabulary::end, most})) {
    texts.push_back(text.symbols);
  }
  return texts;
}

std::string words(const Ids& ids) {
  std::string line;
  for (const std::int64_t id : ids) line += (line.empty() ? "" : " ") + model().task.target.token(id);
  return line.empty() ? "(nothing)" : line;
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

// The first text, when each step is made by `step` from the word before.
Ids first_text(const std::function<Var(const Tensor& last, const Memory&, Cache&)>& step) {
  const Model& m = model();  // may learn yet, and needs its history for that
  const Recording off(false);
  const Memory memory = m.transformer.read(slice(m.pairs.source, 0, 0, 1), {m.pairs.lengths[0]});
  Cache cache;
  Ids text, last = {Vocabulary::begin};
  for (Size i = 0; i < longest; ++i) {
    last = argmax(step(Tensor::from_ints(last, {1}), memory, cache), -1).to_ints();
    if (last[0] == Vocabulary::end) break;
    text.push_back(last[0]);
  }
  return text;
}

bool begins_with(const Ids& text, const Ids& beginning) {
  return text.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), text.begin());
}

bool has_end(const Ids& text) { return std::find(text.begin(), text.end(), Vocabulary::end) != text.end(); }

std::string likely_bug(const Texts& given, const Texts& right) {
  const Transformer& m = model().transformer;
  if (std::all_of(given.begin(), given.end(), [](const Ids& text) { return text.empty(); })) {
    return "the hole is not filled: every text is empty.";
  }
  if (std::any_of(given.begin(), given.end(), has_end)) return "the end itself was kept; it is no word of the text.";
  const auto with_begin = [&](const Tensor&, const Memory& memory, Cache& cache) {
    return m.step(Tensor::from_ints({Vocabulary::begin}, {1}), memory, cache).scores;
  };
  const auto with_new_cache = [&](const Tensor& last, const Memory& memory, Cache&) {
    Cache fresh;
    return m.step(last, memory, fresh).scores;
  };
  const auto twice = [&](const Tensor& last, const Memory& memory, Cache& cache) {
    m.step(last, memory, cache);
    return m.step(last, memory, cache).scores;
  };
  if (given[0] == first_text(with_begin)) {
    return "every step reads begin again. What it is to read is the word that was written last.";
  }
  if (given[0] == first_text(with_new_cache)) {
    return "the cache is made anew at every step, so that each word is the first. It belongs before the loop.";
  }
  if (given[0] == first_text(twice)) return "every word is read twice: one call of step puts one word into the cache.";
  bool shorter = true;
  for (std::size_t b = 0; b < given.size(); ++b) shorter = shorter && begins_with(right[b], given[b]);
  if (shorter) return "it stops with the first text that ends; the others have more to say.";
  return "none of the usual ones. Print `last` at every step, for one text.";
}

void compare(const Texts& given, const Texts& right) {
  for (std::size_t b = 0; b < right.size(); ++b) {
    if (given[b] == right[b]) continue;
    throw Mistake("Of \"" + join_words(model().examples[b].source) + "\" your loop writes\n  " + words(given[b]) +
                      "\nand greedy decoding\n  " + words(right[b]),
                  likely_bug(given, right));
  }
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_count(const GreedyAnswer& answer, Steps& steps) {
  const Texts given = yours(answer, longest);
  const std::size_t count = model().examples.size();
  if (given.size() != count) {
    throw Mistake(std::to_string(given.size()) + " texts, expected " + std::to_string(count) + ".",
                  "one list of words for each text is asked for.");
  }
  steps.passed("a list for each of " + std::to_string(count) + " texts");
}

void check_whole(const GreedyAnswer& answer, Steps& steps) {
  compare(yours(answer, longest), expected(longest));
  steps.passed("texts of different lengths, written side by side");
}

void check_cut(const GreedyAnswer& answer, Steps& steps) {
  const Texts given = yours(answer, 3), right = expected(3);
  for (const Ids& text : given) {
    if (text.size() > 3) {
      throw Mistake("With `longest` = 3 a text has " + std::to_string(text.size()) + " words.",
                    "the loop makes one word too many: `longest` steps are allowed.");
    }
  }
  compare(given, right);
  steps.passed("texts that are cut after three words");
}

// Where a text has ended, a model that has learned says `end` again and again. One that has not may go on talking.
void check_untrained(const GreedyAnswer& answer, std::uint64_t seed) {
  const Recording off(false);
  constexpr Size texts = 16, tokens = 7;
  Rng rng(seed);
  const Transformer untrained({tokens, tokens, 1, 1, {16, 2, 16, 0, NormPlace::before}}, rng);
  Ids ids;
  for (Size i = 0; i < texts * 3; ++i) ids.push_back(rng.below(tokens));
  const Tensor source = Tensor::from_ints(ids, {texts, 3});
  const std::vector<Size> lengths(static_cast<std::size_t>(texts), 3);
  const Texts given = answer.write(untrained, untrained.read(source, lengths), texts, longest);
  const auto right =
      greedy(with_cache(untrained, source, lengths), texts, {Vocabulary::begin, Vocabulary::end, longest});
  for (std::size_t b = 0; b < right.size(); ++b) {
    if (given[b] == right[b].symbols) continue;
    throw Mistake("Of a model that has learned nothing you keep " + std::to_string(given[b].size()) +
                      " words of a text that has ended after " + std::to_string(right[b].symbols.size()) + ".",
                  "it goes on behind the end of a text: a text that has ended once is closed for good.");
  }
}

void check_ended(const GreedyAnswer& answer, Steps& steps) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) check_untrained(answer, seed);
  steps.passed("texts that have ended stay as they are");
}

void check_result(const GreedyAnswer& answer, Steps& steps) {
  const Model& m = model();
  const Texts given = yours(answer, longest);
  Size right = 0;
  for (std::size_t b = 0; b < given.size(); ++b) right += m.task.target.decode(given[b]) == m.examples[b].target;
  steps.passed("after 120 steps of training " + std::to_string(right) + " of " + std::to_string(given.size()) +
               " numbers come out right, such as " + words(given[0]));
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/08_transformer/exercise_2_greedy.cpp", greedy_answers(),
                       {check_count, check_whole, check_cut, check_ended, check_result});
}
