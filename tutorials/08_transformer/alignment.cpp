#include "tutorials/08_transformer/alignment.hpp"

#include <algorithm>
#include <stdexcept>

#include "tutorials/lesson/size.hpp"

namespace attend::chapter08 {

using namespace translation;

namespace {

constexpr Size at_once = 500;  // numbers in one batch

std::vector<Tensor> looks_of_batch(const Task& task, const Transformer& model, const std::vector<Size>& numbers) {
  const Recording off(false);
  const std::vector<Example> examples = examples_of(numbers);
  const Pairs pairs = as_pairs(task, examples);
  const Var weights = model.follow(pairs.given, model.read(pairs.source, pairs.lengths)).weights;
  std::vector<Tensor> found;
  for (std::size_t b = 0; b < examples.size(); ++b) {
    const Var one = select(weights, 0, static_cast<Size>(b));                 // [heads, Ty, Tx]
    const Var steps = slice(one, 1, 0, lesson::size_of(examples[b].target));  // [heads, words, Tx]
    found.push_back(contiguous(slice(steps, 2, 0, lesson::size_of(examples[b].source)).value()));
  }
  return found;
}

Agreement& of_kind(Agreements& agreements, const std::string& german) {
  const auto ends_with = [&](const std::string& end) {
    return german.size() >= end.size() && german.compare(german.size() - end.size(), end.size(), end) == 0;
  };
  if (german == "hundert") return agreements.hundred;
  if (german == "tausend") return agreements.thousand;
  return ends_with("zig") || ends_with("ßig") ? agreements.tens : agreements.small;
}

// One number: `looked` is the place at which each German word looks most.
void count(const NumberWords& words, const std::vector<std::int64_t>& looked, Agreements& found) {
  for (std::size_t t = 0; t < words.german.size(); ++t) {
    const Size gold = words.alignment[t];
    if (gold == NumberWords::none) {  // "zwei und vierzig"
      ++found.und;
      found.und_at_digit += looked[t] == words.alignment[t - 1];
      found.und_at_tens += looked[t] == words.alignment[t + 1];
      continue;
    }
    Agreement& kind = of_kind(found, words.german[t]);
    ++kind.words;
    kind.agreeing += looked[t] == gold;
    found.thousand_behind += words.german[t] == "tausend" && looked[t] > gold;
  }
}

}  // namespace

std::vector<Tensor> looks(const Task& task, const Transformer& model, const std::vector<Size>& numbers) {
  std::vector<Tensor> all;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const auto next = at + std::min<std::ptrdiff_t>(at_once, numbers.end() - at);
    for (Tensor& weights : looks_of_batch(task, model, {at, next})) all.push_back(std::move(weights));
    at = next;
  }
  return all;
}

Agreement Agreements::all() const {
  Agreement sum;
  for (const Agreement& part : {small, tens, hundred, thousand}) {
    sum.agreeing += part.agreeing;
    sum.words += part.words;
  }
  return sum;
}

std::vector<Agreements> agreements(const std::vector<Tensor>& looks, const std::vector<Size>& numbers) {
  if (looks.empty() || looks.size() != numbers.size()) {
    throw std::invalid_argument("agreements: " + std::to_string(looks.size()) + " looks at " +
                                std::to_string(numbers.size()) + " numbers");
  }
  const Size heads = looks[0].shape()[0];
  std::vector<Agreements> found(static_cast<std::size_t>(heads) + 1);
  for (std::size_t b = 0; b < numbers.size(); ++b) {
    const NumberWords words = number_words(numbers[b]);
    const Var weights(looks[b]);
    const Tensor looked = argmax(concat({weights, mean(weights, {0}, true)}, 0), -1);  // [heads + 1, words]
    for (Size head = 0; head <= heads; ++head) {
      count(words, select(Var(looked), 0, head).value().to_ints(), found[static_cast<std::size_t>(head)]);
    }
  }
  return found;
}

std::size_t best_head(const std::vector<Agreements>& heads_and_mean) {
  const auto worse = [](const Agreements& a, const Agreements& b) { return a.all().share() < b.all().share(); };
  const auto best = std::max_element(heads_and_mean.begin(), heads_and_mean.end() - 1, worse);
  return static_cast<std::size_t>(best - heads_and_mean.begin());
}

}  // namespace attend::chapter08
