// The check of exercise 1: shapes, a text on paper, random texts, a short training.
#include <functional>

#include "nn/attention/multi_head.hpp"
#include "nn/embedding.hpp"
#include "nn/loss.hpp"
#include "nn/position/sinusoidal.hpp"
#include "nn/train.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/08_transformer/exercise_1_forcing.hpp"
#include "tutorials/08_transformer/number_words.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter08;
using namespace attend::translation;
using namespace attend::lesson;

namespace {

// [B, T] of the German words of some numbers, between begin and end.
Tensor targets_of(const Vocabulary& words, const std::vector<Size>& numbers) {
  std::vector<Tokens> texts;
  for (const Size number : numbers) texts.push_back(number_words(number).german);
  return batch_of(words, texts, Enclose::begin_and_end).ids;
}

Vocabulary german() { return Vocabulary::of({number_words(42).german, number_words(7).german}); }
Tensor on_paper() { return targets_of(german(), {42, 7}); }  // [2, 5]

std::string row_of(const Vocabulary& words, const Tensor& ids, Size row) {
  std::string line;
  for (Size t = 0; t < ids.shape()[1]; ++t) {
    line += (t > 0 ? " " : "") + words.token(static_cast<std::int64_t>(ids.at({row, t})));
  }
  return line;
}

bool same(const Tensor& a, const Tensor& b) { return a.shape() == b.shape() && a.to_ints() == b.to_ints(); }

// Whether the mask is the one of a rule, for n places.
bool follows(const Mask& mask, Size n, const std::function<bool(Size i, Size j)>& sees) {
  if (mask.allows_all()) return false;
  const Shape shape = mask.allowed().shape();
  if (shape[2] != n || shape[3] != n) return false;
  for (Size i = 0; i < n; ++i) {
    for (Size j = 0; j < n; ++j) {
      if ((mask.allowed().at({0, 0, i, j}) != 0) != sees(i, j)) return false;
    }
  }
  return true;
}

bool is_causal(const Mask& mask, Size n) {
  return follows(mask, n, [](Size i, Size j) { return j <= i; });
}

std::string texts_bug(const Forced& forced, const Tensor& target) {
  const Size n = target.shape()[1] - 1;
  const Tensor first = slice(target, 1, 0, n), second = slice(target, 1, 1, n);
  if (same(forced.given, target) && same(forced.wanted, target)) {
    return "both have all T columns: nothing follows the last word, and begin is never written.";
  }
  if (same(forced.given, second) && same(forced.wanted, first)) {
    return "given and wanted are exchanged: at each place the decoder is to write the word before.";
  }
  if (same(forced.given, second)) return "begin is never read: without it nothing stands before the first word.";
  if (same(forced.given, first) && same(forced.wanted, first)) {
    return "the same word is read and wanted. Copying is no translation: wanted begins one word later.";
  }
  return "none of the usual ones. given is the target without its last column, wanted without its first.";
}

std::string mask_bug(const Mask& mask, Size n) {
  struct Suspect {
    std::function<bool(Size i, Size j)> sees;
    const char* bug;
  };
  const std::vector<Suspect> suspects = {
      {[](Size i, Size j) { return j >= i; },
       "place i looks ahead, at j >= i: rows are the places that look, columns what they look at."},
      {[](Size i, Size j) { return j < i; },
       "a place does not see itself. The word that it has just read is the one before the wanted one."},
      {[](Size i, Size j) { return j <= i + 1; },
       "it reaches one place too far: at place i + 1 of `given` stands what place i is to write."},
      {[](Size i, Size j) { return j > i; }, "the mask is inverted: true means that a place may be looked at."},
      {[](Size i, Size j) { return j == i; }, "a place sees nothing but itself; what stands before it counts, too."}};
  if (mask.allows_all()) return "there is no mask: every place sees the word that it is to write.";
  for (const Suspect& suspect : suspects) {
    if (follows(mask, n, suspect.sees)) return suspect.bug;
  }
  return "none of the usual ones. Place i may look at place j where j <= i.";
}

void check_shape(const ForcingAnswer& answer, Steps& steps) {
  const Tensor target = on_paper();
  const Size n = target.shape()[1] - 1;
  const Forced forced = answer.force(target);
  if (!forced.given.defined() || !forced.wanted.defined()) {
    throw Mistake("given or wanted is nothing.", "the hole is not filled: they were never assigned.");
  }
  const std::string expected = "given and wanted " + text(Shape{2, n});
  if (forced.given.shape() != Shape{2, n} || forced.wanted.shape() != Shape{2, n}) {
    throw Mistake("Of a target " + text(target.shape()) + "\nexpected: " + expected + "\nyours:    given " +
                      text(forced.given.shape()) + ", wanted " + text(forced.wanted.shape()),
                  texts_bug(forced, target));
  }
  steps.passed("shapes: " + expected);
}

void check_texts(const ForcingAnswer& answer, Steps& steps) {
  const Vocabulary words = german();
  const Tensor target = on_paper();
  const Size n = target.shape()[1] - 1;
  const Forced forced = answer.force(target);
  if (!same(forced.given, slice(target, 1, 0, n)) || !same(forced.wanted, slice(target, 1, 1, n))) {
    throw Mistake("Of the target   " + row_of(words, target, 0) + "\nyour given is   " +
                      row_of(words, forced.given, 0) + "\nand your wanted " + row_of(words, forced.wanted, 0),
                  texts_bug(forced, target));
  }
  steps.passed("given \"" + row_of(words, forced.given, 0) + "\", wanted \"" + row_of(words, forced.wanted, 0) + "\"");
}

void check_mask(const ForcingAnswer& answer, Steps& steps) {
  for (const Tensor& target : {on_paper(), targets_of(german(), {42, 42, 42})}) {
    const Size n = target.shape()[1] - 1;
    const Mask mask = answer.force(target).mask;
    if (!is_causal(mask, n)) {
      throw Mistake("The mask is not the causal one of " + std::to_string(n) + " places.", mask_bug(mask, n));
    }
  }
  steps.passed("the mask: a place sees itself and what stands before it");
}

// A decoder without a source: it learns how German numbers go on.
struct Small {
  Embedding embedding;
  MultiHeadAttention attention;
  Linear output;

