#include "tutorials/03_additive_attention/occlusion.hpp"

namespace attend::chapter03 {

using namespace translation;

namespace {

// A mask in which copy b of the example does not see position hidden[b]; −1 hides nothing.
Mask hiding(const std::vector<Size>& hidden, Size positions) {
  std::vector<bool> visible;
  for (Size h : hidden) {
    for (Size j = 0; j < positions; ++j) visible.push_back(j != h);
  }
  return Mask(Tensor::from_bools(visible, {static_cast<Size>(hidden.size()), 1, positions}));
}

// A position other than `not_this`.
Size another(Size not_this, Size positions, Rng& rng) {
  const Size drawn = rng.below(positions - 1);
  return drawn < not_this ? drawn : drawn + 1;
}

}  // namespace

std::vector<Occlusion> occlude(const Task& task, const RecurrentTranslator& model, const Example& example, Rng& rng) {
  const Recording off(false);
  const Size steps = static_cast<Size>(example.target.size()), positions = static_cast<Size>(example.source.size());
  const Pairs one = as_pairs(task, {example});
  constexpr std::int64_t never = -1;  // it writes on when it believes to be at the end: every step has weights
  const Written written = model.write(one.source, one.lengths, Vocabulary::begin, never, steps);
  const Tensor looked = argmax(written.weights, -1);  // [1, steps]

  // Copies of the example: the first sees all, then two for each step.
  std::vector<Occlusion> steps_found;
  std::vector<Size> hidden = {-1};
  for (Size i = 0; i < steps; ++i) {
    const Size top = static_cast<Size>(looked.at({0, i}));
    steps_found.push_back({top, 0, 0, 0});
    hidden.push_back(top);
    hidden.push_back(another(top, positions, rng));
  }
  const Pairs pairs = as_pairs(task, std::vector<Example>(hidden.size(), example));
  const Var p = softmax(model(pairs.source, pairs.lengths, pairs.given, hiding(hidden, positions)));

  const auto right = [&](Size copy, Size step) {
    return p.value().at({copy, step, static_cast<Size>(pairs.wanted.at({copy, step}))});
  };
  for (Size i = 0; i < steps; ++i) {
    Occlusion& found = steps_found[static_cast<std::size_t>(i)];
    found.with_all = right(0, i);
    found.without_it = right(1 + 2 * i, i);
    found.without_other = right(2 + 2 * i, i);
  }
  return steps_found;
}

}  // namespace attend::chapter03
