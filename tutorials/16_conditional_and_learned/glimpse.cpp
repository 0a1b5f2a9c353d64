#include "tutorials/16_conditional_and_learned/glimpse.hpp"

#include <stdexcept>

#include "nn/attention/dot_product.hpp"
#include "nn/loss.hpp"
#include "nn/schedule.hpp"
#include "nn/train.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/lesson/difference.hpp"

namespace attend::chapter16 {
namespace {

constexpr Size scrap = 4, scraps = 2, coarse = 4, width = 32;

// One place of pixels with scraps of digits, each at a place of its own.
std::vector<double> clutter(const std::vector<double>& pixels, Size digits, Rng& rng) {
  std::vector<double> place(glimpse_side * glimpse_side, 0);
  constexpr Size offsets = glimpse_side - scrap + 1;
  for (Size i = 0; i < scraps; ++i) {
    const Size from = rng.below(digits) * glimpse_side * glimpse_side;
    const Size row = rng.below(offsets), column = rng.below(offsets), to_row = rng.below(offsets),
               to_column = rng.below(offsets);
    for (Size y = 0; y < scrap; ++y) {
      for (Size x = 0; x < scrap; ++x) {
        place[static_cast<std::size_t>((to_row + y) * glimpse_side + to_column + x)] =
            pixels[static_cast<std::size_t>(from + (row + y) * glimpse_side + column + x)];
      }
    }
  }
  return place;
}

// [B, grid², 64] put together: [B, 8 grid, 8 grid].
Tensor put_together(const Tensor& places, Size grid) {
  const Size B = places.shape()[0];
  const Tensor cells = reshape(places, {B, grid, grid, glimpse_side, glimpse_side});
  return reshape(permute(cells, {0, 1, 3, 2, 4}), {B, grid * glimpse_side, grid * glimpse_side});
}

// The means of 4 × 4 pixels: [B, H, W] -> [B, H W / 16].
Tensor glance_at(const Tensor& canvas) {
  const Size B = canvas.shape()[0], n = canvas.shape()[1] / coarse;
  const Tensor blocks = reshape(canvas, {B, n, coarse, n, coarse});
  return reshape(mean(Var(blocks), {2, 4}).value(), {B, n * n});
}

}  // namespace

HiddenDigits draw_hidden(const lesson::Images& digits, Size count, Size grid, Rng& rng) {
  if (grid < 1 || count < 1) {
    throw std::invalid_argument("draw_hidden: " + std::to_string(count) + " pictures of " + std::to_string(grid) +
                                " x " + std::to_string(grid) + " places");
  }
  const std::vector<double> pixels = digits.pixels.to_vector();
  const std::vector<std::int64_t> names = digits.labels.to_ints();
  std::vector<double> all;
  std::vector<std::int64_t> places, labels;
  for (Size i = 0; i < count; ++i) {
    const Size digit = rng.below(digits.size());
    places.push_back(rng.below(grid * grid));
    labels.push_back(names[static_cast<std::size_t>(digit)]);
    for (Size place = 0; place < grid * grid; ++place) {
      const auto from = pixels.begin() + digit * glimpse_side * glimpse_side;
      const std::vector<double> cell = place == places.back()
                                           ? std::vector<double>(from, from + glimpse_side * glimpse_side)
                                           : clutter(pixels, digits.size(), rng);
      all.insert(all.end(), cell.begin(), cell.end());
    }
  }
  const Tensor cells = Tensor::from(all, {count, 1, grid * grid, glimpse_side * glimpse_side});
  const Tensor canvas = put_together(reshape(cells, {count, grid * grid, glimpse_side * glimpse_side}), grid);
  return {canvas, glance_at(canvas), cells, Tensor::from_ints(places, {count}), Tensor::from_ints(labels, {count})};
}

HiddenDigits without_glance(HiddenDigits pictures) {
  pictures.glance = Tensor::zeros(pictures.glance.shape());
  return pictures;
}

DigitSplit split_for_glimpses(const lesson::Images& digits, Rng& rng) {
  const std::vector<std::int64_t> order = rng.permutation(digits.size());
  const auto second = order.begin() + 1000, third = second + 297;
  return {digits.select({order.begin(), second}), digits.select({second, third}), digits.select({third, order.end()})};
}

Policy::Policy(Size grid, Rng& rng) : hidden(4 * grid * grid, width, rng), keys(grid * grid, width, rng) {}

Var Policy::query(const Tensor& glance) const {
  return reshape(tanh(hidden(Var(glance))), {glance.shape()[0], 1, 1, width});
}

Var Policy::key(Size B) const {
  const Size places = keys.table.shape()[0];
  return broadcast_to(keys.table, {B, 1, places, width});
}

Var Policy::scores(const Tensor& glance) const {
  const Size B = glance.shape()[0];
  const Var all = matmul(query(glance), transpose(key(B))) / std::sqrt(static_cast<double>(width));
  return reshape(all, {B, -1});
}

void Policy::parameters(const Visit& visit) {
  visit("hidden", hidden);
  visit("keys", keys);
}

Looker::Looker(Look how, Size grid, Rng& rng)
    : policy(grid, rng), first(glimpse_side * glimpse_side, 64, rng), second(64, digit_classes, rng), look(how) {}

Var Looker::classify(const Var& glimpse) const { return second(relu(first(glimpse))); }

void Looker::parameters(const Visit& visit) {
  if (look != Look::random) visit("policy", policy);
  visit("first", first);
  visit("second", second);
}

Looker untrained_looker(Look look, const LookPlan& plan, std::uint64_t seed) {
  Rng rng(seed);
  Rng weights = rng.split();
  return Looker(look, plan.grid, weights);
}

Looker learn_to_look(Look look, const LookPlan& plan, const lesson::Images& digits, std::uint64_t seed,
                     const WatchLooker& watch) {
  Rng rng(seed);
  rng.split();  // of the first weights
  Rng draws = rng.split();
  Looker looker = untrained_looker(look, plan, seed);
  Adam adam(plan.rate);
  const auto loss_of = [&](const Looker& now, Rng& stream) {
    const HiddenDigits drawn = draw_hidden(digits, plan.batch, plan.grid, stream);
    const HiddenDigits seen = plan.blind ? without_glance(drawn) : drawn;
    const Var q = now.policy.query(seen.glance), k = now.policy.key(plan.batch);
    const auto named = [&](const Var& glimpse) { return reshape(now.classify(glimpse), {plan.batch, digit_classes}); };
    if (look == Look::soft) return cross_entropy(named(scaled_dot_attention(q, k, seen.glimpses).context), seen.labels);

    const HardAttended looked = hard_attention(look == Look::hard ? q : 0.0 * q, k, seen.glimpses, stream);
    const Var scores = named(looked.context), loss = cross_entropy(scores, seen.labels);
    if (look == Look::random) return loss;
    const Tensor rewards = kernel::cast(kernel::equal(argmax(scores, 1), seen.labels), DType::float32);
    const double baseline = plan.with_baseline ? mean(Var(rewards)).item() : 0;
    return loss - plan.sign * reinforce(reshape(looked.log_probability, {plan.batch}), rewards, baseline);
  };
  for (Size step = 1; step <= plan.steps; ++step) {
    adam.learning_rate = cosine_rate(step, plan.rate, plan.steps);
    const double loss = train_step(looker, adam, loss_of, draws, {step, 1.0}).loss;
    watch(step, loss, looker);
  }
  return looker;
}

Looked look_at(const Looker& looker, const HiddenDigits& pictures, Rng& rng) {
  const Recording off(false);
  const Size B = pictures.labels.size(), places = pictures.glimpses.shape()[2];
  const Var p = softmax(looker.policy.scores(pictures.glance));  // [B, places]
  const Tensor even = Tensor::full({B, places}, 1.0 / static_cast<double>(places));
  const Tensor on_digit = one_hot(pictures.place, places);
  const Tensor chosen = looker.look == Look::random ? draw(even, rng) : argmax(p, 1);
  const Var weights = looker.look == Look::soft ? p : Var(one_hot(chosen, places));
  const Var glimpse = matmul(unsqueeze(weights, 1), reshape(pictures.glimpses, {B, places, -1}));  // [B, 1, 64]
  return {mean(sum(weights * on_digit, {1})).item(),
          lesson::share_equal(argmax(squeeze(looker.classify(glimpse), {1}), 1), pictures.labels)};
}

Tensor all_rewards(const Looker& looker, const HiddenDigits& pictures) {
  const Recording off(false);
  const Size B = pictures.labels.size(), places = pictures.glimpses.shape()[2];
  const Var all = looker.classify(reshape(pictures.glimpses, {B, places, -1}));  // [B, places, 10]
  return kernel::cast(kernel::equal(argmax(all, 2), reshape(pictures.labels, {B, 1})), DType::float64);
}

}  // namespace attend::chapter16
