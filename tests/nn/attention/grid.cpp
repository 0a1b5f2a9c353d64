#include "nn/attention/grid.hpp"

#include <cmath>

#include "tensor/cost.hpp"
#include "tensor/kernels.hpp"
#include "tests/nn/attention/by_hand.hpp"
#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

using Kind = Partition::Kind;
using Order = AxialAttention::Order;

// An image of 4 x 6 pixels: all sizes differ, and so do rows and columns of a group and their distances.
constexpr Size B = 2, H = 3, high = 4, wide = 6, T = high * wide, d = 5, dv = 7;

struct Input {
  Var q = Var(random({B, H, T, d})), k = Var(random({B, H, T, d}, DType::float64, 2)),
      v = Var(random({B, H, T, dv}, DType::float64, 3));
};

// Softmax attention in plain loops, of query i over the keys j that `together` says.
template <class Together>
Tensor by_loops(const Input& in, Together together, Size visible = T) {
  std::vector<double> context;
  for (Size b = 0; b < B; ++b) {
    const auto head = [&](const Var& x, Size h) { return select(select(x, 0, b), 0, h); };
    for (Size h = 0; h < H; ++h) {
      const auto one = [&](const Var& x) { return unsqueeze(head(x, h), 0).value(); };
      const ByHand found = attend_by_hand(one(in.q), one(in.k), one(in.v), 1 / std::sqrt(static_cast<double>(d)),
                                          [&](Size, Size i, Size j) { return j < visible && together(i, j); });
      const std::vector<double> values = found.context.to_vector();
      context.insert(context.end(), values.begin(), values.end());
    }
  }
  return numbers(context, {B, H, T, dv});
}

bool same_window(Size i, Size j, Size rows, Size columns) {
  return i / wide / rows == j / wide / rows && i % wide / columns == j % wide / columns;
}

bool same_grid(Size i, Size j, Size rows, Size columns) {
  const Size down = high / rows, across = wide / columns;
  return i / wide % down == j / wide % down && i % wide % across == j % wide % across;
}

// The pixels of the input that pixel 8 of y depends on.
std::vector<bool> reach(const std::vector<AxialAttention>& layers) {
  const Var x = Var::parameter(random({1, 1, T, d}));
  Var y = x;
  for (const AxialAttention& layer : layers) y = layer(y, y, y).context;
  const Var moved = sum(abs(random_gradients(slice(y, 2, 8, 1), {x})[0]), {0, 1, 3});
  std::vector<bool> reached;
  for (double each : moved.value().to_vector()) reached.push_back(each != 0);
  return reached;
}

AttentionGate exact_gate(Size factor = 2) {
  Rng rng(4);
  AttentionGate gate(3, 5, 4, factor, rng);
  gate.phi.bias = Var::parameter(random({4}, DType::float32, 6));
  gate.psi.bias = Var::parameter(random({1}, DType::float32, 7));
  return cast(gate, DType::float64);
}

}  // namespace

TEST_CASE(
    "attention in windows and in grids is, in plain loops, attention within each group, with and without padding") {
  const Input in;
  for (const Shape& sides : std::vector<Shape>{{2, 3}, {2, 2}, {4, 1}, {1, 6}, {1, 1}, {4, 6}}) {
    const Size rows = sides[0], columns = sides[1];
    CAPTURE(rows);
    CAPTURE(columns);
    const MultiAxisAttention windows({Kind::window, high, wide, rows, columns});
    const MultiAxisAttention grids({Kind::grid, high, wide, rows, columns});
    const auto in_window = [=](Size i, Size j) { return same_window(i, j, rows, columns); };
    const auto in_grid = [=](Size i, Size j) { return same_grid(i, j, rows, columns); };
    check_agree(windows(in.q, in.k, in.v).context, by_loops(in, in_window), 1e-13);
    check_agree(grids(in.q, in.k, in.v).context, by_loops(in, in_grid), 1e-13);
    const Mask padded = padding_mask({15, 15}, T);
    check_agree(windows(in.q, in.k, in.v, padded).context, by_loops(in, in_window, 15), 1e-13);
    check_agree(grids(in.q, in.k, in.v, padded).context, by_loops(in, in_grid, 15), 1e-13);
  }
}

