#include "nn/attention/graph.hpp"

#include <algorithm>
#include <cmath>

#include "nn/embedding.hpp"
#include "nn/loss.hpp"
#include "nn/optimizer.hpp"
#include "tensor/cost.hpp"
#include "tensor/kernels.hpp"
#include "tests/nn/attention/by_hand.hpp"
#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

constexpr Size nodes = 6, in = 5, size = 4, heads = 3;
constexpr double slope = 0.2;

using Ends = std::vector<std::pair<Size, Size>>;  // source, target

Edges edges_of(const Ends& ends, Size count = nodes) {
  std::vector<std::int64_t> sources, targets;
  for (auto [source, target] : ends) {
    sources.push_back(source);
    targets.push_back(target);
  }
  sources.insert(sources.end(), targets.begin(), targets.end());
  return {Tensor::from_ints(sources, {2, static_cast<Size>(ends.size())}), count};
}

// Node 4 has a source and leads nowhere, node 5 is alone, 1 -> 2 stands twice.
const Ends some = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {1, 2}, {0, 2}, {2, 2}, {3, 4}, {4, 3}};

template <class Layer>
Layer exact(const GraphAttentionOptions& options = {}) {
  Rng rng(3);
  return cast(Layer(in, size, heads, rng, options), DType::float64);
}

Var input(std::uint64_t seed = 1) { return Var(random({nodes, in}, DType::float64, seed)); }

Tensor project(const Linear& layer, const Var& h) {
  return project_by_hand(layer, unsqueeze(h, 0).value(), 0, heads * size);
}

double leaky(double x) { return x > 0 ? x : slope * x; }

// aᵀ [W h_i ; W h_j] and then the leaky relu, or between the two.
double score(const GraphAttention& layer, const Tensor& Wh, Size i, Size j, Size head) {
  double sum = 0;
  for (Size c = 0; c < size; ++c) {
    sum += layer.target.value().at({head, c}) * Wh.at({0, i, head * size + c}) +
           layer.source.value().at({head, c}) * Wh.at({0, j, head * size + c});
  }
  return leaky(sum);
}
double score(const DynamicGraphAttention& layer, const Tensor& of_target, const Tensor& of_source, Size i, Size j,
             Size head) {
  double sum = 0;
  for (Size c = 0; c < size; ++c) {
    const Size at = head * size + c;
    sum += layer.score.value().at({head, c}) * leaky(of_target.at({0, i, at}) + of_source.at({0, j, at}));
  }
  return sum;
}

// Dictionary lookup of Brody et al. 2021. Each ordering of the values is a graph: an edge leads from each key, which
// knows its value, to each query, which asks for the value of one key.
struct Dictionary {
  static constexpr Size keys = 4, width = 16;
  std::vector<std::int64_t> symbols, values, wanted, queries;
  Edges edges = edges_of({}, 0);

  Dictionary() {
    std::vector<std::int64_t> ordering = {0, 1, 2, 3};
    Ends ends;
    Size first = 0;
    do {
      for (Size key = 0; key < keys; ++key) {
        symbols.push_back(key);
        values.push_back(ordering[static_cast<std::size_t>(key)]);
        wanted.push_back(values.back());
      }
      for (Size key = 0; key < keys; ++key) {
        symbols.push_back(keys + key);
        values.push_back(keys);  // none
        queries.push_back(first + keys + key);
        for (Size source = 0; source < keys; ++source) ends.emplace_back(first + source, first + keys + key);
      }
      first += 2 * keys;
    } while (std::next_permutation(ordering.begin(), ordering.end()));
    edges = edges_of(ends, first);
  }
};

