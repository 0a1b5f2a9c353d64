// The parts of chapter 16's first program.
#include <doctest/doctest.h>

#include "nn/attention/entmax.hpp"
#include "nn/attention/local.hpp"
#include "tensor/difference.hpp"
#include "tests/support/compare.hpp"
#include "tutorials/16_conditional_and_learned/marked.hpp"
#include "tutorials/16_conditional_and_learned/recall.hpp"
#include "tutorials/16_conditional_and_learned/routing.hpp"
#include "tutorials/16_conditional_and_learned/span.hpp"
#include "tutorials/16_conditional_and_learned/support.hpp"

using namespace attend;
using namespace attend::chapter16;
using namespace attend::lesson;
using namespace attend::test;

TEST_CASE("the support of a row with a gap is what the formula says, and outside of it all derivatives are 0") {
  const std::vector<Normaliser> all = normalisers(3);
  CHECK(support(weights_of(all[0].core, row_with_gap(12, 3, 5))) == 12);
  CHECK(support(weights_of(all[2].core, row_with_gap(12, 3, 0.34))) == 3);
  CHECK(support(weights_of(all[2].core, row_with_gap(12, 3, 0.33))) == 12);
  CHECK(support(weights_of(all[3].core, row_with_gap(12, 5, 1))) == 3);
  for (std::size_t i : {1, 2, 3}) CHECK(derivative_outside(all[i].core, row_with_gap(12, 3, 1.5)) == 0);
  CHECK(derivative_outside(all[0].core, row_with_gap(12, 3, 1.5)) == -1);
}

TEST_CASE("two lags: the answer is what stands near for a low symbol and far for a high one") {
  Rng rng(1);
  const SequenceBatch batch = two_lags(3, 12).draw(2, rng);
  for (Size b = 0; b < 2; ++b) {
    for (Size i = 0; i < length; ++i) {
      const Size lag = batch.input.at({b, i}) < symbols ? 3 : 12;
      const double wanted = i < 12 ? -1 : static_cast<Size>(batch.input.at({b, i - lag})) % symbols;
      CHECK(batch.answer.at({b, i}) == wanted);
    }
  }
}

TEST_CASE("the farthest key of a span: the last with a ramp above 0") {
  CHECK(farthest_key(4.5, 1) == 5);
  CHECK(farthest_key(4, 1) == 4);
  CHECK(farthest_key(0, 1) == 0);
  CHECK(farthest_key(0, 1e-3) == 0);
  CHECK(farthest_key(1.5, 2) == 3);
}

TEST_CASE("blocks cut to the span give the same scores for fewer multiplications") {
  const SequenceTask task = lagged_copy(3);
  Rng rng(2);
  const CoreTransformer model = one_layer(task, AdaptiveSpan(1, largest, 1, 4.5), 1, rng), cut = cut_to_span(model, 1);
  const Tensor ids = task.draw(2, rng).input;
  CHECK(spans_of(cut) == std::vector<double>{4.5});
  CHECK(largest_difference(model(ids).value(), cut(ids).value()) < 1e-5);
  const auto cost = [](const CoreTransformer& one) { return multiplications(one.layers[0].attention.core, 1); };
  CHECK(3 * cost(cut) < cost(model));
  Rng other(2);
  CHECK_THROWS_WITH_AS(spans_of(one_layer(task, LocalAttention(3, 0), 1, other)), "chapter 16: a model without a span",
                       std::invalid_argument);
}

TEST_CASE("before they may move, spans stay at their widest; then the penalty makes them shorter") {
  SpanPlan plan;
  plan.steps = 4;
  plan.spans_from = 3;
  std::vector<double> course;
  train_span(lagged_copy(3), plan, 1, [&](Size, double, const auto& spans) { course.push_back(spans[0]); });
  CHECK(course[1] == largest);
  CHECK(course[3] < course[2]);
  CHECK(course[2] < largest);
}

TEST_CASE("a heap: the answers are means or sums of the marked, and 0 for silent queries") {
  HeapTask task;
  task.silent = 0.5;
  Rng rng(3);
  for (const Wanted wanted : {Wanted::mean, Wanted::sum}) {
    task.wanted = wanted;
    const Heap heap = draw_heap(task, 1, 8, rng);
    double total = 0, marked = 0;
    for (Size j = 0; j < 8; ++j) {
      CHECK(heap.x.at({0, j, 0}) == heap.marked.at({0, j}));
      marked += heap.marked.at({0, j});
      total += heap.marked.at({0, j}) * heap.values.at({0, j, 0});
    }
    CHECK(marked == 3);
    for (Size i = 0; i < 8; ++i) {
      const double answer = heap.x.at({0, i, 1}) == 1 ? 0 : wanted == Wanted::sum ? total : total / 3;
      check_close(heap.answers.at({0, i, 0}), answer, 1e-6, 0);
    }
  }
}

TEST_CASE("supports are exact where only the marked have a weight") {
  Rng rng(4);
  const Heap heap = draw_heap({}, 3, 9, rng);
  Reader reader(SparsemaxAttention(), rng);
  const auto weight = [](Size first) {  // q = 1, k = 10 · feature `first`
    std::vector<double> numbers(static_cast<std::size_t>(4 * reader_width), 0.0);
    numbers[static_cast<std::size_t>(first * reader_width)] = 10;
    return Var::parameter(Tensor::from(numbers, {4, reader_width}));
  };
  reader.query.weight = Var::parameter(Tensor::zeros({4, reader_width}));
  reader.query.bias = Var::parameter(Tensor::ones({reader_width}));
  reader.key.weight = weight(0);
  CHECK(exact_supports(reader, heap) == 1);
  CHECK(error_of(reader, heap) < 1e-6);
  reader.core = SoftmaxAttention();
  CHECK(exact_supports(reader, heap) == 0);
}

TEST_CASE("with softmax everything that recall needs has a weight, with the largest score alone hardly anything") {
  const SequenceTask task = recall_task(pairs, recall_symbols);
  for (const bool soft : {true, false}) {
    Rng rng(5);
    const AttentionCore core = soft ? AttentionCore(SoftmaxAttention()) : AttentionCore(TopKAttention(1));
    const CoreTransformer model(task, [&](Rng&) { return core; }, rng, {32, 1, 2});
    const Needed needed = needed_pairs(model, task.draw(16, rng));
    CHECK((needed.first == 1) == soft);
    CHECK((needed.second == 1) == soft);
    CHECK(needed.first >= 0);
  }
}

TEST_CASE("opposites: a high symbol asks for what is 5 further round than the symbol before") {
  Rng rng(6);
  const SequenceBatch batch = opposites_task(2).draw(2, rng);
  for (Size b = 0; b < 2; ++b) {
    CHECK(batch.answer.at({b, 0}) == -1);
    for (Size i = 1; i < positions; ++i) {
      const Size before = static_cast<Size>(batch.input.at({b, i - 1})) % 10;
      CHECK(batch.answer.at({b, i}) == (batch.input.at({b, i}) < 10 ? before : (before + 5) % 10));
    }
  }
}

TEST_CASE("the use of the experts adds up to 1 for each rule, and one expert gets all") {
  Rng rng(7);
  for (const Size experts : {1, 3}) {
    const Routing routing = look_at(RoutedModel(experts, 4, rng), opposites_task(2), 1);
    for (const std::vector<double>& use : routing.use) {
      double total = 0;
      for (const double share : use) total += share;
      check_close(total, 1.0, 1e-12, 0);
      CHECK(static_cast<Size>(use.size()) == experts);
    }
  }
}
