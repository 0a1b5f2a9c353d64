#include "tutorials/lesson/translation/recurrent_translator.hpp"

#include <doctest/doctest.h>

#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::translation;
using namespace attend::test;

namespace {

constexpr TranslatorSize small{7, 6, 3, 4};
constexpr std::int64_t begin_id = 1, end_id = 2;
const std::vector<Bridge> bridges = {Bridge::attention, Bridge::summary, Bridge::no_softmax, Bridge::no_query};

RecurrentTranslator exact_translator(Bridge bridge, std::uint64_t seed = 1) {
  Rng rng(seed);
  return cast(RecurrentTranslator(small, bridge, rng), DType::float64);
}

const Tensor long_text = Tensor::from_ints({4, 5, 6, 4, 3}, {1, 5}), short_text = Tensor::from_ints({6, 5, 4}, {1, 3});
const Tensor both_texts = Tensor::from_ints({4, 5, 6, 4, 3, 6, 5, 4, 0, 0}, {2, 5});
const Tensor begun = Tensor::from_ints({1, 4, 5, 3}, {1, 4}),
             both_begun = Tensor::from_ints({1, 3, 3, 5, 1, 4, 5, 3}, {2, 4});

}  // namespace

TEST_CASE("what is written after a text does not depend on the other texts of its batch") {
  for (Bridge bridge : bridges) {
    CAPTURE(static_cast<int>(bridge));
    const RecurrentTranslator model = exact_translator(bridge);
    const Var together = model(both_texts, {5, 3}, both_begun);
    CHECK(together.shape() == Shape{2, 4, 6});
    check_agree(slice(together, 0, 1, 1), model(short_text, {3}, begun), 1e-13);
  }
}

TEST_CASE("what stands behind the end of a text has no part in anything") {
  const Tensor other_padding = Tensor::from_ints({4, 5, 6, 4, 3, 6, 5, 4, 5, 6}, {2, 5});
  for (Bridge bridge : bridges) {
    CAPTURE(static_cast<int>(bridge));
    const RecurrentTranslator model = exact_translator(bridge);
    CHECK(same_bits(model(both_texts, {5, 3}, both_begun), model(other_padding, {5, 3}, both_begun)));
  }
}

TEST_CASE("a step knows what was written before it, and nothing of what comes after") {
  const Tensor changed_last = Tensor::from_ints({1, 4, 5, 4}, {1, 4}),
               changed_first = Tensor::from_ints({1, 3, 5, 3}, {1, 4});
  for (Bridge bridge : bridges) {
    CAPTURE(static_cast<int>(bridge));
    const RecurrentTranslator model = exact_translator(bridge);
    const Var scores = model(long_text, {5}, begun);
    const auto steps = [](const Var& x, Size from, Size count) { return slice(x, 1, from, count); };
    CHECK(same_bits(steps(scores, 0, 3), steps(model(long_text, {5}, changed_last), 0, 3)));
    CHECK(!same_bits(steps(scores, 3, 1), steps(model(long_text, {5}, changed_last), 3, 1)));
    CHECK(!same_bits(steps(scores, 3, 1), steps(model(long_text, {5}, changed_first), 3, 1)));
  }
}

TEST_CASE("writing is feeding back the likeliest symbol, alone as in a batch") {
  for (Bridge bridge : bridges) {
    CAPTURE(static_cast<int>(bridge));
    const RecurrentTranslator model = exact_translator(bridge, 3);
    const Written together = model.write(both_texts, {5, 3}, begin_id, end_id, 6);
    const Written alone = model.write(short_text, {3}, begin_id, end_id, 6);
    CHECK(together.ids[1] == alone.ids[0]);

    // The model, fed with what was written, finds each symbol the likeliest.
    std::vector<std::int64_t> fed = alone.ids[0];
    fed.insert(fed.begin(), begin_id);
    const Size steps = static_cast<Size>(fed.size());
    const std::vector<std::int64_t> likeliest =
        argmax(model(short_text, {3}, Tensor::from_ints(fed, {1, steps})), -1).to_ints();
    for (std::size_t i = 0; i < alone.ids[0].size(); ++i) CHECK(likeliest[i] == alone.ids[0][i]);
    if (alone.ids[0].size() < 6) CHECK(likeliest.back() == end_id);
  }
}

TEST_CASE(
    "writing shows where it looked: a whole for every step, nothing on padding, and undefined without attention") {
  CHECK(!exact_translator(Bridge::summary).write(both_texts, {5, 3}, begin_id, -1, 4).weights.defined());
  const Tensor weights = exact_translator(Bridge::attention).write(both_texts, {5, 3}, begin_id, -1, 4).weights;
  CHECK(weights.shape() == Shape{2, 4, 5});
  check_close(sum(Var(weights), {-1}), {2, 4}, std::vector<double>(8, 1.0), 1e-13);
  check_close(slice(slice(weights, 0, 1, 1), 2, 3, 2), {1, 4, 2}, std::vector<double>(8, 0.0), 0);
}

TEST_CASE("without a query every step looks at the same place, without softmax the weights make no whole") {
  const Tensor same = exact_translator(Bridge::no_query).write(long_text, {5}, begin_id, -1, 4).weights;
  check_agree(slice(same, 1, 0, 3), slice(same, 1, 1, 3), 1e-15);
  const Tensor own = exact_translator(Bridge::attention).write(long_text, {5}, begin_id, -1, 4).weights;
  CHECK(!difference(slice(own, 1, 0, 3), {1, 3, 5}, slice(own, 1, 1, 3).to_vector(), 1e-6).empty());

  const Var raw = exact_translator(Bridge::no_softmax).write(both_texts, {5, 3}, begin_id, -1, 4).weights;
  CHECK(!difference(sum(raw, {-1}).value(), {2, 4}, std::vector<double>(8, 1.0), 0.01).empty());
  check_close(slice(slice(raw, 0, 1, 1), 2, 3, 2), {1, 4, 2}, std::vector<double>(8, 0.0), 0);
}

TEST_CASE("padding that is visible is looked at, and a text depends on those beside it") {
  const RecurrentTranslator model = exact_translator(Bridge::visible_padding);
  const Tensor weights = model.write(both_texts, {5, 3}, begin_id, -1, 4).weights;
  const Tensor of_short = slice(weights, 0, 1, 1);
  CHECK(!difference(slice(of_short, 2, 3, 2), {1, 4, 2}, std::vector<double>(8, 0.0), 1e-3).empty());
}

TEST_CASE("a text of one symbol is all that can be looked at") {
  const Tensor text = Tensor::from_ints({5}, {1, 1});
  const Tensor weights = exact_translator(Bridge::attention).write(text, {1}, begin_id, -1, 3).weights;
  check_close(weights, {1, 3, 1}, {1, 1, 1}, 0);
}
