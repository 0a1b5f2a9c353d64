#include "nn/attention/head_forms.hpp"

#include <doctest/doctest.h>

#include "nn/attention/self_attention.hpp"
#include "tests/nn/attention/by_hand.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size B = 2, T = 5, H = 3, d = 4, size = H * d;
const Tensor x = random({B, T, size}, DType::float64, 2);

MultiHeadAttention exact() {
  Rng rng(1);
  return shaken(MultiHeadAttention(size, H, rng), 7, 0.3);
}

SharedHeadAttention shared(Size heads = H) {
  Rng rng(1);
  return shaken(SharedHeadAttention(size, heads, rng), 7, 0.5);
}

// Every mask for all heads, and one in which they differ.
std::vector<MaskMode> modes() {
  std::vector<MaskMode> modes = mask_modes(T, T);
  std::vector<bool> flags;
  for (Size h = 0; h < H; ++h) {
    for (Size j = 0; j < T; ++j) flags.push_back(j >= h);
  }
  modes.push_back({"per head", Mask(Tensor::from_bools(flags, {1, H, 1, T})), {}});
  return modes;
}

// I ⊗ w: the small matrix once for each head, on the diagonal.
Var on_diagonal(const Linear& small) {
  std::vector<double> values(size * size, 0);
  for (Size h = 0; h < H; ++h) {
    for (Size i = 0; i < d; ++i) {
      for (Size j = 0; j < d; ++j) {
        values[static_cast<std::size_t>((h * d + i) * size + h * d + j)] = small.weight.value().at({i, j});
      }
    }
  }
  return Var(numbers(values, {size, size}));
}

}  // namespace

TEST_CASE("the heads in a loop, and by einsum, give what all of them at once give, to 1e-12") {
  const MultiHeadAttention layer = exact();
  for (const MaskMode& mode : modes()) {
    INFO(mode.name);
    const Attended once = layer(Var(x), mode.mask);
    for (const auto form : {attend_in_a_loop, attend_by_einsum}) {
      const Attended found = form(layer, Var(x), mode.mask);
      check_agree(found.context, once.context, 1e-12);
      check_agree(found.weights, once.weights, 1e-12);
    }
  }
  MultiHeadOptions grouped;
  grouped.kv_heads = 1;
  Rng rng(4);
  const MultiHeadAttention narrow = cast(MultiHeadAttention(size, H, rng, grouped), DType::float64);
  check_agree(attend_in_a_loop(narrow, Var(x)).context, narrow(Var(x)).context, 1e-12);
  check_agree(attend_by_einsum(narrow, Var(x)).context, narrow(Var(x)).context, 1e-12);
}

TEST_CASE("one small projection for all heads is the full layer with W = I ⊗ w and no biases before the output") {
  const SharedHeadAttention small = shared();
  MultiHeadAttention full = exact();
  full.query_projection.weight = on_diagonal(small.queries);
  full.key_projection.weight = on_diagonal(small.keys);
  full.value_projection.weight = on_diagonal(small.values);
  full.query_projection.bias = full.key_projection.bias = full.value_projection.bias = Var();
  full.output = small.output;
  for (const MaskMode& mode : modes()) {
    INFO(mode.name);
    const Attended found = small(Var(x), mode.mask), expected = full(Var(x), mode.mask);
    check_agree(found.context, expected.context, 1e-12);
    check_agree(found.weights, expected.weights, 1e-12);
    check_agree(attend_in_a_loop(full, Var(x), mode.mask).context, found.context, 1e-12);
  }
}

TEST_CASE("shared heads agree with plain loops over slices of the input, under every kind of mask") {
  const SharedHeadAttention layer = shared();
  for (const MaskMode& mode : mask_modes(T, T)) {
    INFO(mode.name);
    const Tensor there = without_invisible(x, mode.allowed);
    const Attended found = layer(Var(x), mode.mask);
    Vars contexts;
    for (Size h = 0; h < H; ++h) {
      const Tensor own = slice(there, 2, h * d, d);
      const ByHand expected =
          attend_by_hand(project_by_hand(layer.queries, own, 0, d), project_by_hand(layer.keys, own, 0, d),
                         project_by_hand(layer.values, own, 0, d), 0.5, mode.allowed);
      check_agree(select(found.weights, 1, h), expected.weights, 1e-13);
      contexts.push_back(Var(expected.context));
    }
    check_agree(found.context, project_by_hand(layer.output, concat(contexts, -1).value(), 0, size), 1e-13);
  }
}

TEST_CASE("shared heads with a single head are plain self-attention") {
  const SharedHeadAttention layer = shared(1);
  Rng rng(2);
  SelfAttention plain(size, rng);
  plain.queries = layer.queries;
  plain.keys = layer.keys;
  plain.values = layer.values;
  plain.output = layer.output;
  const Attended found = layer(Var(x)), expected = plain(Var(x));
  check_agree(found.context, expected.context, 1e-13);
  check_agree(select(found.weights, 1, 0), expected.weights, 1e-13);
}

