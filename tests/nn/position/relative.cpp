#include "nn/position/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/nn/attention/by_hand.hpp"

using namespace attend;
using namespace attend::test;

namespace {

using Ints = std::vector<std::int64_t>;

std::vector<double> as_doubles(const Ints& values) { return {values.begin(), values.end()}; }

constexpr Size B = 2, T = 5, H = 3, d = 4, size = H * d;
const Tensor x = random({B, T, size}, DType::float64, 2);

RelativeAttention exact(Size most = 2) {
  Rng rng(1);
  return shaken(RelativeAttention(size, H, most, rng), 7, 0.3);
}

}  // namespace

TEST_CASE("the last query is aligned with the last key (O-29)") {
  check_close(relative_distance(1, 3), {1, 3}, {-2, -1, 0}, 0);
  check_close(relative_distance(2, 3), {2, 3}, {-1, 0, 1, -2, -1, 0}, 0);
  check_close(relative_distance(3, 2), {3, 2}, {1, 2, 0, 1, -1, 0}, 0);
  CHECK(relative_distance(2, 2).dtype() == DType::int64);
}

TEST_CASE("far distances share the first and the last row of a table") {
  const Tensor distance = Tensor::from_ints({-9, -3, -2, -1, 0, 1, 2, 3, 9}, {1, 9});
  check_close(clipped_distance(distance, 2), {1, 9}, {0, 0, 0, 1, 2, 3, 4, 4, 4}, 0);
  check_close(clipped_distance(distance, 0), {1, 9}, std::vector<double>(9, 0), 0);
}

TEST_CASE("T5's buckets: distances below 8 are told apart, then logarithms, and from 128 on all are one") {
  const Ints far = {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 15, 16, 22, 23, 31, 32, 45, 46, 63, 64, 90, 91, 127, 128, 5000};
  const Ints bucket = {0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 15, 15};
  Ints behind, ahead, bucket_ahead;
  for (std::size_t i = 0; i < far.size(); ++i) {
    behind.push_back(-far[i]);
    ahead.push_back(far[i]);
    bucket_ahead.push_back(far[i] == 0 ? 0 : 16 + bucket[i]);
  }
  const auto n = static_cast<Size>(far.size());
  check_close(t5_bucket(Tensor::from_ints(behind, {n})), {n}, as_doubles(bucket), 0);
  check_close(t5_bucket(Tensor::from_ints(ahead, {n})), {n}, as_doubles(bucket_ahead), 0);
}

TEST_CASE("in a causal model all of T5's buckets are for keys behind, and keys ahead share bucket 0") {
  const Tensor distance = Tensor::from_ints({5, 1, 0, -1, -15, -16, -20, -127, -128, -999}, {10});
  check_close(t5_bucket(distance, 32, 128, false), {10}, {0, 0, 0, 1, 15, 16, 17, 31, 31, 31}, 0);
}

TEST_CASE("T5's bias looks up a number for each bucket and head") {
  Rng rng(1);
  const T5Bias layer = cast(T5Bias(H, rng, 8, 6), DType::float64);
  const Var bias = layer(2, 4);
  CHECK(bias.shape() == Shape{1, H, 2, 4});
  const Tensor buckets = t5_bucket(relative_distance(2, 4), 8, 6);
  for (Size h = 0; h < H; ++h) {
    for (Size i = 0; i < 2; ++i) {
      for (Size j = 0; j < 4; ++j) {
        CHECK(bias.value().at({0, h, i, j}) == layer.table.value().at({static_cast<Size>(buckets.at({i, j})), h}));
      }
    }
  }
}

TEST_CASE("with a table of zeros there are no positions") {
  Rng rng(1);
  const MultiHeadAttention heads = shaken(MultiHeadAttention(size, H, rng));
  T5Bias bias = cast(T5Bias(H, rng), DType::float64);
  bias.table = Var(Tensor::zeros({32, H}, DType::float64));
  check_agree(heads(Var(x), Var(x), Var(x), {}, evaluation, bias(T, T)).context, heads(Var(x)).context, 1e-15);
  RelativeAttention relative = exact();
  relative.key_table = relative.value_table = Var(Tensor::zeros({5, d}, DType::float64));
  for (const MaskMode& mode : mask_modes(T, T)) {
    const Attended found = relative(Var(x), mode.mask), expected = relative.heads(Var(x), mode.mask);
    check_agree(found.context, expected.context, 1e-14);
    check_agree(found.weights, expected.weights, 1e-14);
  }
}

