#include "tutorials/16_conditional_and_learned/few_shot.hpp"

#include <stdexcept>

#include "nn/attention/matching.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter16 {
namespace {

constexpr Size channels = 16, features = 32;
const SnailSizes snail_sizes = {16, 32, 16};

ConvOptions with_padding(Size stride) {
  ConvOptions options;
  options.padding = 1;
  options.stride = stride;
  return options;
}

// By a quarter, `quarters` times: [N, 1, 8, 8].
Tensor turn(const Tensor& pixels, Size quarters) {
  return quarters == 0 ? pixels : turn(flip(transpose(pixels), {3}), quarters - 1);
}

// The classes of an episode, in the order of their labels.
std::vector<std::int64_t> draw_classes(const Classes& classes, Labels labels, Rng& rng) {
  std::vector<std::int64_t> order = rng.permutation(classes.size());
  if (labels == Labels::shuffled) return {order.begin(), order.begin() + ways};
  std::vector<std::int64_t> chosen(ways, -1);  // for each digit the first of its turns that comes
  for (const std::int64_t c : order) {
    std::int64_t& place = chosen[static_cast<std::size_t>(classes.digit[static_cast<std::size_t>(c)] % ways)];
    if (place < 0) place = c;
  }
  return chosen;
}

// The examples of all episodes as rows of numbers, and the queries: [B, 5, 64] and [B, n, 64].
Tensor as_rows(const Tensor& images) { return reshape(images, {images.shape()[0], images.shape()[1], side * side}); }

// Keys begin as the queries do: what looks alike scores high from the first step on. (The paper does not say how they
// begin; drawn apart they need far longer.)
std::vector<SnailBlock> snail_blocks(Rng& rng) {
  std::vector<SnailBlock> blocks;
  for (Size i = 0; i < 2; ++i) {
    blocks.emplace_back(i == 0 ? features + ways : blocks.back().width(), ways + 1, snail_sizes, rng);
    SnailAttention& attention = blocks.back().attention;
    attention.key.weight = Var::parameter(attention.query.weight.value());
  }
  return blocks;
}

}  // namespace

Classes classes_of(const lesson::Images& images, Size first, Size last, bool turned) {
  const std::vector<std::int64_t> labels = images.labels.to_ints();
  const Size turns = turned ? 4 : 1, N = images.size();
  Classes classes;
  std::vector<Tensor> all;
  for (Size quarters = 0; quarters < turns; ++quarters) {
    all.push_back(turn(images.pixels, quarters));
    for (Size digit = first; digit <= last; ++digit) {
      std::vector<std::int64_t> members;
      for (Size i = 0; i < N; ++i) {
        if (labels[static_cast<std::size_t>(i)] == digit) members.push_back(quarters * N + i);
      }
      if (members.size() < 2) {
        throw std::invalid_argument("classes_of: fewer than two images of the digit " + std::to_string(digit));
      }
      classes.members.push_back(members);
      classes.digit.push_back(digit);
    }
  }
  classes.pixels = kernel::concat(all, 0);
  return classes;
}

Episodes draw_episodes(const Classes& classes, Size episodes, Size queries, Labels labels, Rng& rng) {
  if (classes.size() < ways) {
    throw std::invalid_argument("draw_episodes: " + std::to_string(classes.size()) + " classes; an episode has five");
  }
  std::vector<std::int64_t> support, shown_labels, asked, answers;
  for (Size episode = 0; episode < episodes; ++episode) {
    const std::vector<std::int64_t> chosen = draw_classes(classes, labels, rng);
    std::vector<std::int64_t> example(ways);
    for (const std::int64_t label : rng.permutation(ways)) {
      const auto& members = classes.members[static_cast<std::size_t>(chosen[static_cast<std::size_t>(label)])];
      const std::int64_t place = rng.below(static_cast<std::int64_t>(members.size()));
      example[static_cast<std::size_t>(label)] = place;
      support.push_back(members[static_cast<std::size_t>(place)]);
      shown_labels.push_back(label);
    }
    for (Size i = 0; i < queries; ++i) {
      const std::int64_t label = rng.below(ways);
      const auto& members = classes.members[static_cast<std::size_t>(chosen[static_cast<std::size_t>(label)])];
      const auto others = static_cast<std::int64_t>(members.size()) - 1;
      const std::int64_t place = rng.below(others), taken = example[static_cast<std::size_t>(label)];
      asked.push_back(members[static_cast<std::size_t>(place == taken ? others : place)]);
      answers.push_back(label);
    }
  }
  const auto images = [&](const std::vector<std::int64_t>& ids, Size n) {
    return kernel::take(classes.pixels, 0, Tensor::from_ints(ids, {episodes, n, 1}));
  };
  return {reshape(images(support, ways), {episodes, ways, 1, side, side}),
          Tensor::from_ints(shown_labels, {episodes, ways}),
          reshape(images(asked, queries), {episodes, queries, 1, side, side}),
          Tensor::from_ints(answers, {episodes, queries})};
}