TEST_CASE("windows hold neighbours, grids hold pixels at equal distances, both in the order of rows") {
  const Var places(reshape(Tensor::arange(T), {1, 1, T, 1}));
  const auto groups = [&](Kind kind) { return Partition(kind, high, wide, 2, 3).cut(places).value().to_ints(); };
  CHECK(groups(Kind::window) == std::vector<std::int64_t>{0,  1,  2,  6,  7,  8,  3,  4,  5,  9,  10, 11,
                                                          12, 13, 14, 18, 19, 20, 15, 16, 17, 21, 22, 23});
  CHECK(groups(Kind::grid) == std::vector<std::int64_t>{0, 2, 4,  12, 14, 16, 1, 3, 5,  13, 15, 17,
                                                        6, 8, 10, 18, 20, 22, 7, 9, 11, 19, 21, 23});
}

TEST_CASE("a partition joined is what was cut, whatever its kind and its sides") {
  const Var x(random({B, H, T, d}));
  for (Kind kind : {Kind::window, Kind::grid}) {
    for (auto [rows, columns] : std::vector<std::pair<Size, Size>>{{2, 3}, {4, 2}, {1, 6}, {1, 1}, {4, 6}}) {
      const Partition partition(kind, high, wide, rows, columns);
      const Var cut = partition.cut(x);
      CHECK(cut.shape() == Shape{B, H, partition.groups(), partition.pixels(), d});
      CHECK(same_bits(partition.join(cut), x));
    }
  }
}

TEST_CASE("axial attention is, in plain loops, attention within each row, each column, one after the other, or both") {
  const Input in;
  const auto same_row = [](Size i, Size j) { return i / wide == j / wide; };
  const auto same_column = [](Size i, Size j) { return i % wide == j % wide; };
  const auto found = [&](Order order) { return AxialAttention(high, wide, order)(in.q, in.k, in.v).context; };
  const Tensor rows = by_loops(in, same_row), columns = by_loops(in, same_column);
  check_agree(found(Order::rows), rows, 1e-13);
  check_agree(found(Order::columns), columns, 1e-13);
  check_agree(found(Order::sum), Var(rows) + Var(columns), 1e-13);
  Input second = in;
  second.v = Var(rows);
  check_agree(found(Order::sequence), by_loops(second, same_column), 1e-13);
}

TEST_CASE("along rows a pixel sees its row, with columns its cross, and two layers reach every pixel") {
  const AxialAttention rows(high, wide, Order::rows), columns(high, wide, Order::columns);
  const AxialAttention both(high, wide, Order::sum), sequence(high, wide, Order::sequence);
  for (Size j = 0; j < T; ++j) {
    CAPTURE(j);
    const std::size_t at = static_cast<std::size_t>(j);
    CHECK(reach({rows})[at] == (j / wide == 8 / wide));
    CHECK(reach({columns})[at] == (j % wide == 8 % wide));
    CHECK(reach({both})[at] == (j / wide == 8 / wide || j % wide == 8 % wide));
    CHECK(reach({rows, columns})[at]);
    CHECK(reach({columns, rows})[at]);
    CHECK(reach({both, both})[at]);
    CHECK(reach({sequence})[at]);
  }
}

TEST_CASE("the products of axial attention grow with T (height + width), those of windows with T times their pixels") {
  const auto products = [](const AttentionCore& core, Size positions) {
    const Tensor x = Tensor::ones({1, 1, positions, d});
    CostCounter counter;
    core(x, x, x);
    return counter.products();
  };
  for (auto [h, w] : std::vector<std::pair<Size, Size>>{{4, 6}, {8, 6}, {8, 20}}) {
    CHECK(products(AxialAttention(h, w, Order::sequence), h * w) == 2 * d * h * w * (h + w));
    CHECK(products(MultiAxisAttention({Kind::window, h, w, 4, 2}), h * w) == 2 * d * h * w * 8);
    CHECK(products(MultiAxisAttention({Kind::grid, h, w, 4, 2}), h * w) == 2 * d * h * w * 8);
  }
}

