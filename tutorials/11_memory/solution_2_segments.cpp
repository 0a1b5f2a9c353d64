// Solution of exercise 2.
#include <algorithm>

#include "tutorials/11_memory/exercise_2_segments.hpp"

namespace attend::chapter11 {
namespace {

Vars solved(const WeightedChain& chain, const Var& x, const Var& gy, Size segments, Rng& rng) {
  struct Start {
    Var x;    // the segment's input
    Rng rng;  // the random stream before it
  };
  std::vector<Start> starts;
  Vars gradients(1 + chain.weights.size());
  gradients[0] = gy;  // that of the last segment's result; becomes that of its input, and so on
  {
    const Recording off(false);
    Var y = x;
    for (Size i = 0; i < segments; ++i) {
      starts.push_back({y, rng});
      y = run_part(chain, first_layer(chain, i, segments), first_layer(chain, i + 1, segments), y, rng);
    }
  }
  for (Size i = segments - 1; i >= 0; --i, starts.pop_back()) {
    const Size first = first_layer(chain, i, segments), last = first_layer(chain, i + 1, segments);
    Vars asked(chain.weights.begin() + first, chain.weights.begin() + last);
    asked.insert(asked.begin(), Var::parameter(starts.back().x.value()));
    Var y = run_part(chain, first, last, asked[0], starts.back().rng);
    const Vars found = grad(std::move(y), asked, gradients[0]);
    gradients[0] = found[0];
    std::copy(found.begin() + 1, found.end(), gradients.begin() + 1 + first);
  }
  return gradients;
}

}  // namespace

std::vector<SegmentsAnswer> segments_answers() { return {{"the solution", solved}}; }

}  // namespace attend::chapter11