  Small(Size tokens, Rng& rng) : embedding(tokens, 16, rng), attention(16, 2, rng), output(16, tokens, rng) {}
  Var operator()(const Tensor& given, const Mask& mask) const {
    const Var x = add_sinusoidal_positions(embedding(given) * 4.0);
    return output(x + attention(x, mask).context);
  }
  void parameters(const Visit& visit) {
    visit("embedding", embedding);
    visit("attention", attention);
    visit("output", output);
  }
};

void check_learning(const ForcingAnswer& answer, Steps& steps) {
  const Vocabulary words = Vocabulary::of({number_words(42).german, number_words(53).german, number_words(64).german});
  const Tensor target = targets_of(words, {42, 53, 64});
  Rng rng(1);
  Small model(words.size(), rng);
  Adam adam(0.02);
  const auto loss_of = [&](const Small& small, Rng&) {
    const Forced forced = answer.force(target);
    return cross_entropy(small(forced.given, forced.mask), forced.wanted, {Vocabulary::pad, 0, {}});
  };
  for (Size i = 1; i <= 100; ++i) train_step(model, adam, loss_of, rng, {i, 1.0});

  // What it writes after "begin zwei": of the three texts one begins so.
  Ids text = {Vocabulary::begin, words.id("zwei")};
  while (text.back() != Vocabulary::end && text.size() < 6) {
    const Size n = static_cast<Size>(text.size());
    const Var scores = model(Tensor::from_ints(text, {1, n}), causal_mask(n, n));
    text.push_back(argmax(slice(scores, 1, n - 1, 1), -1).to_ints()[0]);
  }
  const std::string written = join_words(words.decode(text));
  if (written != "zwei und vierzig") {
    throw Mistake("A small decoder that learns from your texts and mask goes on after 'zwei' with: " + written,
                  "none of the usual ones: everything before was right.");
  }
  steps.passed("a small decoder learns from it, and goes on after 'zwei': " + written);
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/08_transformer/exercise_1_forcing.cpp", forcing_answers(),
                       {check_shape, check_texts, check_mask, check_learning});
}
