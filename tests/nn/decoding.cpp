#include "nn/decoding.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "nn/embedding.hpp"
#include "nn/position/sinusoidal.hpp"
#include "nn/transformer.hpp"
#include "tensor/kernels.hpp"
#include "tests/nn/attention/by_hand.hpp"

using namespace attend;
using namespace attend::test;

namespace {

using Text = std::vector<std::int64_t>;

constexpr std::int64_t begin = 0, end = 1, A = 2, B = 3;

// A model by a table: for a text so far the probabilities of end, A and B; what is not listed ends.
class Table {
 public:
  explicit Table(std::map<Text, std::vector<double>> probabilities) : probabilities_(std::move(probabilities)) {}

  NextSymbol model() {
    return {
        [this](const Tensor& last) {
          std::vector<double> values;
          const std::vector<std::int64_t> symbols = last.to_ints();
          texts_.resize(symbols.size());
          for (std::size_t i = 0; i < symbols.size(); ++i) {
            if (symbols[i] != begin) texts_[i].push_back(symbols[i]);
            const auto entry = probabilities_.find(texts_[i]);
            const std::vector<double> p = entry == probabilities_.end() ? std::vector<double>{1, 0, 0} : entry->second;
            values.insert(values.end(), {-infinity, std::log(p[0]), std::log(p[1]), std::log(p[2])});
          }
          ++steps;
          return numbers(values, {last.size(), 4});
        },
        [this](const Tensor& rows) {
          std::vector<Text> kept;
          for (std::int64_t row : rows.to_ints()) kept.push_back(texts_[static_cast<std::size_t>(row)]);
          texts_ = kept;
        }};
  }

  int steps = 0;

 private:
  std::map<Text, std::vector<double>> probabilities_;
  std::vector<Text> texts_;
};

// A looks best at first, and leads to nothing likely; behind B stands a text of probability 0.4 · 0.9.
Table garden_path() {
  return Table({{{}, {0.01, 0.59, 0.4}}, {{A}, {0.4, 0.3, 0.3}}, {{B}, {0.9, 0.05, 0.05}}, {{A, A}, {0.5, 0.3, 0.2}}});
}

DecodingOptions options(Size beam, Size longest = 10) {
  DecodingOptions options;
  options.begin = begin;
  options.end = end;
  options.beam = beam;
  options.longest = longest;
  return options;
}

// A tiny translator with a cache, or without: every step from the start.
struct Translator {
  Embedding embedding;
  DecoderLayer first, second;
  Linear head;

  explicit Translator(Rng& rng)
      : embedding(5, 4, rng),
        first({4, 2, 6, 0, NormPlace::before}, rng),
        second({4, 2, 6, 0, NormPlace::after}, rng),
        head(4, 5, rng) {}
  void parameters(const Visit& visit) {
    visit("embedding", embedding);
    visit("first", first);
    visit("second", second);
    visit("head", head);
  }
};

Translator exact() {
  Rng rng(1);
  return shaken(Translator(rng), 7, 1.5);
}

const Tensor memory = random({2, 3, 4}, DType::float64, 8);

Tensor last_of(const Var& logits) { return log_softmax(select(logits, 1, logits.shape()[1] - 1)).value(); }

NextSymbol with_cache(const Translator& model, const Tensor& states) {
  struct State {
    Var memory;
    DecoderCache first, second;
  };
  const auto state = std::make_shared<State>(State{Var(states), {}, {}});
  return {[=](const Tensor& last) {
            const Var x = unsqueeze(model.embedding(last), 1);
            const Var placed = add_sinusoidal_positions(x, state->first.self.length());
            const Var y = model.first.step(placed, state->memory, state->first).context;
            return last_of(model.head(model.second.step(y, state->memory, state->second).context));
          },
          [=](const Tensor& rows) {
            state->memory = take(state->memory, 0, rows);
            state->first = state->first.taken(rows);
            state->second = state->second.taken(rows);
          }};
}

NextSymbol without_cache(const Translator& model, const Tensor& states) {
  struct State {
    Var memory;
    Tensor texts;  // [n, length]
  };
  const auto state = std::make_shared<State>(State{Var(states), {}});
  return {[=](const Tensor& last) {
            const Tensor column = unsqueeze(last, 1);
            state->texts = state->texts.defined() ? kernel::concat({state->texts, column}, 1) : column;
            const Var x = add_sinusoidal_positions(model.embedding(state->texts));
            return last_of(model.head(model.second(model.first(x, state->memory).context, state->memory).context));
          },
          [=](const Tensor& rows) {
            state->memory = take(state->memory, 0, rows);
            state->texts = kernel::take(state->texts, 0, rows);
          }};
}

void check_same(const std::vector<Decoded>& a, const std::vector<Decoded>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK((a[i].symbols == b[i].symbols));
    CHECK(a[i].ended == b[i].ended);
    check_close(a[i].log_probability, b[i].log_probability, tolerance);
  }
}