TEST_CASE(
    "partitions and axial attention refuse sides that do not divide, other positions and masks of order or pairs") {
  check_throws_with([] { Partition(Kind::window, 4, 6, 3, 2); }, {"partition: ", "windows of 3 x 2", "4 x 6"});
  check_throws_with([] { Partition(Kind::grid, 4, 6, 2, 4); }, {"partition: ", "grids of 2 x 4", "4 x 6"});
  check_throws_with([] { Partition(Kind::grid, 4, 6, 0, 4); }, {"partition: ", "0 x 4"});
  check_throws_with([] { Partition(Kind::grid, 0, 6, 1, 1); }, {"partition: ", "0 x 6"});
  check_throws_with([] { Partition(Kind::grid, -4, 6, -2, 1); }, {"partition: ", "-4 x 6"});
  check_throws_with([] { AxialAttention(0, 6, Order::rows); }, {"partition: ", "0 x 6"});
  const Input in;
  const AxialAttention axial(4, 6, Order::sequence);
  const auto refuses = [&](const Mask& mask, const std::vector<std::string>& texts) {
    check_throws_with([&] { axial(in.q, in.k, in.v, mask); }, texts);
  };
  refuses(causal_mask(T, T), {"multi-axis attention: ", "causal", "24 pixels"});
  refuses(band_mask(T, T, 1, 1), {"multi-axis attention: ", "[1, 1, 24, 24]"});
  refuses(padding_mask({3, 3}, T - 1), {"multi-axis attention: ", "23", "24 keys"});
  check_throws_with([&] { AxialAttention(4, 5, Order::rows)(in.q, in.k, in.v); },
                    {"multi-axis attention: ", "24 positions", "4 x 5"});
  check_throws_with([&] { Partition(Kind::grid, 4, 5, 2, 1).cut(in.q); }, {"partition: ", "[2, 3, 24, 5]", "4 x 5"});
  check_throws_with([&] { axial(in.q, in.k, Var(random({B, H, T - 1, dv}))); }, {"multi-axis attention: "});
  check_throws_with(
      [&] {
        Partition(Kind::grid, 4, 6, 2, 3).join(Var(random({1, 1, 6, 4, 2})));
      },
      {"partition: ", "[1, 1, 6, 4, 2]", "4 groups of 2 x 3"});
}

TEST_CASE("upsampling puts the centres of pixels where PyTorch's bilinear interpolation has them") {
  const Var x(numbers({0, 4, 8, 2}, {1, 1, 2, 2}));
  // Columns 0, 1/4, 3/4, 1 of the way between the two, and rows likewise.
  check_close(upsample(x, 4, 4), {1, 1, 4, 4}, {0, 1, 3, 4, 2, 2.375, 3.125, 3.5, 6, 5.125, 3.375, 2.5, 8, 6.5, 3.5, 2},
              1e-14);
  check_close(upsample(x, 1, 1), {1, 1, 1, 1}, {3.5}, 1e-14);
  check_agree(upsample(x, 2, 2), x, 0);
  check_close(upsample(Var(numbers({3}, {1, 1, 1, 1})), 2, 3), {1, 1, 2, 3}, {3, 3, 3, 3, 3, 3}, 0);
  const Var linear = reshape(cast(Var(Tensor::arange(5)), DType::float64), {1, 1, 1, 5});
  const Var stretched = upsample(linear, 1, 15);  // straight between the outermost centres
  for (Size i = 1; i < 14; ++i)
    check_close(stretched.value().at({0, 0, 0, i}), (static_cast<double>(i) - 1) / 3, 1e-14);
  check_throws_with([&] { upsample(x, 0, 2); }, {"upsample: ", "[1, 1, 2, 2]", "0 x 2"});
  check_throws_with([] { upsample(Var(random({2, 2})), 2, 2); }, {"upsample: ", "[2, 2]"});
}