TEST_CASE("a head sees its own slice of the input only: before the output there is no way across") {
  SharedHeadAttention layer = shared();
  std::vector<double> identity(size * size, 0);
  for (std::size_t i = 0; i < size; ++i) identity[i * size + i] = 1;
  layer.output.weight = Var(numbers(identity, {size, size}));
  const Var in = Var::parameter(x);
  const Var y = layer(in).context;
  for (Size h = 0; h < H; ++h) {
    const Var g = random_gradients(slice(y, -1, h * d, d), {in})[0];
    for (Size other = 0; other < H; ++other) {
      const double influence = sum(abs(slice(g, -1, other * d, d))).item();
      CHECK((influence > 1e-3) == (other == h));
      CHECK((influence == 0) == (other != h));
    }
  }
}

TEST_CASE("permuted positions permute both forms, and a causal mask hides later ones exactly") {
  const MultiHeadAttention full = exact();
  const SharedHeadAttention small = shared();
  const Tensor order = Tensor::from_ints({2, 0, 4, 3, 1}, {T});
  check_agree(attend_in_a_loop(full, take(Var(x), 1, order)).context,
              take(attend_in_a_loop(full, Var(x)).context, 1, order), 1e-13);
  check_agree(small(take(Var(x), 1, order)).context, take(small(Var(x)).context, 1, order), 1e-13);
  for (Size i = 0; i < T - 1; ++i) {
    const Var in = Var::parameter(x);
    const Vars ys = {small(in, causal_mask(T, T)).context, attend_in_a_loop(full, in, causal_mask(T, T)).context};
    for (const Var& y : ys) {
      const Var g = random_gradients(select(y, 1, i), {in})[0];
      CHECK(sum(abs(slice(g, 1, i + 1, T - i - 1))).item() == 0);
      CHECK(sum(abs(select(g, 1, i))).item() > 1e-3);
    }
  }
}

TEST_CASE("what stands in the padding, NaN included, reaches neither form") {
  const MultiHeadAttention full = exact();
  const SharedHeadAttention small = shared();
  const std::vector<Size> lengths = {5, 2};
  check_padding_unseen([&](double filler) {
    Vars leaves = parameters(full);
    for (const Var& parameter : parameters(small)) leaves.push_back(parameter);
    leaves.push_back(Var::parameter(padded(x, lengths, filler)));
    const Mask mask = padding_mask(lengths, T);
    const Attended a = attend_in_a_loop(full, leaves.back(), mask), b = small(leaves.back(), mask);
    Vars result =
        random_gradients(concat({everything(a.context, a.weights), everything(b.context, b.weights)}, 0), leaves);
    result.insert(result.end(), {a.context, b.context});
    return result;
  });
  const Var clean = small(Var(x), causal_mask(T, T)).context;
  const Var dirty = small(Var(padded(x, {3, 3}, not_a_number)), causal_mask(T, T)).context;
  CHECK(same_bits(slice(dirty, 1, 0, 3), slice(clean, 1, 0, 3)));
}

TEST_CASE("shared heads learn 3 d² numbers before the output") {
  CHECK(parameter_count(shared()) == 3 * d * d + size * size + size);
  std::string names;
  for (const auto& [name, parameter] : named_parameters(shared())) names += name + text(parameter.shape()) + " ";
  CHECK(names == "values.weight[4, 4] keys.weight[4, 4] queries.weight[4, 4] output.weight[12, 12] output.bias[12] ");
}

TEST_CASE("shared heads refuse heads that do not divide the width, and a mask of another size") {
  Rng rng(1);
  check_throws_with([&] { SharedHeadAttention(6, 4, rng); }, {"shared-head attention: ", "4 heads", "6"});
  check_throws_with([&] { SharedHeadAttention(6, 0, rng); }, {"shared-head attention: ", "0 heads", "6"});
  check_throws_with([] { shared()(Var(random({B, T, 14}))); }, {"shared-head attention: ", "3 heads", "14"});
  check_throws_with([] { shared()(Var(x), causal_mask(T, 4)); }, {"mask: ", "[1, 1, 5, 4]"});
}

TEST_CASE("a mask of another number of heads fits the loop as little as the layer") {
  Rng rng(1);
  const MultiHeadAttention layer = cast(MultiHeadAttention(size, H, rng), DType::float64);
  for (Size heads : {2, 4, 0}) {
    const Mask mask(Tensor::ones({B, heads, T, T}, DType::boolean));
    check_throws_with([&] { attend_in_a_loop(layer, Var(x), mask); }, {"mask: ", text(mask.allowed().shape()), "3, 5"});
  }
}