TEST_CASE("the bias of a window is one number for each head and offset in two dimensions") {
  Rng rng(1);
  const WindowBias layer = cast(WindowBias(2, 2, 3, rng), DType::float64);
  CHECK(layer.table.shape() == Shape{3 * 5, 2});
  const Tensor bias = layer().value();
  CHECK(bias.shape() == Shape{1, 2, 6, 6});
  for (Size h = 0; h < 2; ++h) {
    for (Size i = 0; i < 6; ++i) {
      for (Size j = 0; j < 6; ++j) {
        const Size dy = j / 3 - i / 3, dx = j % 3 - i % 3;
        CHECK(bias.at({0, h, i, j}) == layer.table.value().at({(dy + 1) * 5 + dx + 2, h}));
      }
    }
  }
}

TEST_CASE("ALiBi's slopes halve evenly for a power of two, and are mixed for any other number of heads") {
  check_close(Var(alibi_slopes(8)), {8}, {1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 1. / 128, 1. / 256}, 0);
  check_close(Var(alibi_slopes(1)), {1}, {1. / 256}, 0);
  check_close(Var(alibi_slopes(3)), {3}, {1. / 16, 1. / 256, 1. / 4}, 0);
  check_close(Var(alibi_slopes(6)), {6}, {1. / 4, 1. / 16, 1. / 64, 1. / 256, 1. / 2, 1. / 8}, 0);
  const std::vector<double> twelve = alibi_slopes(12).to_vector();
  for (std::size_t h = 0; h < 4; ++h) check_close(twelve[8 + h], std::exp2(-0.5 - static_cast<double>(h)), 1e-15);
}

TEST_CASE("ALiBi takes the slope times the distance from the scores, and under a causal mask that is slope times j") {
  const Var bias = alibi_bias(2, 2, 4, DType::float64);
  CHECK(bias.shape() == Shape{1, 2, 2, 4});
  check_close(bias, {1, 2, 2, 4},
              {-2. / 16, -1. / 16, 0, -1. / 16, -3. / 16, -2. / 16, -1. / 16, 0,  //
               -2. / 256, -1. / 256, 0, -1. / 256, -3. / 256, -2. / 256, -1. / 256, 0},
              0);
  const Var scores(random({1, H, T, T}));
  const Mask causal = causal_mask(T, T);
  const Var slopes = reshape(Var(alibi_slopes(H)), {1, H, 1, 1});
  const Var by_place = slopes * cast(Var(Tensor::arange(T)), DType::float64);
  check_agree(attention_weights(scores + alibi_bias(H, T, T, DType::float64), causal),
              attention_weights(scores + by_place, causal), 1e-14);
}

TEST_CASE("relative attention agrees with plain loops, under every kind of mask") {
  const Size most = 2;
  const RelativeAttention layer = exact(most);
  const auto row = [most](Size i, Size j) { return std::min(most, std::max(-most, j - i)) + most; };
  for (const MaskMode& mode : mask_modes(T, T)) {
    INFO(mode.name);
    const Tensor there = without_invisible(x, mode.allowed);
    const Attended found = layer(Var(x), mode.mask);
    Vars contexts;
    for (Size h = 0; h < H; ++h) {
      const auto head = [&](const Linear& projection) { return project_by_hand(projection, there, h * d, d); };
      const Tensor q = head(layer.heads.query_projection), k = head(layer.heads.key_projection),
                   v = head(layer.heads.value_projection);
      std::vector<double> context;
      for (Size b = 0; b < B; ++b) {
        for (Size i = 0; i < T; ++i) {
          std::vector<double> e;
          double total = 0;
          for (Size j = 0; j < T; ++j) {
            double score = 0;
            for (Size c = 0; c < d; ++c) {
              score += q.at({b, i, c}) * (k.at({b, j, c}) + layer.key_table.value().at({row(i, j), c}));
            }
            e.push_back(mode.allowed(b, i, j) ? std::exp(score / 2) : 0);
            total += e.back();
          }
          for (Size j = 0; j < T; ++j) {
            double& weight = e[static_cast<std::size_t>(j)];
            weight = total > 0 ? weight / total : 0;
            check_close(found.weights.value().at({b, h, i, j}), weight, 1e-13);
          }
          for (Size c = 0; c < d; ++c) {
            double sum = 0;
            for (Size j = 0; j < T; ++j) {
              sum += e[static_cast<std::size_t>(j)] * (v.at({b, j, c}) + layer.value_table.value().at({row(i, j), c}));
            }
            context.push_back(sum);
          }
        }
      }
      contexts.push_back(Var(numbers(context, {B, T, d})));
    }
    check_agree(found.context, project_by_hand(layer.heads.output, concat(contexts, -1).value(), 0, size), 1e-13);
  }
}

