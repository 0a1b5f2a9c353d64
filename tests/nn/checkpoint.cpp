// Layers inside a checkpoint: bit for bit what they are outside.
#include "autograd/checkpoint.hpp"

#include <doctest/doctest.h>

#include "autograd/grad.hpp"
#include "nn/attention/multi_head.hpp"
#include "nn/attention/squeeze_excitation.hpp"
#include "nn/dropout.hpp"
#include "nn/norm.hpp"
#include "nn/parameters.hpp"
#include "nn/transformer.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

Vars with_input(const Var& x, const Vars& learned) {
  Vars all = {x};
  all.insert(all.end(), learned.begin(), learned.end());
  return all;
}

/// The layer as a checkpoint gives the same numbers, the same gradients of input and parameters, and leaves the random
/// stream where it does without.
template <class Layer, class F>
void check_same_inside(Layer layer, const Shape& shape, const F& f) {
  const Var x = Var::parameter(random(shape, DType::float32, 3));
  const Vars all = with_input(x, parameters(layer));
  const auto run = [&](const Vars& xs, Rng* rng) { return f(layer, xs[0], rng); };
  Rng outside(5), inside(5);
  const Var y = run({x}, &outside), z = checkpoint(run, {x}, &inside);
  CHECK((z.value().to_vector() == y.value().to_vector()));
  CHECK(outside == inside);
  const Var gy(random(y.shape(), DType::float32, 4));
  const Vars expected = grad(y, all, gy), found = grad(z, all, gy);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    CHECK((found[i].value().to_vector() == expected[i].value().to_vector()));
  }
}

}  // namespace

TEST_CASE("multi-head attention with dropout is the same inside a checkpoint") {
  Rng rng(1);
  MultiHeadOptions options;
  options.dropout = 0.3;
  check_same_inside(
      MultiHeadAttention(6, 3, rng, options), {2, 4, 6},
      [](const MultiHeadAttention& layer, const Var& x, Rng* own) { return layer(x, causal_mask(4, 4), own).context; });
}

TEST_CASE("squeeze-and-excitation is the same inside a checkpoint") {
  Rng rng(1);
  check_same_inside(SqueezeExcitation(8, 4, rng), {2, 8, 3, 5},
                    [](const SqueezeExcitation& layer, const Var& x, Rng*) { return layer(x); });
}

TEST_CASE("a transformer layer with dropout is the same inside a checkpoint") {
  Rng rng(1);
  for (NormPlace place : {NormPlace::before, NormPlace::after}) {
    check_same_inside(EncoderLayer({6, 2, 9, 0.3, place}, rng), {2, 4, 6},
                      [](const EncoderLayer& layer, const Var& x, Rng* own) { return layer(x, {}, own); });
  }
}

TEST_CASE("the running statistics of a batch norm move once, though a checkpoint runs it twice") {
  BatchNorm plain(3), inside(3);
  const Var x = Var::parameter(random({4, 3, 2}, DType::float32, 1));
  plain(x, Mode::training);
  grad(sum(checkpoint([&inside](const Vars& xs) { return inside(xs[0], Mode::training); }, {x})), {x});
  CHECK((inside.running_mean.to_vector() == plain.running_mean.to_vector()));
  CHECK((inside.running_variance.to_vector() == plain.running_variance.to_vector()));
}