// The best of all texts of at most `longest` symbols, by trying each.
Decoded best_of_all(const Translator& model, const Tensor& states, Size longest) {
  std::vector<Decoded> open(1), ended;
  for (Size step = 0; step < longest; ++step) {
    std::vector<Decoded> next;
    for (const Decoded& text : open) {
      const NextSymbol fresh = without_cache(model, states);
      Tensor scores = fresh.log_probabilities(Tensor::from_ints({begin}, {1}));
      for (std::int64_t symbol : text.symbols) scores = fresh.log_probabilities(Tensor::from_ints({symbol}, {1}));
      for (Size symbol = 0; symbol < 5; ++symbol) {
        Decoded longer = text;
        longer.log_probability += scores.at({0, symbol});
        longer.ended = symbol == end;
        if (!longer.ended) longer.symbols.push_back(symbol);
        (longer.ended ? ended : next).push_back(longer);
      }
    }
    open = next;
  }
  ended.insert(ended.end(), open.begin(), open.end());
  return *std::max_element(ended.begin(), ended.end(),
                           [](const Decoded& a, const Decoded& b) { return a.log_probability < b.log_probability; });
}

}  // namespace

TEST_CASE("greedy decoding takes the likeliest symbol at each step") {
  Table table = garden_path();
  const Decoded found = greedy(table.model(), 1, options(1))[0];
  CHECK((found.symbols == Text{A}));
  CHECK(found.ended);
  check_close(found.log_probability, std::log(0.59 * 0.4), 1e-15);
}

TEST_CASE("a beam finds a likelier text than greedy decoding") {
  Table table = garden_path();
  const std::vector<Decoded> found = beam_search(table.model(), options(2));
  REQUIRE(found.size() == 2);
  CHECK((found[0].symbols == Text{B}));
  check_close(found[0].log_probability, std::log(0.4 * 0.9), 1e-15);
  CHECK((found[1].symbols == Text{A}));
  check_close(found[1].log_probability, std::log(0.59 * 0.4), 1e-15);
}

TEST_CASE("the search stops as soon as nothing better can come") {
  Table table({{{}, {0.5, 0.3, 0.2}}, {{A}, {0.8, 0.1, 0.1}}, {{A, A}, {0.5, 0.5, 0}}});
  const std::vector<Decoded> found = beam_search(table.model(), options(2));
  CHECK(table.steps == 2);  // "" and "A" are there, 0.5 and 0.24; what goes on, "A A …", has 0.03 left
  REQUIRE(found.size() == 2);
  CHECK(found[0].symbols.empty());
  CHECK((found[1].symbols == Text{A}));
}

TEST_CASE("the search goes on after the first end, until the beam is full of texts that ended") {
  Table table({{{}, {0.5, 0.4, 0.1}}, {{A}, {0.9, 0.1, 0}}});
  const std::vector<Decoded> found = beam_search(table.model(), options(2));
  REQUIRE(found.size() == 2);
  CHECK((found[1].symbols == Text{A}));
  CHECK(found[1].ended);
  check_close(found[1].log_probability, std::log(0.4 * 0.9), 1e-15);
}

TEST_CASE("a text that overtakes another takes its own state along") {
  Table table({{{}, {0, 0.6, 0.4}}, {{A}, {0, 0.5, 0.5}}, {{B}, {0, 0, 1}}, {{B, B}, {0, 1, 0}}});
  const std::vector<Decoded> found = beam_search(table.model(), options(2));
  REQUIRE(found.size() == 2);
  CHECK((found[0].symbols == Text{B, B, A}));
  check_close(found[0].log_probability, std::log(0.4), 1e-15);
  CHECK((found[1].symbols == Text{A, A}));
}

TEST_CASE("a beam of 1 is greedy decoding") {
  Table one = garden_path(), other = garden_path();
  check_same(beam_search(one.model(), options(1)), greedy(other.model(), 1, options(1)), 0);
  const Translator model = exact();
  for (Size b = 0; b < 2; ++b) {
    const Tensor own = slice(memory, 0, b, 1);
    check_same(beam_search(with_cache(model, own), options(1)), greedy(with_cache(model, own), 1, options(1)), 1e-12);
  }
}

TEST_CASE("a text that does not end is cut, and says so") {
  Table table({{{}, {0, 1, 0}}, {{A}, {0, 1, 0}}, {{A, A}, {0, 1, 0}}, {{A, A, A}, {0, 1, 0}}});
  const Decoded cut = greedy(table.model(), 1, options(1, 3))[0];
  CHECK((cut.symbols == Text{A, A, A}));
  CHECK_FALSE(cut.ended);
  Table again({{{}, {0, 1, 0}}, {{A}, {0, 1, 0}}, {{A, A}, {0, 1, 0}}});
  const std::vector<Decoded> found = beam_search(again.model(), options(1, 2));
  REQUIRE(found.size() == 1);
  CHECK((found[0].symbols == Text{A, A}));
  CHECK_FALSE(found[0].ended);
}

