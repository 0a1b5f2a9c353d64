// Exercise 2: a checkpoint of your own. Give the gradients of Σ gy · y, with y the result of a chain of n layers, to x
// and to each weight, and remember as little as this:
//
//   forward   run the chain segment by segment without a history; of each segment remember its input, and where the
//             random stream stood before it
//   backward  from the last segment to the first: run it once more from what was remembered, now with a history, and
//             take its gradients from the gradient of its result
//
// The result is {dx, dw[0], ..., dw[n−1]}. Afterwards rng stands where one run of the chain leaves it.
//
// Useful:
//   run_part(chain, first, last, x, rng)   layers first .. last − 1
//   first_layer(chain, i, segments)        where segment i begins; segment i ends where segment i + 1 begins
//   Recording off(false);                  no history is made until the end of the scope { }
//   Rng again = before;                    a copy of a stream goes on from where it stood
//   Var::parameter(x.value())              the same numbers as a beginning, for which a gradient can be asked
//   grad(std::move(y), xs, gy)             the gradients of Σ gy · y with respect to each of xs; frees as it goes
#include "tutorials/11_memory/exercise_2_segments.hpp"

namespace attend::chapter11 {
namespace {

Vars your_gradients(const WeightedChain& chain, const Var& x, const Var& gy, Size segments, Rng& rng) {
  struct Start {
    Var x;    // the segment's input
    Rng rng;  // the random stream before it
  };
  std::vector<Start> starts;
  Vars gradients(1 + chain.weights.size());
  gradients[0] = gy;  // that of the last segment's result; becomes that of its input, and so on
  // Your lines go here: first the forward pass, which fills `starts`, then the backward pass, which fills `gradients`.

  (void)x, (void)segments, (void)rng;
  return gradients;
}

}  // namespace

std::vector<SegmentsAnswer> segments_answers() { return {{"yours", your_gradients}}; }

}  // namespace attend::chapter11
