// What must hold for every variant of attention alike, from the list in nn/variants/.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "autograd/checkpoint.hpp"
#include "nn/dropout.hpp"
#include "nn/variants/variant.hpp"
#include "tensor/cost.hpp"
#include "tensor/difference.hpp"
#include "tensor/kernels.hpp"
#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// T is no multiple of a window, a block or a chunk.
constexpr Size B = 2, H = 3, T = 11, d = 4, dv = 5;

std::vector<Variant> all_variants() {
  std::vector<Variant> all;
  for (const Family& family : families()) all.insert(all.end(), family.variants.begin(), family.variants.end());
  return all;
}

AttentionCore exact(const Variant& variant, Size positions = T) {
  Rng rng(3);
  return cast(variant.make(positions, d, rng), DType::float64);
}

Tensor query(std::uint64_t seed = 1) { return random({B, H, T, d}, DType::float64, seed); }
Tensor value() { return random({B, H, T, dv}, DType::float64, 3); }

// Each length of padding, and none.
Mask padded() { return padding_mask({T, T - 3}, T); }

std::vector<LayerRow> rows() {
  std::vector<LayerRow> rows;
  for (const Variant& variant : all_variants()) {
    // No step of a difference quotient from these keys crosses a jump. Where keys are made of queries, k is no input.
    const Tensor key = query(variant.has(trait::kinked) ? 4 : 2);
    const bool shared = variant.has(trait::shared);
    const std::vector<Tensor> inputs =
        shared ? std::vector<Tensor>{query(1), value()} : std::vector<Tensor>{query(1), key, value()};
    std::vector<std::pair<std::string, Mask>> modes = {{"", Mask()}};
    if (variant.has(trait::causal)) modes.push_back({", causal", causal_mask(T, T)});
    if (variant.has(trait::padding)) modes.push_back({", padded", padded()});
    for (const auto& [mode, mask] : modes) {
      rows.push_back(layer_row(variant.name + mode, exact(variant), inputs,
                               [mask = mask, shared](const AttentionCore& core, const Vars& xs) {
                                 return core(xs[0], shared ? xs[0] : xs[1], xs.back(), mask).context;
                               }));
    }
  }
  return rows;
}

// x with `number` in the places of sequence 1 that are padding.
Tensor with_padding(const Tensor& x, double number) {
  const Tensor there = reshape(broadcast_to(padded().visible_keys(), {B, T}), {B, 1, T, 1});
  return kernel::where(there, x, Tensor::full({}, number, x.dtype()));
}

Var rows_of(const Var& x, Size first, Size count) { return slice(x, 2, first, count); }

}  // namespace

TEST_CASE("every variant of attention has derivatives that agree with difference quotients to order 2") {
  check_derivatives(rows());
}

TEST_CASE("every variant of attention visits its parameters, leaves nothing alive and gives the same in float32") {
  check_visits(rows());
  check_nothing_alive(rows());
  check_narrow(rows(), 1e-5);
  check_constants(rows());
}

TEST_CASE("every variant that averages has weights of at least 0 that add up to 1, and gives a value of ones back") {
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name);
    if (!variant.has(trait::averages)) continue;
    const AttentionCore core = exact(variant);
    std::vector<Mask> masks = {Mask()};
    if (variant.has(trait::causal)) masks.push_back(causal_mask(T, T));
    for (const Mask& mask : masks) {
      const Tensor weights = attention_map(core, query(1), query(2), mask).value();
      CHECK(kernel::all(kernel::greater_equal(weights, Tensor::full({}, -1e-15, DType::float64))));
      check_agree(kernel::sum(weights, {3}, false), Tensor::ones({B, H, T}, DType::float64), 1e-12);
    }
    if (!variant.has(trait::padding)) continue;
    // Padding gets no weight of the queries that are there; others may see nothing else, and then have none to give.
    const Tensor weights = slice(attention_map(core, query(1), query(2), padded()).value(), 2, 0, T - 3);
    check_agree(kernel::sum(weights, {3}, false), Tensor::ones({B, H, T - 3}, DType::float64), 1e-12);
  }
}

TEST_CASE("a variant with a causal form sees no later position, in values and derivatives, and any other refuses it") {
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name);
    const AttentionCore core = exact(variant);
    const Vars in = as_parameters({query(1), query(2), value()});
    const auto attend = [&] { return core(in[0], in[1], in[2], causal_mask(T, T)).context; };
    if (!variant.has(trait::causal)) {
      CHECK_THROWS_AS(attend(), std::invalid_argument);
      continue;
    }
    for (Size i : {Size{0}, Size{4}, T - 1}) {
      CAPTURE(i);
      const Var y = rows_of(attend(), i, 1);
      const Vars gradients = random_gradients(y, in);
      for (const Var& gradient : gradients) {
        const Var later = rows_of(gradient, i + 1, T - 1 - i);
        CHECK(kernel::all(kernel::equal(later.value(), Tensor::zeros(later.shape(), DType::float64))));
      }
    }
  }
}

TEST_CASE("a variant that takes padding is not moved by what stands there, NaN included, and any other refuses it") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name);
    const AttentionCore core = exact(variant);
    const auto attend = [&](double number) {
      const Tensor q = variant.has(trait::shared) ? with_padding(query(1), number) : query(1);
      const Vars in = as_parameters({q, with_padding(query(2), number), with_padding(value(), number)});
      const Var y = core(in[0], in[1], in[2], padded()).context;
      Vars all = random_gradients(y, in);
      all.push_back(y);
      return all;
    };
    if (!variant.has(trait::padding)) {
      CHECK_THROWS_AS(attend(0), std::invalid_argument);
      continue;
    }
    const Vars with_zeros = attend(0), with_nan = attend(nan), with_large = attend(1e6);
    for (std::size_t i = 0; i < with_zeros.size(); ++i) {
      CAPTURE(i);
      check_agree(with_nan[i], with_zeros[i], 1e-12);
      check_agree(with_large[i], with_zeros[i], 1e-12);
    }
  }
}