// What share of the queries is answered rightly after training.
template <class Layer>
double share_learned(std::uint64_t seed) {
  struct Model {
    Embedding symbols, values;
    Layer attention;
    Linear output;
    void parameters(const Visit& visit) {
      visit("symbols", symbols);
      visit("values", values);
      visit("attention", attention);
      visit("output", output);
    }
  };
  constexpr Size width = Dictionary::width, keys = Dictionary::keys;
  const Dictionary data;
  const auto ids = [](const std::vector<std::int64_t>& of) {
    return Tensor::from_ints(of, {static_cast<Size>(of.size())});
  };
  Rng rng(seed);
  Model model{Embedding(2 * keys, width, rng), Embedding(keys + 1, width, rng), Layer(width, width, 1, rng),
              Linear(width, keys, rng)};
  Adam adam(0.01);
  Var answers;
  for (int step = 0; step < 300; ++step) {
    const Var h = model.symbols(ids(data.symbols)) + model.values(ids(data.values));
    answers = model.output(take(model.attention(h, data.edges).context, 0, ids(data.queries)));
    adam.step(model, grad(cross_entropy(answers, ids(data.wanted)), parameters(model)));
  }
  const Tensor right = kernel::equal(argmax(answers, 1), ids(data.wanted));
  return mean(Var(kernel::cast(right, DType::float64))).item();
}

// From score(i, j, head), the weights [E, heads] and the sums [nodes, heads * size] of what is sent, in plain loops.
template <class Score>
ByHand along(const Ends& ends, const Tensor& sent, Score score) {
  std::vector<double> weights, context(static_cast<std::size_t>(nodes * heads * size));
  for (auto [source, target] : ends) {
    for (Size head = 0; head < heads; ++head) {
      double total = 0;
      for (auto [other, its] : ends) total += its == target ? std::exp(score(its, other, head)) : 0;
      weights.push_back(std::exp(score(target, source, head)) / total);
      for (Size c = head * size; c < (head + 1) * size; ++c) {
        context[static_cast<std::size_t>(target * heads * size + c)] += weights.back() * sent.at({0, source, c});
      }
    }
  }
  return {numbers(context, {nodes, heads * size}), numbers(weights, {static_cast<Size>(ends.size()), heads})};
}

Var averaged(const Var& y) { return mean(reshape(y, {nodes, heads, size}), {1}); }

template <class Layer>
std::vector<LayerRow> rows_of(const std::string& name) {
  GraphAttentionOptions average, drops;
  average.average = true;
  drops.dropout = 0.4;
  const auto apply = [](const Layer& layer, const Vars& xs) {
    Rng rng(8);  // the same draw at every call
    const Attended found = layer(xs[0], edges_of(some), &rng);
    return concat({reshape(found.context, {-1}), reshape(found.weights, {-1})}, 0);
  };
  return {layer_row(name, exact<Layer>(), {input().value()}, apply),
          layer_row(name + ", averaged", exact<Layer>(average), {input().value()}, apply),
          layer_row(name + ", dropout", exact<Layer>(drops), {input().value()}, apply)};
}

}  // namespace

TEST_CASE(
    "graph attention is, in plain loops, a softmax over the edges that lead to a node, concatenated or averaged") {
  GraphAttentionOptions average;
  average.average = true;
  const GraphAttention layer = exact<GraphAttention>();
  const Tensor Wh = project(layer.weight, input());
  const ByHand expected = along(some, Wh, [&](Size i, Size j, Size head) { return score(layer, Wh, i, j, head); });
  const Attended found = layer(input(), edges_of(some));
  check_agree(found.context, expected.context, 1e-14);
  check_agree(found.weights, expected.weights, 1e-14);
  const Attended mean_of_heads = exact<GraphAttention>(average)(input(), edges_of(some));
  check_agree(mean_of_heads.context, averaged(expected.context), 1e-14);
  check_agree(mean_of_heads.weights, expected.weights, 1e-14);
}

TEST_CASE("dynamic graph attention is, in plain loops, the same with the leaky relu within the score") {
  GraphAttentionOptions average;
  average.average = true;
  const DynamicGraphAttention layer = exact<DynamicGraphAttention>();
  const Tensor of_target = project(layer.target_weight, input()), of_source = project(layer.source_weight, input());
  const ByHand expected =
      along(some, of_source, [&](Size i, Size j, Size head) { return score(layer, of_target, of_source, i, j, head); });
  const Attended found = layer(input(), edges_of(some));
  check_agree(found.context, expected.context, 1e-14);
  check_agree(found.weights, expected.weights, 1e-14);
  check_agree(exact<DynamicGraphAttention>(average)(input(), edges_of(some)).context, averaged(expected.context),
              1e-14);
}

