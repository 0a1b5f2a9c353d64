// Exercise 1: teacher forcing. A decoder learns all steps of a text at once: at each place it reads the right words up
// to there, and is to write the next one.
//
//   target   begin  zwei   und      vierzig  end      int64 [B, T]; shorter texts are filled up with padding
//   given    ...                                      int64 [B, T − 1]: what the decoder reads
//   wanted   ...                                      int64 [B, T − 1]: what it is to write at each place
//   mask     [T − 1, T − 1]: may place i of `given` look at place j? A place sees itself and what stands before it.
//
// Useful:
//   slice(x, axis, start, count)                     `count` neighbours along an axis, from `start` on
//   target.shape()[1]                                T
//   Mask(Tensor::from_bools(allowed, {n, n}))        from std::vector<bool>, row after row; true = may look
//   causal_mask(n, n)                                the library's own; try without it first
#include "tutorials/08_transformer/exercise_1_forcing.hpp"

#include "tensor/tensor.hpp"

namespace attend::chapter08 {

Forced force(const Tensor& target) {
  Forced forced;
  // Your lines go here; the first one is written.
  const Size n = target.shape()[1] - 1;

  (void)n;
  return forced;
}

std::vector<ForcingAnswer> forcing_answers() { return {{"yours", force}}; }

}  // namespace attend::chapter08