TEST_CASE("an attention gate is, in plain loops, the sigmoid of an additive score, upsampled, times x") {
  const AttentionGate gate = exact_gate();
  const Var x(random({2, 3, 4, 6})), g(random({2, 5, 2, 3}, DType::float64, 2));
  const Attended found = gate(x, g);
  std::vector<double> coarse;
  for (Size b = 0; b < 2; ++b) {
    for (Size i = 0; i < 2; ++i) {
      for (Size j = 0; j < 3; ++j) {
        double score = gate.psi.bias.value().item();
        for (Size o = 0; o < 4; ++o) {
          double inner = gate.phi.bias.value().at({o});
          for (Size c = 0; c < 5; ++c) inner += gate.phi.weight.value().at({o, c, 0, 0}) * g.value().at({b, c, i, j});
          for (Size c = 0; c < 3; ++c) {
            for (Size u = 0; u < 4; ++u) {
              inner += gate.theta.weight.value().at({o, c, u / 2, u % 2}) *
                       x.value().at({b, c, 2 * i + u / 2, 2 * j + u % 2});
            }
          }
          score += gate.psi.weight.value().at({0, o, 0, 0}) * std::max(inner, 0.0);
        }
        coarse.push_back(1 / (1 + std::exp(-score)));
      }
    }
  }
  const Var alpha = upsample(Var(numbers(coarse, {2, 1, 2, 3})), 4, 6);
  check_agree(found.weights, alpha, 1e-13);
  check_agree(found.context, alpha * x, 1e-13);
}

TEST_CASE("an attention gate has derivatives to order 2, visits its parameters and leaves nothing alive") {
  const Tensor x = random({2, 3, 4, 6}), g = random({2, 5, 2, 3}, DType::float64, 2);
  const auto apply = [](const AttentionGate& gate, const Vars& xs) { return gate(xs[0], xs[1]).context; };
  const std::vector<LayerRow> rows = {layer_row("AttentionGate", exact_gate(), {x, g}, apply)};
  check_derivatives(rows);
  check_visits(rows);
  check_nothing_alive(rows);
  check_narrow(rows);
}

TEST_CASE("with psi of 0 the gate is 0.5 everywhere; a large bias opens it") {
  AttentionGate gate = exact_gate();
  gate.psi.weight = Var(Tensor::zeros({1, 4, 1, 1}, DType::float64));
  gate.psi.bias = Var(Tensor::zeros({1}, DType::float64));
  const Var x(random({2, 3, 4, 6})), g(random({2, 5, 2, 3}, DType::float64, 2));
  check_agree(gate(x, g).weights, Var(Tensor::full({2, 1, 4, 6}, 0.5, DType::float64)), 1e-15);
  gate.psi.bias = Var(Tensor::full({1}, 50, DType::float64));
  check_agree(gate(x, g).context, x, 1e-14);
}

TEST_CASE("an attention gate refuses a grid that is not coarser by its factor") {
  const AttentionGate gate = exact_gate();
  const Var x(random({2, 3, 4, 6}));
  check_throws_with([&] { gate(x, Var(random({2, 5, 4, 6}))); }, {"attention gate: ", "[2, 5, 4, 6]", "2 times"});
  check_throws_with([&] { gate(x, Var(random({1, 5, 2, 3}))); }, {"attention gate: ", "[1, 5, 2, 3]"});
  check_throws_with([&] { gate(x, Var(random({2, 4, 2, 3}))); }, {"conv"});
  Rng rng(1);
  const Rng before = rng;
  check_throws_with([&] { AttentionGate(3, 5, 4, 0, rng); }, {"attention gate: ", "factor of 0"});
  CHECK(rng == before);
}