TEST_CASE("a node that no edge leads to gets 0 and no derivative of it, and a graph may have no edges at all") {
  const Var h = Var::parameter(input().value());
  const Var y = exact<GraphAttention>()(h, edges_of(some)).context;
  check_agree(slice(y, 0, 5, 1), Tensor::zeros({1, heads * size}, DType::float64), 0);
  const Tensor moved = random_gradients(y, {h})[0].value();
  check_agree(slice(moved, 0, 5, 1), Tensor::zeros({1, in}, DType::float64), 0);
  const Attended none = exact<GraphAttention>()(h, edges_of({}));
  check_agree(none.context, Tensor::zeros({nodes, heads * size}, DType::float64), 0);
  CHECK(none.weights.shape() == Shape{0, heads});
  CHECK(exact<DynamicGraphAttention>()(h, edges_of({})).weights.shape() == Shape{0, heads});
}

TEST_CASE("an edge brings the first row's node to the second row's: j -> i") {
  const Var h = Var::parameter(input().value());
  const Var y = slice(exact<GraphAttention>()(h, edges_of({{3, 1}})).context, 0, 1, 1);
  const GraphAttention layer = exact<GraphAttention>();
  check_agree(y, slice(layer.weight(h), 0, 3, 1), 1e-15);
}

TEST_CASE("self loops are added once, never twice, behind the other edges") {
  const Edges with = add_self_loops(edges_of({{0, 1}, {2, 2}, {1, 0}, {2, 2}}, 3));
  CHECK(with.ends.to_ints() == std::vector<std::int64_t>{0, 1, 0, 1, 2, 1, 0, 0, 1, 2});
  CHECK(with.count() == 5);
  CHECK(add_self_loops(with).ends.to_ints() == with.ends.to_ints());
  CHECK(add_self_loops(edges_of({}, 2)).ends.to_ints() == std::vector<std::int64_t>{0, 1, 0, 1});
  CHECK(add_self_loops(edges_of({}, 0)).count() == 0);
}

TEST_CASE("a softmax over edges does not overflow, takes any further axes, and its shift has no derivative") {
  const Edges edges = edges_of({{0, 1}, {1, 1}, {2, 0}, {0, 2}, {1, 2}}, 3);
  const Var large(numbers({1000, 1001, -2000, 0, -1e308}, {5}));
  const double half = 1 / (1 + std::exp(1));
  check_close(softmax_by_target(large, edges), {5}, {half, 1 - half, 1, 1, 0}, 1e-15);
  const Var x = Var::parameter(random({5, 2, 3}));
  const Var y = softmax_by_target(x, edges);
  check_agree(sum_by_target(y, edges), Tensor::ones({3, 2, 3}, DType::float64), 1e-15);
  check_agree(softmax_by_target(x + 300.0, edges), y, 1e-13);
  const std::vector<LayerRow> rows = {function_row("softmax_by_target", {random({5, 2, 3})},
                                                   [&](const Vars& xs) { return softmax_by_target(xs[0], edges); })};
  check_derivatives(rows);
}

TEST_CASE("both graph attentions have derivatives to order 2, visit their parameters and leave nothing alive") {
  std::vector<LayerRow> rows = rows_of<GraphAttention>("GraphAttention");
  for (const LayerRow& row : rows_of<DynamicGraphAttention>("DynamicGraphAttention")) rows.push_back(row);
  check_derivatives(rows);
  check_visits(rows);
  check_nothing_alive(rows);
  check_narrow(rows);
  check_constants(rows);
}

TEST_CASE(
    "dropout falls on inputs and on the weights that sum, not on those that are returned, and not in evaluation") {
  GraphAttentionOptions drops;
  drops.dropout = 0.4;
  const GraphAttention layer = exact<GraphAttention>(drops), plain = exact<GraphAttention>();
  CHECK(same_bits(layer(input(), edges_of(some)).context, plain(input(), edges_of(some)).context));
  Rng own(8), by_hand(8);
  const Attended found = layer(input(), edges_of(some), &own);
  const Var h = dropout(input(), 0.4, &by_hand);
  const Var weights = plain(h, edges_of(some)).weights;
  check_agree(found.weights, weights, 1e-15);
  const Var used = dropout(weights, 0.4, &by_hand);
  const Var sent = take(reshape(plain.weight(h), {nodes, heads, size}), 0, edges_of(some).sources());
  check_agree(reshape(found.context, {nodes, heads, size}), sum_by_target(unsqueeze(used, 2) * sent, edges_of(some)),
              1e-14);
  CHECK(own == by_hand);
}

