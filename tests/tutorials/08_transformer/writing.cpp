#include "tutorials/08_transformer/writing.hpp"

#include <doctest/doctest.h>

#include "tests/support/compare.hpp"

using namespace attend;
using namespace attend::chapter08;
using namespace attend::test;
using attend::translation::Vocabulary;

namespace {

Transformer exact_model() {
  Rng rng(4);
  return cast(Transformer({9, 8, 1, 2, {6, 2, 7, 0, NormPlace::before}}, rng), DType::float64);
}

const Tensor source = Tensor::from_ints({4, 5, 6, 7, 8, 8, 4, 0, 0, 0, 5, 5, 6, 0, 0}, {3, 5});
const std::vector<Size> lengths = {5, 2, 3};
const DecodingOptions options{Vocabulary::begin, Vocabulary::end, 9};

Tensor ids(const std::vector<std::int64_t>& values) {
  return Tensor::from_ints(values, {static_cast<Size>(values.size())});
}

}  // namespace

TEST_CASE("with the cache and without, step by step, the same probabilities, also of rows that are kept") {
  const Transformer model = exact_model();
  const NextSymbol with = with_cache(model, source, lengths), without = without_cache(model, source, lengths);
  const auto both = [&](const Tensor& last) {
    const Tensor found = with.log_probabilities(last);
    check_agree(Var(found), Var(without.log_probabilities(last)), 1e-12);
    return found;
  };
  CHECK(both(ids({1, 1, 1})).shape() == Shape{3, 8});
  both(ids({4, 5, 6}));
  for (const NextSymbol* way : {&with, &without}) way->keep(ids({2, 0}));
  CHECK(both(ids({7, 4})).shape() == Shape{2, 8});
  both(ids({5, 5}));
}

TEST_CASE("a row that is kept is the text it has been") {
  const Transformer model = exact_model();
  const NextSymbol all = with_cache(model, source, lengths), kept = with_cache(model, source, lengths);
  for (const NextSymbol* way : {&all, &kept}) way->log_probabilities(ids({1, 1, 1}));
  kept.keep(ids({1, 1, 0}));
  // Rows 1, 1 and 0 go on with other words than before; the text of row 0 goes on with the same in both.
  const Var found(kept.log_probabilities(ids({5, 6, 4}))), expected(all.log_probabilities(ids({4, 5, 6})));
  check_agree(slice(found, 0, 0, 1), slice(expected, 0, 1, 1), 1e-12);
  check_agree(slice(found, 0, 2, 1), slice(expected, 0, 0, 1), 1e-12);
}

TEST_CASE("what it writes for a text does not depend on the texts beside it, nor on how it is decoded") {
  const Transformer model = exact_model();
  const auto together = greedy(with_cache(model, source, lengths), 3, options);
  const auto no_cache = greedy(without_cache(model, source, lengths), 3, options);
  for (Size b = 0; b < 3; ++b) {
    const Tensor one = slice(slice(source, 0, b, 1), 1, 0, lengths[static_cast<std::size_t>(b)]);
    const std::vector<Size> length = {lengths[static_cast<std::size_t>(b)]};
    const auto alone = greedy(with_cache(model, one, length), 1, options);
    CHECK(alone[0].symbols == together[static_cast<std::size_t>(b)].symbols);
    CHECK(no_cache[static_cast<std::size_t>(b)].symbols == together[static_cast<std::size_t>(b)].symbols);
    DecodingOptions narrow = options;
    narrow.beam = 1;
    CHECK(beam_search(with_cache(model, one, length), narrow)[0].symbols == alone[0].symbols);
  }
}

TEST_CASE("a beam that reorders its texts finds the same with the cache and without") {
  const Transformer model = exact_model();
  const Tensor one = slice(source, 0, 0, 1);
  DecodingOptions wide = options;
  wide.beam = 5;
  const auto with = beam_search(with_cache(model, one, {5}), wide),
             without = beam_search(without_cache(model, one, {5}), wide);
  REQUIRE(with.size() == without.size());
  for (std::size_t i = 0; i < with.size(); ++i) CHECK(with[i].symbols == without[i].symbols);
}

TEST_CASE("writing gives the weights of every step, and each row of them sums to 1 over the words that are there") {
  const Transformer model = exact_model();
  const translation::Written written = model.write(source, lengths, Vocabulary::begin, Vocabulary::end, 4);
  CHECK(written.ids.size() == 3);
  CHECK(written.weights.shape()[0] == 3);
  CHECK(written.weights.shape()[2] == 5);
  const Var sums = sum(Var(written.weights), {-1});
  check_agree(sums, Var(Tensor::ones(sums.shape(), DType::float64)), 1e-12);
  const Var behind = slice(slice(Var(written.weights), 0, 1, 1), 2, 2, 3);
  CHECK(sum(abs(behind)).item() == 0);
}