TEST_CASE("a variant that makes its keys of its queries looks at no k, and any other does") {
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name);
    const AttentionCore core = exact(variant);
    const auto attend = [&](const Var& k) { return core(query(1), k, value()).context; };
    CHECK(same_bits(attend(query(2)), attend(query(4))) == variant.has(trait::shared));
  }
}

TEST_CASE("every variant treats each sequence and each head as if it were alone") {
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name);
    const AttentionCore core = exact(variant);
    const Var q = query(1), k = query(2), v = value();
    const Var together = core(q, k, v).context;
    const auto only = [](const Var& x) { return slice(x, 0, 1, 1); };
    check_agree(core(only(q), only(k), only(v)).context, only(together), 1e-12);
  }
}

TEST_CASE("a variant that knows no positions gives permuted results for permuted positions") {
  Rng rng(6);
  const Tensor order = Tensor::from_ints(rng.permutation(T), {T});
  const auto permuted = [&](const Var& x) { return take(x, 2, order); };
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name);
    const AttentionCore core = exact(variant);
    const Var q = query(1), k = query(2), v = value();
    const Var found = core(permuted(q), permuted(k), permuted(v)).context;
    const double apart = largest_difference(found.value(), permuted(core(q, k, v).context).value());
    CHECK((apart < 1e-12) == variant.has(trait::equivariant));
  }
}

TEST_CASE("every variant takes one position and no batch, and refuses heads that do not fit each other") {
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name);
    const Tensor one = random({B, H, 1, d}, DType::float64, 1), v = random({B, H, 1, dv}, DType::float64, 2);
    const Var alone = exact(variant, 1)(one, one, v).context;
    CHECK(alone.shape() == v.shape());
    if (variant.has(trait::averages)) check_agree(alone, v, 1e-12);

    const Tensor none = Tensor::zeros({0, H, T, d}, DType::float64);
    CHECK(exact(variant)(none, none, Tensor::zeros({0, H, T, dv}, DType::float64)).context.shape() ==
          Shape{0, H, T, dv});

    const auto refused = [&](const Tensor& q, const Tensor& k, const Tensor& values) {
      CHECK_THROWS_AS(exact(variant)(q, k, values), std::invalid_argument);
    };
    refused(query(), random({B, H, T, d + 1}), value());
    refused(query(), query(), random({B, H, T + 1, dv}));
    refused(random({B, T, d}), random({B, T, d}), random({B, T, dv}));
  }
}

TEST_CASE("every variant gives nothing for no position, or says that it needs some") {
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name);
    const bool needs_some = variant.name == "global tokens" || variant.name == "Linformer" || variant.name == "Nyström";
    std::vector<Mask> masks = {Mask()};
    if (variant.has(trait::causal)) masks.push_back(causal_mask(0, 0));
    if (variant.has(trait::padding)) masks.push_back(padding_mask({0, 0}, 0));
    for (const Mask& mask : masks) {
      const Var q = Var::parameter(Tensor::zeros({B, H, 0, d}, DType::float64));
      const Var v = Var::parameter(Tensor::zeros({B, H, 0, dv}, DType::float64));
      if (needs_some) {
        CHECK_THROWS_AS(exact(variant)(q, q, v, mask), std::invalid_argument);
        continue;
      }
      const Var context = exact(variant)(q, q, v, mask).context;
      CHECK(context.shape() == Shape{B, H, 0, dv});
      CHECK(grad(sum(context), {v})[0].shape() == v.shape());
    }
  }
}

TEST_CASE("every variant multiplies as often as its formula says") {
  for (const Variant& variant : all_variants()) {
    for (Size positions : {Size{5}, Size{16}, Size{33}}) {
      CAPTURE(variant.name);
      CAPTURE(positions);
      Rng rng(3);
      const AttentionCore core = variant.make(positions, d, rng);
      const Tensor x = rng.normal({1, 1, positions, d}, 0, 1);
      CostCounter counter;
      core(x, x, x);
      CHECK(counter.total().multiplications == variant.multiplications(positions, d));
    }
  }
}

TEST_CASE("every variant inside a checkpoint, between dropouts, is bit for bit what it is outside") {
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name);
    Rng rng(4);
    const CoreAttention layer(6, 3, variant.make(T, 2, rng), rng);
    const Var x = Var::parameter(random({B, T, 6}, DType::float32, 5));
    const auto run = [&](const Vars& in, Rng* own) {
      return dropout(layer(dropout(in[0], 0.2, own)).context, 0.3, own);
    };
    Vars all = parameters(layer);
    all.push_back(x);
    Rng outside(8), inside(8);
    const Var plain = run({x}, &outside), within = checkpoint(run, {x}, &inside);
    CHECK(same_bits(within, plain));
    CHECK(inside == outside);
    CHECK(same_bits(random_gradients(within, all), random_gradients(plain, all)));
  }
}

TEST_CASE("every identity of every family holds") {
  for (const Family& family : families()) {
    for (const Identity& identity : family.identities) {
      CAPTURE(identity.text);
      CHECK_FALSE(!(identity.residual() <= identity.limit));
    }
  }
}
