// The model of chapter 07, its task, and its training.
#include <doctest/doctest.h>

#include <algorithm>

#include "nn/optimizer.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tutorials/07_positions/learning.hpp"
#include "tutorials/07_positions/repeating.hpp"

using namespace attend;
using namespace attend::chapter07;
using namespace attend::test;

namespace {

constexpr Size T = 7;
const ReaderSize small{symbols, 8, 2, 12, 2, 9, 3, 8};
const std::vector<Scheme> schemes = {Scheme::none,     Scheme::sinusoidal, Scheme::learned, Scheme::rotary,
                                     Scheme::relative, Scheme::buckets,    Scheme::alibi};

Reader reader_of(Scheme scheme, Fault fault = Fault::none) {
  Rng rng(1);
  return cast(Reader(small, scheme, fault, rng), DType::float64);
}

Tensor texts(std::uint64_t seed = 2) {
  Rng rng(seed);
  return random_texts(2, T, rng);
}

}  // namespace

TEST_CASE("the answer at a position is the token three before it, and the first three have none") {
  const Tensor answers = answers_to(Tensor::from_ints({5, 6, 7, 8, 9, 0, 1, 2, 3, 4}, {2, 5}));
  CHECK(answers.shape() == Shape{2, 5});
  CHECK(answers.to_ints() == std::vector<std::int64_t>{-1, -1, -1, 5, 6, -1, -1, -1, 0, 1});
}

TEST_CASE("a text shorter than that has no answers") {
  CHECK(answers_to(Tensor::from_ints({5, 6}, {1, 2})).to_ints() == std::vector<std::int64_t>{-1, -1});
}

TEST_CASE("texts hold all ten symbols and no other") {
  Rng rng(3);
  const std::vector<std::int64_t> ids = random_texts(20, 30, rng).to_ints();
  CHECK(*std::min_element(ids.begin(), ids.end()) == 0);
  CHECK(*std::max_element(ids.begin(), ids.end()) == symbols - 1);
}

TEST_CASE("with every scheme a position sees nothing of what comes after it") {
  std::vector<std::int64_t> ids = texts().to_ints();
  ids[T - 1] = (ids[T - 1] + 1) % symbols;  // the last token of the first text
  const Tensor other = Tensor::from_ints(ids, {2, T});
  for (Scheme scheme : schemes) {
    CAPTURE(chapter07::name_of(scheme));
    const Reader reader = reader_of(scheme);
    const Var before = slice(reader(texts()), 1, 0, T - 1), after = slice(reader(other), 1, 0, T - 1);
    check_agree(before, after, 1e-14);
    CHECK_FALSE(same_bits(reader(texts()), reader(other)));
  }
}

TEST_CASE("where a text begins matters to schemes that add positions to tokens, and to no other") {
  for (Scheme scheme : schemes) {
    CAPTURE(chapter07::name_of(scheme));
    const Reader reader = reader_of(scheme);
    const bool adds = scheme == Scheme::sinusoidal || scheme == Scheme::learned;
    CHECK(same_bits(reader(texts()), reader(texts(), 2)) != adds);
  }
}

TEST_CASE("a learned table ends where it ends") {
  const Reader reader = reader_of(Scheme::learned);
  check_throws_with([&] { reader(texts(), 3); }, {"learned positions", "[2, 7, 8]", "[9, 8]"});
}

TEST_CASE("positions added last reach no attention: the blocks' part is that of no positions at all") {
  Reader with = reader_of(Scheme::sinusoidal, Fault::positions_last), without = reader_of(Scheme::none);
  // Random order of the first tokens: the last position cannot tell them apart, in one layer.
  with.blocks.pop_back(), without.blocks.pop_back();
  const Tensor order = Tensor::from_ints({2, 0, 1, 4, 3, 5, 6}, {T});
  const Tensor turned = take(Var(texts()), 1, order).value();
  const auto last_of = [](const Reader& reader, const Tensor& ids) { return slice(reader(ids), 1, T - 1, 1); };
  check_agree(last_of(without, texts()), last_of(without, turned), 1e-13);
  check_agree(last_of(with, texts()), last_of(with, turned), 1e-13);
  Reader right = reader_of(Scheme::sinusoidal);
  right.blocks.pop_back();
  CHECK_FALSE(difference(last_of(right, texts()).value(), {2, 1, symbols}, last_of(right, turned).value().to_vector(),
                         1e-6) == "");
}

TEST_CASE("looked up the wrong way round, T5's buckets say nothing of keys that stand before") {
  Rng rng(4);
  const PositionedAttention layer =
      cast(PositionedAttention(small, Scheme::buckets, Fault::mirrored_distance, rng), DType::float64);
  const Tensor x = random({2, T, 8});
  const Mask causal = causal_mask(T, T);
  check_agree(layer(x, causal).context, (*layer.heads)(x, causal).context, 1e-14);
}

TEST_CASE("every parameter of a reader has a gradient") {
  for (Scheme scheme : schemes) {
    CAPTURE(chapter07::name_of(scheme));
    const Reader reader = reader_of(scheme);
    const Vars gradients = grad(sum(exp(reader(texts()))), parameters(reader));
    CHECK(gradients.size() == parameters(reader).size());
    for (const Var& gradient : gradients) CHECK(norm_of({gradient}) > 0);
  }
}

TEST_CASE("the same seed trains the same reader, another seed another") {
  const Trial trial{Scheme::learned, Start::anywhere};
  Rng rng(5);
  const Tensor ids = random_texts(2, 24, rng);
  const Var first = trained(trial, 1, 3)(ids);
  CHECK(same_bits(first, trained(trial, 1, 3)(ids)));
  CHECK_FALSE(same_bits(first, trained(trial, 2, 3)(ids)));
}

TEST_CASE("a reader that knows distances learns the task, and answers longer texts too") {
  const Reader reader = trained({Scheme::relative}, 1, 100);
  const std::vector<double> right = right_by_position(reader, 40, 10);
  CHECK(right.size() == 40);
  CHECK(mean_of(right, 0, back) == 0);
  CHECK(accuracy(right) > 0.9);
}

TEST_CASE("accuracy leaves out the positions that have no answer") {
  CHECK(accuracy({0, 0, 0, 1, 0.5}) == 0.75);
  CHECK(mean_of({0, 0, 0, 1, 0.5}, 3, 4) == 1);
}

TEST_CASE("trials and schemes have names of their own") {
  std::vector<std::string> names;
  for (const Trial& trial : all_trials()) names.push_back(chapter07::name_of(trial));
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  CHECK(std::find(names.begin(), names.end(), "sinusoidal, shifted") != names.end());
}