TEST_CASE("a length penalty prefers a longer text of the same probability") {
  const std::map<Text, std::vector<double>> twins = {{{}, {0.5, 0.5, 0}}, {{A}, {0, 0, 1}}, {{A, B}, {0.9, 0.1, 0}}};
  Table plain(twins), penalised(twins);
  CHECK(beam_search(plain.model(), options(2))[0].symbols.empty());
  DecodingOptions by_length = options(2);
  by_length.length_penalty = 1;
  const std::vector<Decoded> found = beam_search(penalised.model(), by_length);
  CHECK((found[0].symbols == Text{A, B}));
  check_close(found[0].log_probability, std::log(0.45), 1e-15);
}

TEST_CASE("decoding with the cache gives what decoding from the start at every step gives, to 1e-12") {
  const Translator model = exact();
  check_same(greedy(with_cache(model, memory), 2, options(1)), greedy(without_cache(model, memory), 2, options(1)),
             1e-12);
  for (Size beam : {2, 3, 5}) {
    for (Size b = 0; b < 2; ++b) {
      const Tensor own = slice(memory, 0, b, 1);
      check_same(beam_search(with_cache(model, own), options(beam, 6)),
                 beam_search(without_cache(model, own), options(beam, 6)), 1e-12);
    }
  }
}

TEST_CASE("greedy decoding of several texts at once is each alone") {
  const Translator model = exact();
  const std::vector<Decoded> both = greedy(with_cache(model, memory), 2, options(1));
  for (Size b = 0; b < 2; ++b) {
    check_same({both[static_cast<std::size_t>(b)]}, greedy(with_cache(model, slice(memory, 0, b, 1)), 1, options(1)),
               1e-12);
  }
}

TEST_CASE("a text that has ended waits for the others of its batch, and stays as it is") {
  // begin, end and A at each step of both texts. The first ends at once and would go on; the second says A, A, A.
  const std::vector<std::vector<double>> steps = {
      {-9, -1, -9, -9, -9, -1}, {-9, -9, -1, -9, -9, -1}, {-9, -9, -1, -9, -9, -1}, {-9, -9, -1, -9, -1, -9}};
  std::size_t step = 0;
  const NextSymbol model = {[&](const Tensor&) { return numbers(steps.at(step++), {2, 3}); }};
  const std::vector<Decoded> found = greedy(model, 2, options(1));
  CHECK(found[0].symbols.empty());
  CHECK(found[0].log_probability == -1);
  CHECK((found[1].symbols == Text{A, A, A}));
  CHECK(found[1].log_probability == -4);
  CHECK(found[1].ended);
}

TEST_CASE("a beam as wide as there are texts finds the best of all") {
  const Translator model = exact();
  for (Size b = 0; b < 2; ++b) {
    const Tensor own = slice(memory, 0, b, 1);
    const Decoded best = best_of_all(model, own, 3), found = beam_search(with_cache(model, own), options(125, 3))[0];
    CHECK((found.symbols == best.symbols));
    check_close(found.log_probability, best.log_probability, 1e-12);
  }
}

TEST_CASE("options that make no text, and models that answer in another shape, are refused with the numbers") {
  Table table = garden_path();
  check_throws_with([&] { greedy(table.model(), 0, options(1)); }, {"greedy: ", "0 texts"});
  check_throws_with([&] { greedy(table.model(), 1, options(1, 0)); }, {"greedy: ", "at most 0"});
  check_throws_with([&] { beam_search(table.model(), options(0)); }, {"beam_search: ", "0 texts"});
  DecodingOptions negative = options(1);
  negative.length_penalty = -1;
  check_throws_with([&] { beam_search(table.model(), negative); }, {"beam_search: ", "-1"});
  const NextSymbol flat = {[](const Tensor&) { return Tensor::zeros({4}); }};
  check_throws_with([&] { greedy(flat, 1, options(1)); }, {"decoding: ", "[4]", "1 texts"});
  check_throws_with([&] { beam_search(flat, options(1)); }, {"decoding: ", "[4]"});
}

TEST_CASE("a model whose scores are NaN is refused by both searches, wherever the NaN stands") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& row : {std::vector<double>{nan, -1, -2}, {-1, nan, -2}, {-1, -2, nan}}) {
    const NextSymbol model = {[&](const Tensor&) { return Tensor::from(row, {1, 3}); }};
    check_throws_with([&] { greedy(model, 1, options(1)); }, {"decoding: ", "NaN", "[1, 3]"});
    check_throws_with([&] { beam_search(model, options(2)); }, {"decoding: ", "NaN", "[1, 3]"});
  }
}

TEST_CASE("beam search refuses scores above 0, with which it would stop too early") {
  const NextSymbol model = {[](const Tensor& last) {
    std::vector<double> scores;
    for (Size i = 0; i < last.size(); ++i) scores.insert(scores.end(), {-9, 1, 0.1});
    return Tensor::from(scores, {last.size(), 3});
  }};
  check_throws_with([&] { beam_search(model, options(2)); }, {"beam_search: ", "1.0", "[1, 3]"});
  CHECK(greedy(model, 1, options(1))[0].ended);
}

TEST_CASE("a model that cannot be asked is refused") {
  check_throws_with([] { greedy({}, 1, options(1)); }, {"greedy: ", "log_probabilities"});
  check_throws_with([] { beam_search({}, options(1)); }, {"beam_search: ", "log_probabilities"});
}