TEST_CASE("dynamic graph attention learns to look up a dictionary, and the static one cannot") {
  for (std::uint64_t seed : {1u, 2u, 3u}) {
    CAPTURE(seed);
    CHECK(share_learned<DynamicGraphAttention>(seed) == 1);
    CHECK(share_learned<GraphAttention>(seed) < 0.4);  // 0.25 is the share of one answer for all queries
  }
}

TEST_CASE("over a complete graph dynamic graph attention ranks the neighbours of each node in its own way") {
  Ends all;
  for (Size i = 0; i < nodes; ++i) {
    for (Size j = 0; j < nodes; ++j) all.emplace_back(j, i);
  }
  const auto ranking = [&](const auto& layer) {
    return argsort(reshape(layer(input(), edges_of(all)).weights, {nodes, nodes, heads}), 1);
  };
  const auto all_alike = [](const Tensor& x) { return kernel::all(kernel::equal(x, slice(x, 0, 0, 1))); };
  CHECK(all_alike(ranking(exact<GraphAttention>())));
  CHECK_FALSE(all_alike(ranking(exact<DynamicGraphAttention>())));
}

TEST_CASE("graph attention costs what its edges cost: not a product for two nodes without one") {
  const auto cost = [](Size count, Size edges) {
    Rng rng(1);
    const GraphAttention layer(in, size, heads, rng);
    Ends ends;
    for (Size e = 0; e < edges; ++e) ends.emplace_back(rng.below(count), rng.below(count));
    CostCounter counter;
    layer(Var(Tensor::ones({count, in})), edges_of(ends, count));
    return counter.total().multiplications;
  };
  // W h, both halves of a; for each edge the division of the softmax and a weighted sum.
  const auto formula = [](Size count, Size edges) {
    return count * heads * size * (in + 2) + edges * heads * (1 + size);
  };
  CHECK(cost(20, 50) == formula(20, 50));
  CHECK(cost(20, 100) == formula(20, 100));
  CHECK(cost(40, 100) == formula(40, 100));
}

TEST_CASE("edges that are no edges, nodes that are not there and sizes below 1 are refused") {
  check_throws_with([] { edges_of({{0, 1}, {2, 3}}, 3); }, {"edges: ", "edge 1", "node 3 of 3"});
  check_throws_with([] { edges_of({{0, 1}, {0, 1}, {-1, 0}}, 3); }, {"edges: ", "edge 2", "node -1 of 3"});
  check_throws_with([] { edges_of({}, -1); }, {"edges: ", "-1 nodes"});
  check_throws_with([] { Edges(Tensor::zeros({2, 3}), 3); }, {"edges: ", "float32 [2, 3]", "int64 [2, E]"});
  check_throws_with([] { Edges(Tensor::from_ints({0, 1, 2}, {3, 1}), 3); }, {"edges: ", "[3, 1]"});
  check_throws_with([] { Edges(Tensor::from_ints({0, 1}, {2}), 3); }, {"edges: ", "[2]"});
  const Var fewer(random({nodes - 1, in}));
  check_throws_with([&] { exact<GraphAttention>()(fewer, edges_of(some)); },
                    {"graph attention: ", "[5, 5]", "6 nodes"});
  check_throws_with([&] { exact<DynamicGraphAttention>()(fewer, edges_of(some)); },
                    {"dynamic graph attention: ", "[5, 5]", "6 nodes"});
  Rng rng(1);
  const Rng before = rng;
  GraphAttentionOptions improbable;
  improbable.dropout = 1.5;
  check_throws_with([&] { GraphAttention(in, size, 0, rng); }, {"graph attention: ", "0 heads of 4"});
  check_throws_with([&] { GraphAttention(in, -1, 2, rng); }, {"graph attention: ", "heads of -1"});
  check_throws_with([&] { DynamicGraphAttention(0, 1, 2, rng); }, {"dynamic graph attention: ", "inputs of 0"});
  check_throws_with([&] { GraphAttention(in, size, heads, rng, improbable); }, {"graph attention: ", "1.5"});
  CHECK(rng == before);
}
