#include "nn/attention/self_attention.hpp"

#include <doctest/doctest.h>

#include "tests/nn/attention/by_hand.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size B = 2, T = 4, size = 3;
const Tensor x = random({B, T, size}, DType::float64, 2);

SelfAttention exact() {
  Rng rng(1);
  return shaken(SelfAttention(size, rng));
}

}  // namespace

TEST_CASE("self-attention agrees with plain loops, under every kind of mask") {
  const SelfAttention layer = exact();
  for (const MaskMode& mode : mask_modes(T, T)) {
    INFO(mode.name);
    const Tensor there = without_invisible(x, mode.allowed);
    const ByHand expected =
        attend_by_hand(project_by_hand(layer.queries, there, 0, size), project_by_hand(layer.keys, there, 0, size),
                       project_by_hand(layer.values, there, 0, size), 1 / std::sqrt(3.0), mode.allowed);
    const Attended found = layer(Var(x), mode.mask);
    check_agree(found.weights, expected.weights, 1e-14);
    check_agree(found.context, project_by_hand(layer.output, expected.context, 0, size), 1e-14);
  }
}

TEST_CASE("self-attention of permuted positions is permuted, for it has no notion of order") {
  const SelfAttention layer = exact();
  const Tensor order = Tensor::from_ints({2, 0, 3, 1}, {T});
  const Attended before = layer(Var(x)), after = layer(take(Var(x), 1, order));
  check_agree(after.context, take(before.context, 1, order), 1e-14);
  check_agree(after.weights, take(take(before.weights, 1, order), 2, order), 1e-14);
}

TEST_CASE("under a causal mask the derivative with respect to later positions is exactly 0") {
  const SelfAttention layer = exact();
  const Var in = Var::parameter(x);
  const Var y = layer(in, causal_mask(T, T)).context;
  for (Size i = 0; i < T; ++i) {
    const Var g = random_gradients(select(y, 1, i), {in})[0];
    for (Size j = 0; j < T; ++j) {
      const double influence = sum(abs(select(g, 1, j))).item();
      if (j <= i) CHECK(influence > 1e-3);
      if (j > i) CHECK(influence == 0);
    }
  }
}

TEST_CASE("what stands in the padding, NaN included, reaches neither results nor derivatives") {
  const SelfAttention layer = exact();
  const std::vector<Size> lengths = {4, 2};
  check_padding_unseen([&](double filler) {
    Vars leaves = parameters(layer);
    leaves.push_back(Var::parameter(padded(x, lengths, filler)));
    const Attended found = layer(leaves.back(), padding_mask(lengths, T));
    Vars result = random_gradients(everything(found.context, found.weights), leaves);
    result.push_back(found.context);
    return result;
  });
}

TEST_CASE("self-attention names what it learns: three projections without bias and one with") {
  std::string names;
  for (const auto& [name, parameter] : named_parameters(exact())) names += name + text(parameter.shape()) + " ";
  CHECK(names == "queries.weight[3, 3] keys.weight[3, 3] values.weight[3, 3] output.weight[3, 3] output.bias[3] ");
}

TEST_CASE("self-attention refuses an input of another width, and a mask of another size") {
  check_throws_with([] { exact()(Var(random({B, T, 4}))); }, {"linear: ", "[2, 4, 4]", "[3, 3]"});
  check_throws_with([] { exact()(Var(x), causal_mask(T, 3)); }, {"mask: ", "[1, 1, 4, 3]", "[2, 4, 3]"});
}
