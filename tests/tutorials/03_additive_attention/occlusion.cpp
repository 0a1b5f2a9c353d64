#include "tutorials/03_additive_attention/occlusion.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "nn/parameters.hpp"
#include "tests/support/compare.hpp"

using namespace attend;
using namespace attend::chapter03;
using namespace attend::translation;
using namespace attend::test;

namespace {

const Split names{{{"one two three four", "a b c"}, {"five six seven", "d e"}}, {{"one", "a"}}};

RecurrentTranslator exact_translator(const Task& task, std::uint64_t seed = 1) {
  Rng rng(seed);
  return cast(RecurrentTranslator({task.source.size(), task.target.size(), 4, 5}, Bridge::attention, rng),
              DType::float64);
}

// A mask that hides one position of one text.
Mask hiding(Size hidden, Size positions) {
  std::vector<bool> visible;
  for (Size j = 0; j < positions; ++j) visible.push_back(j != hidden);
  return Mask(Tensor::from_bools(visible, {1, 1, positions}));
}

// Without memory: the state at a position is made of the symbol there alone. r, z, n; z at 0 forgets what was before.
void forget(GRU& gru) {
  const Size hidden = gru.cell.hidden_size();
  gru.cell.hidden_weight = Var::parameter(Tensor::zeros({hidden, 3 * hidden}, DType::float64));
  std::vector<double> bias(static_cast<std::size_t>(3 * hidden));
  for (Size i = 0; i < hidden; ++i) bias[static_cast<std::size_t>(hidden + i)] = -60;
  gru.cell.input_bias = Var::parameter(Tensor::from(bias, {3 * hidden}, DType::float64));
}

}  // namespace

TEST_CASE("an occlusion is the probability of the right symbol with one position hidden from the attention") {
  const Task task = name_task(names);
  const RecurrentTranslator model = exact_translator(task);
  const Example& example = task.training[0];
  const Pairs pairs = as_pairs(task, {example});
  const auto right = [&](const Mask& mask, Size step) {
    const Var p = softmax(model(pairs.source, pairs.lengths, pairs.given, mask));
    return p.value().at({0, step, static_cast<Size>(pairs.wanted.at({0, step}))});
  };
  Rng rng(1);
  const std::vector<Occlusion> found = occlude(task, model, example, rng);
  CHECK(found.size() == 3);
  for (Size i = 0; i < 3; ++i) {
    const Occlusion& step = found[static_cast<std::size_t>(i)];
    check_close(step.with_all, right({}, i), 1e-13);
    check_close(step.without_it, right(hiding(step.looked_at, 4), i), 1e-13);
    Size others = 0;
    for (Size j = 0; j < 4; ++j) {
      others += j != step.looked_at && std::fabs(step.without_other - right(hiding(j, 4), i)) < 1e-13;
    }
    CHECK(others == 1);
  }
}

TEST_CASE("what is hidden is where the model looks most while it writes") {
  const Task task = name_task(names);
  const RecurrentTranslator model = exact_translator(task);
  const Example& example = task.training[1];
  const Pairs pairs = as_pairs(task, {example});
  const Tensor weights = model.write(pairs.source, pairs.lengths, Vocabulary::begin, -1, 2).weights;
  Rng rng(1);
  const std::vector<Occlusion> found = occlude(task, model, example, rng);
  for (Size i = 0; i < 2; ++i) {
    for (Size j = 0; j < 3; ++j) {
      CHECK(weights.at({0, i, j}) <= weights.at({0, i, found[static_cast<std::size_t>(i)].looked_at}));
    }
  }
}

TEST_CASE("a position that is hidden has no influence when its neighbours do not tell of it") {
  const Task task = name_task(names);
  RecurrentTranslator model = exact_translator(task);
  forget(model.forwards);
  forget(model.backwards);
  const Tensor target = Tensor::from_ints({1, 4, 5}, {1, 3});
  const Tensor text = Tensor::from_ints({4, 5, 6, 7}, {1, 4}), changed = Tensor::from_ints({4, 5, 8, 7}, {1, 4});
  check_agree(model(text, {4}, target, hiding(2, 4)), model(changed, {4}, target, hiding(2, 4)), 1e-13);
  const Var seen = model(text, {4}, target), other = model(changed, {4}, target);
  CHECK(!difference(other.value(), seen.shape(), seen.value().to_vector(), 1e-6).empty());
}
