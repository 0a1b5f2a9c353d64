// Exercise 2: how soft are weights? Their entropy, in nats:
//
//   p = softmax of scores(i, :)          entropy(i) = −Σⱼ pⱼ log pⱼ          scores [n, m], entropy [n]
//
// From log m, when all weigh the same, to 0, when one has everything. Then others weigh 0, and 0 · log 0 is to be 0:
// with scores of 0 and 1000, log(softmax(scores)) is −∞, and 0 · (−∞) is NaN.
//
// Useful, each of them a function from Var to Var:
//   softmax(x, axis), log(x)   as on paper
//   log_softmax(x, axis)       log p, from the scores themselves: x − log Σ exp(x), never infinite
//   sum(x, {axis})             along an axis, which goes
#include "tutorials/04_dot_products_and_scale/exercise_2_entropy.hpp"

namespace attend::chapter04 {
namespace {

Var entropy_of(const Var& scores) {
  Var entropy;
  // Your lines go here. At the end, entropy is [n].
  (void)scores;
  return entropy;
}

}  // namespace

std::vector<EntropyAnswer> entropy_answers() { return {{"yours", entropy_of}}; }

}  // namespace attend::chapter04
