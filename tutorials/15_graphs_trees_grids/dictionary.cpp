#include "tutorials/15_graphs_trees_grids/dictionary.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "nn/embedding.hpp"
#include "tutorials/lesson/difference.hpp"

namespace attend::chapter15 {
namespace {

Size checked(Size keys) {
  if (keys >= 2 && keys <= 5) return keys;
  throw std::invalid_argument("dictionary: " + std::to_string(keys) + " keys; 2 to 5 have few enough orderings");
}

template <class Layer>
struct LookupNetwork {
  static constexpr Size width = 16;
  Embedding symbols, values;
  Layer attention;
  Linear output;

  LookupNetwork(Size keys, const GraphAttentionOptions& options, Rng& rng)
      : symbols(2 * keys, width, rng),
        values(keys + 1, width, rng),
        attention(width, width, 1, rng, options),
        output(width, keys, rng) {}
  Attended looks(const Dictionary& of) const {
    return attention(symbols(ids_of(of.symbols)) + values(ids_of(of.values)), of.edges);
  }
  Var operator()(const Dictionary& of) const { return output(take(looks(of).context, 0, ids_of(of.queries))); }
  void parameters(const Visit& visit) {
    visit("symbols", symbols);
    visit("values", values);
    visit("attention", attention);
    visit("output", output);
  }
};

template <class Layer>
LookedUp look_up_with(const Dictionary& dictionary, double slope, Size steps, Rng& rng) {
  GraphAttentionOptions options;
  options.slope = slope;
  LookupNetwork<Layer> network(dictionary.keys, options, rng);
  Adam adam(0.01);
  const Tensor wanted = ids_of(dictionary.wanted);
  for (Size step = 0; step < steps; ++step) {
    adam.step(network, grad(cross_entropy(network(dictionary), wanted), parameters(network)));
  }
  const Recording off(false);
  const Size k = dictionary.keys;
  const Var first = reshape(slice(network.looks(dictionary).weights, 0, 0, k * k), {k, k});  // query by query
  return {lesson::share_equal(argmax(network(dictionary), 1), wanted),
          (dictionary.turned ? transpose(first) : first).value()};
}

}  // namespace

Dictionary::Dictionary(Size number_of_keys, bool turn)
    : keys(checked(number_of_keys)), turned(turn), edges(Tensor::from_ints({}, {2, 0}), 0) {
  std::vector<std::int64_t> ordering(static_cast<std::size_t>(keys)), from, to;
  std::iota(ordering.begin(), ordering.end(), 0);
  do {
    const Size first = static_cast<Size>(symbols.size());
    for (Size key = 0; key < keys; ++key) {
      symbols.push_back(key);
      values.push_back(ordering[static_cast<std::size_t>(key)]);
    }
    for (Size key = 0; key < keys; ++key) {
      symbols.push_back(keys + key);
      values.push_back(keys);
      queries.push_back(first + keys + key);
      wanted.push_back(ordering[static_cast<std::size_t>(key)]);
      for (Size source = first; source < first + keys; ++source) {
        from.push_back(source);
        to.push_back(queries.back());
      }
    }
  } while (std::next_permutation(ordering.begin(), ordering.end()));
  if (turned) std::swap(from, to);
  const Size count = static_cast<Size>(from.size());
  from.insert(from.end(), to.begin(), to.end());
  edges = Edges(Tensor::from_ints(from, {2, count}), static_cast<Size>(symbols.size()));
}

LookedUp look_up(GraphKind kind, const Dictionary& dictionary, double slope, Size steps, Rng& rng) {
  if (kind == GraphKind::mean) return look_up_with<NeighbourMean>(dictionary, slope, steps, rng);
  if (kind == GraphKind::attention) return look_up_with<GraphAttention>(dictionary, slope, steps, rng);
  return look_up_with<DynamicGraphAttention>(dictionary, slope, steps, rng);
}

Size contested_pairs(const Tensor& weights) {
  constexpr double rounding = 1e-5;
  const Size rows = weights.shape()[0], columns = weights.shape()[1];
  const auto some_row_prefers = [&](Size a, Size b) {
    for (Size row = 0; row < rows; ++row) {
      if (weights.at({row, a}) > weights.at({row, b}) + rounding) return true;
    }
    return false;
  };
  Size contested = 0;
  for (Size a = 0; a < columns; ++a) {
    for (Size b = 0; b < a; ++b) contested += some_row_prefers(a, b) && some_row_prefers(b, a) ? 1 : 0;
  }
  return contested;
}

}  // namespace attend::chapter15