Episodes reordered(const Episodes& episodes, const std::vector<std::int64_t>& order) {
  const Tensor ids = Tensor::from_ints(order, {ways});
  return {kernel::take(episodes.support, 1, ids), kernel::take(episodes.labels, 1, ids), episodes.queries,
          episodes.answers};
}

Embed::Embed(Size width, Size size, Rng& rng)
    : first(1, width, 3, rng, with_padding(1)),
      second(width, width, 3, rng, with_padding(2)),
      out(width * side * side / 4, size, rng) {}

Var Embed::operator()(const Tensor& images) const {
  const Size B = images.shape()[0], n = images.shape()[1];
  const Var seen = relu(second(relu(first(reshape(images, {B * n, 1, side, side})))));  // [B n, channels, 4, 4]
  return standardize(reshape(out(reshape(seen, {B * n, -1})), {B, n, -1}), 1e-5);       // [B, n, features]
}

void Embed::parameters(const Visit& visit) {
  visit("first", first);
  visit("second", second);
  visit("out", out);
}

MatchingNetwork::MatchingNetwork(Rng& rng) : embed(channels, features, rng) {}

Attended MatchingNetwork::look(const Episodes& episodes) const {
  return matching_read_out(embed(episodes.queries), embed(episodes.support), one_hot(episodes.labels, ways), sharpness);
}

Snail::Snail(Rng& rng)
    : embed(channels, features, rng), blocks(snail_blocks(rng)), out(blocks.back().width(), ways, rng) {}

Var Snail::operator()(const Episodes& episodes) const {
  const Size B = episodes.size(), n = episodes.answers.shape()[1];
  const Var examples = concat({embed(episodes.support), one_hot(episodes.labels, ways)}, 2);  // [B, 5, features + 5]
  const Var queries = pad(embed(episodes.queries), 2, 0, ways);                               // [B, n, features + 5]
  const Size width = examples.shape()[2];
  const Var before = broadcast_to(unsqueeze(examples, 1), {B, n, ways, width});
  Var y = reshape(concat({before, unsqueeze(queries, 2)}, 2), {B * n, ways + 1, width});
  for (const SnailBlock& block : blocks) y = block(y).context;
  return reshape(softmax(out(select(y, 1, ways))), {B, n, ways});
}

void Snail::parameters(const Visit& visit) {
  visit("embed", embed);
  visit("blocks", blocks);
  visit("out", out);
}

Tensor nearest(const Episodes& episodes, Nearness by) {
  const Tensor support = as_rows(episodes.support), queries = as_rows(episodes.queries);
  Var near = matmul(by == Nearness::cosine ? unit_length(queries) : Var(queries),
                    transpose(by == Nearness::cosine ? unit_length(support) : Var(support)));  // [B, n, 5]
  if (by == Nearness::euclidean) near = near - unsqueeze(sum(pow(Var(support), 2), {2}), 1) / 2;
  const Tensor place = argmax(near, 2);  // [B, n]
  return kernel::gather(episodes.labels, 1, place);
}

}  // namespace attend::chapter16
