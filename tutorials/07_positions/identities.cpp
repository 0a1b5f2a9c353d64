#include "tutorials/07_positions/identities.hpp"

#include <algorithm>
#include <cmath>

#include "nn/gradcheck.hpp"
#include "nn/position/rotary.hpp"
#include "nn/position/three_d.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/07_positions/geometry.hpp"
#include "tutorials/07_positions/reader.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/gradients.hpp"

namespace attend::chapter07 {
namespace {

using lesson::largest_difference;

constexpr Size B = 2, T = 6;
const ReaderSize small{7, 12, 3, 5, 1, 11, 2, 8};  // most = 2 and 8 buckets: all of their cases occur in 11 positions

Tensor random(const Shape& shape, Rng& rng) { return rng.normal(shape, 0, 1, DType::float64); }

Tensor products(const Var& q, const Var& k) { return matmul(q, transpose(k)).value(); }

// Without a bias of the keys, whose gradient is 0 where keys are not turned: it adds the same to all scores of a query.
PositionedAttention without_key_bias(PositionedAttention layer) {
  (layer.heads ? *layer.heads : layer.relative->heads).key_projection.bias = Var();
  return layer;
}

PositionedAttention exact_layer(Scheme scheme, Fault fault, Rng& rng) {
  return cast(PositionedAttention(small, scheme, scheme_of(fault) == scheme ? fault : Fault::none, rng),
              DType::float64);
}

// Hides the keys before `first` from all queries.
Mask hidden_before(Size first, Size length) {
  std::vector<double> visible(static_cast<std::size_t>(length), 1);
  std::fill(visible.begin(), visible.begin() + first, 0);
  const Tensor row = kernel::cast(Tensor::from(visible, {1, length}, DType::float64), DType::boolean);
  return Mask(row) & causal_mask(length, length);
}

// What five tokens in front, which nobody may look at, change in the results of the others.
double change_by_hidden_front(const PositionedAttention& layer, const Tensor& x, const Tensor& front) {
  const Size before = front.shape()[1];
  const Var alone = layer(x, causal_mask(T, T)).context;
  const Var behind = layer(kernel::concat({front, x}, 1), hidden_before(before, before + T)).context;
  return largest_difference(alone.value(), slice(behind.value(), 1, before, T));
}

}  // namespace

void claim_sinusoids(lesson::Claims& claims) {
  constexpr Size n = 96, width = 64;
  double residual = 0;
  for (Size k : {1, 3, 24, 1000}) residual = std::max(residual, shift_residual(k, n, width));
  claims.below("P(p + k) against R(k) P(p), p to 95, k = 1, 3, 24, 1000", residual, 1e-11);

  const Var P(sinusoidal_positions(n, width, 0, 10000, DType::float64));
  const Tensor lengths = sqrt(sum(P * P, {1})).value();
  claims.below("every position has the length √(width / 2), difference",
               largest_difference(lengths, Tensor::full({n}, std::sqrt(width / 2.0), DType::float64)), 1e-13);
  const Tensor gram = products(P, P);
  claims.below("P(p) · P(s) depends on p − s only, largest spread", spread_by_distance(gram, {1, 1, n}), 1e-12);
  claims.below("and is the same k ahead and k behind, difference", largest_difference(gram, transpose(gram)), 1e-12);
}

void claim_rotary(lesson::Claims& claims) {
  constexpr Size n = 48, d = 18;
  const Extent video{3, 4, 5};
  Rng rng(3);
  const Tensor query = random({1, d}, rng), key = random({1, d}, rng);
  const auto everywhere = [](const Tensor& x, Size places) { return broadcast_to(Var(x), {places, d}); };

  const Var q = rotary(everywhere(query, n)), k = rotary(everywhere(key, n));
  claims.below("rotary: one query and one key at 48 × 48 places: spread at a distance",
               spread_by_distance(products(q, k), {1, 1, n}), 1e-12);
  claims.below("rotary: what is turned keeps its length, difference",
               largest_difference(sum(q * q, {1}).value(), sum(everywhere(query, n) * query, {1}).value()), 1e-12);
  const Var q3 = rotary_3d(everywhere(query, video.count()), video),
            k3 = rotary_3d(everywhere(key, video.count()), video);
  claims.below("rotary in 3-D: spread at the same distances in time, height, width",
               spread_by_distance(products(q3, k3), video), 1e-12);
  const Var P(sinusoidal_positions_3d(video, d, DType::float64));
  claims.below("sinusoids in 3-D: the same", spread_by_distance(products(P, P), video), 1e-12);

  // Counted through in rows, a step to the right and the jump from a line's end to the next line are one distance.
  const auto step_and_jump = [](const Tensor& all) { return std::fabs(all.at({3, 4}) - all.at({4, 5})); };
  const Var q1 = rotary(everywhere(query, video.count())), k1 = rotary(everywhere(key, video.count()));
  claims.below("cells counted in one row: a step to the right, less a jump to the next line",
               step_and_jump(products(q1, k1)), 1e-12);
  claims.at_least("rotary in 3-D tells them apart", step_and_jump(products(q3, k3)), 0.1);
}

void claim_shift_invariance(Fault fault, lesson::Claims& claims) {
  Rng rng(4);
  const Tensor x = random({B, T, small.size}, rng), front = random({B, 5, small.size}, rng);
  for (Scheme scheme : {Scheme::rotary, Scheme::relative, Scheme::buckets, Scheme::alibi}) {
    const PositionedAttention layer = exact_layer(scheme, fault, rng);
    claims.below(name_of(scheme) + ": five hidden tokens in front change", change_by_hidden_front(layer, x, front),
                 1e-12);
  }
  const PositionedAttention plain = exact_layer(Scheme::none, Fault::none, rng);
  const Var all = Var(kernel::concat({front, x}, 1)), moved = add_sinusoidal_positions(all);
  const Var alone = plain(add_sinusoidal_positions(Var(x)), causal_mask(T, T)).context;
  const Var behind = plain(moved, hidden_before(5, 5 + T)).context;
  claims.at_least("sinusoids added to the tokens: they change",
                  largest_difference(alone.value(), slice(behind.value(), 1, 5, T)), 0.01);

  const Mask causal = causal_mask(T, T);
  const Var scores(random({B, 4, T, T}, rng));
  std::vector<double> places;
  for (Size j = 0; j < T; ++j) places.push_back(static_cast<double>(j));
  const Var by_place = reshape(Var(alibi_slopes(4)), {1, 4, 1, 1}) * Var(Tensor::from(places, {T}, DType::float64));
  claims.below("ALiBi: −m (i − j) and + m j are the same to a causal softmax, difference",
               largest_difference(attention_weights(scores + alibi_bias(4, T, T, DType::float64), causal).value(),
                                  attention_weights(scores + by_place, causal).value()),
               1e-14);
}

void claim_position_gradients(std::uint64_t seed, lesson::Claims& claims) {
  Rng rng(seed);
  GradcheckOptions settings;
  settings.seed = seed;
  settings.most_elements = 24;
  const std::vector<Tensor> inputs = {random({B, T, small.size}, rng)};
  std::vector<GradcheckReport> reports;
  for (Scheme scheme : {Scheme::rotary, Scheme::relative, Scheme::buckets, Scheme::alibi}) {
    const auto call = [](const PositionedAttention& layer, const Vars& in) {
      return layer(in[0], causal_mask(T, T)).context;
    };
    reports.push_back(gradcheck_layer("attention, " + name_of(scheme),
                                      without_key_bias(exact_layer(scheme, Fault::none, rng)), inputs, call, settings));
  }
  reports.push_back(gradcheck_layer(
      "learned positions", LearnedPositions(11, small.size, rng), inputs,
      [](const LearnedPositions& layer, const Vars& in) { return tanh(layer(in[0], 3)); }, settings));
  lesson::claim_gradients(std::move(reports), claims);
}

}  // namespace attend::chapter07
