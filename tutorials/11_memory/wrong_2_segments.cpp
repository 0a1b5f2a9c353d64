// Wrong answers to exercise 2, each with the bug that the check must name.
#include <algorithm>

#include "tutorials/11_memory/exercise_2_segments.hpp"

namespace attend::chapter11 {
namespace {

Vars with_x(const Var& x, const Vars& weights) {
  Vars all = weights;
  all.insert(all.begin(), x);
  return all;
}

enum class Slip { none, records, fresh_stream, goes_on, moves_twice, gy_everywhere, whole_chain, keeps_histories };

// The solution, with one slip.
Vars with_slip(const WeightedChain& chain, const Var& x, const Var& gy, Size segments, Rng& rng, Slip slip) {
  struct Start {
    Var x;
    Rng rng;
  };
  std::vector<Start> starts;
  Vars gradients(1 + chain.weights.size());
  {
    const Recording recording(slip == Slip::records);
    Var y = x;
    for (Size i = 0; i < segments; ++i) {
      starts.push_back({y, slip == Slip::fresh_stream ? Rng(1) : rng});
      y = run_part(chain, first_layer(chain, i, segments), first_layer(chain, i + 1, segments), y, rng);
    }
  }
  gradients[0] = gy;
  Vars kept;
  for (Size i = segments - 1; i >= 0; --i) {
    const Size first = first_layer(chain, i, segments), last = first_layer(chain, i + 1, segments);
    Start& start = starts[static_cast<std::size_t>(i)];
    const Vars asked =
        with_x(Var::parameter(start.x.value()), Vars(chain.weights.begin() + first, chain.weights.begin() + last));
    Rng& stream = slip == Slip::goes_on ? rng : start.rng;
    Var y = run_part(chain, first, last, asked[0], stream);
    if (slip == Slip::keeps_histories) kept.push_back(y);
    const Vars found = grad(std::move(y), asked, slip == Slip::gy_everywhere ? gy : gradients[0]);
    gradients[0] = found[0];
    std::copy(found.begin() + 1, found.end(), gradients.begin() + 1 + first);
  }
  if (slip == Slip::moves_twice) run_part(chain, 0, static_cast<Size>(chain.weights.size()), x, rng);
  return gradients;
}

Vars unsolved(const WeightedChain& chain, const Var&, const Var& gy, Size, Rng&) {
  Vars gradients(1 + chain.weights.size());
  gradients[0] = gy;
  return gradients;
}
Vars nothing(const WeightedChain&, const Var&, const Var&, Size, Rng&) { return {}; }
Vars only_x(const WeightedChain& chain, const Var& x, const Var& gy, Size, Rng& rng) {
  Vars gradients(1 + chain.weights.size());
  const Var leaf = Var::parameter(x.value());
  gradients[0] = grad(run_part(chain, 0, static_cast<Size>(chain.weights.size()), leaf, rng), {leaf}, gy)[0];
  return gradients;
}
Vars plain(const WeightedChain& chain, const Var& x, const Var& gy, Size, Rng& rng) {
  const Var leaf = Var::parameter(x.value());
  return grad(run_part(chain, 0, static_cast<Size>(chain.weights.size()), leaf, rng), with_x(leaf, chain.weights), gy);
}
template <Slip slip>
Vars slipped(const WeightedChain& chain, const Var& x, const Var& gy, Size segments, Rng& rng) {
  return with_slip(chain, x, gy, segments, rng, slip);
}
Vars one_short(const WeightedChain& chain, const Var& x, const Var& gy, Size segments, Rng& rng) {
  Vars gradients = slipped<Slip::none>(chain, x, gy, segments, rng);
  if (segments == 1) gradients.pop_back();
  return gradients;
}
Vars one_undefined(const WeightedChain& chain, const Var& x, const Var& gy, Size segments, Rng& rng) {
  Vars gradients = slipped<Slip::none>(chain, x, gy, segments, rng);
  if (segments == 3) gradients[2] = Var();
  return gradients;
}
Vars backwards(const WeightedChain& chain, const Var& x, const Var& gy, Size segments, Rng& rng) {
  Vars gradients = slipped<Slip::none>(chain, x, gy, segments, rng);
  std::reverse(gradients.begin() + 1, gradients.end());
  return gradients;
}

}  // namespace

std::vector<SegmentsAnswer> segments_answers() {
  return {
      {"the hole is not filled", unsolved, "not filled"},
      {"nothing comes back", nothing, "come back: 0"},
      {"with 1 segment the last weight is missing", one_short, "come back: 5"},
      {"with 3 segments a weight is missing", one_undefined, "not all gradients are there"},
      {"the weights are missing", only_x, "weights have none"},
      {"the whole chain is remembered", plain, "whole chain"},
      {"the forward pass records", slipped<Slip::records>, "whole chain"},
      {"histories are kept", slipped<Slip::keeps_histories>, "whole chain"},
      {"a stream of its own", slipped<Slip::fresh_stream>, "other random numbers"},
      {"the stream goes on", slipped<Slip::goes_on>, "where the first run left it"},
      {"the stream moves twice", slipped<Slip::moves_twice>, "moved twice"},
      {"gy for every segment", slipped<Slip::gy_everywhere>, "gy belongs to the last"},
      {"gradients from the last layer on", backwards, "order"},
  };
}

}  // namespace attend::chapter11