TEST_CASE("a text behind padding, shifted by it, gives the same: only distances count") {
  const RelativeAttention layer = exact();
  const Size shift = 2;
  const Var alone = layer(Var(x)).context;
  const Var shifted = concat({Var(random({B, shift, size}, DType::float64, 8)), Var(x)}, 1);
  std::vector<bool> flags;
  for (Size j = 0; j < T + shift; ++j) flags.push_back(j >= shift);
  const Mask text_only(Tensor::from_bools(flags, {1, 1, 1, T + shift}));
  check_agree(slice(layer(shifted, text_only).context, 1, shift, T), alone, 1e-13);
}

TEST_CASE("what stands in the padding, NaN included, reaches nothing, and later positions have the derivative 0") {
  const RelativeAttention layer = exact();
  const std::vector<Size> lengths = {5, 2};
  check_padding_unseen([&](double filler) {
    Vars leaves = parameters(layer);
    leaves.push_back(Var::parameter(padded(x, lengths, filler)));
    const Attended found = layer(leaves.back(), padding_mask(lengths, T));
    Vars result = random_gradients(everything(found.context, found.weights), leaves);
    result.push_back(found.context);
    return result;
  });
  const Var in = Var::parameter(x);
  const Var g = random_gradients(select(layer(in, causal_mask(T, T)).context, 1, 1), {in})[0];
  CHECK(sum(abs(slice(g, 1, 2, T - 2))).item() == 0);
  CHECK(sum(abs(slice(g, 1, 0, 1))).item() > 1e-3);
}

TEST_CASE("sizes that make no positions are named") {
  Rng rng(1);
  check_throws_with([&] { T5Bias(2, rng, 3); }, {"t5_bucket: ", "3 buckets"});
  check_throws_with([&] { T5Bias(2, rng, 7); }, {"t5_bucket: ", "7 buckets"});
  check_throws_with([&] { T5Bias(2, rng, 32, 8); }, {"t5_bucket: ", "32 buckets", "8"});
  check_throws_with([&] { WindowBias(2, 0, 3, rng); }, {"window bias: ", "0 x 3"});
  check_throws_with([] { alibi_slopes(0); }, {"alibi: ", "0 heads"});
  check_throws_with([&] { RelativeAttention(6, 4, 2, rng); }, {"multi-head attention: ", "4 heads", "6"});
  check_throws_with([] { exact()(Var(x), causal_mask(T, 4)); }, {"mask: ", "[1, 1, 5, 4]"});
}

TEST_CASE("distances that are none, and tables for no heads, are refused") {
  Rng rng(1);
  const Rng before = rng;
  check_throws_with([&] { T5Bias(0, rng); }, {"t5 bias: ", "0 heads"});
  check_throws_with([&] { T5Bias(2, rng, -1); }, {"t5_bucket: ", "-1 buckets"});
  check_throws_with([&] { RelativeAttention(6, 2, -1, rng); }, {"relative attention: ", "-1"});
  CHECK(rng == before);
  check_throws_with([] { relative_distance(-1, 3); }, {"relative_distance: ", "-1 queries", "3 keys"});
  check_throws_with([] { clipped_distance(relative_distance(3, 3), -1); }, {"clipped_distance: ", "-1"});
  check_throws_with([] { clipped_distance(numbers({-0.5}, {1}), 2); }, {"clipped_distance: ", "float64", "[1]"});
  check_throws_with([] { t5_bucket(numbers({-0.5}, {1})); }, {"t5_bucket: ", "float64", "[1]"});
  check_throws_with([] { alibi_bias(2, 3, 3, DType::int64); }, {"alibi: ", "int64"});
}
