// Exercise 1: causal linear attention by chunks. Position i sees the positions 0 .. i:
//
//   context_i = Σ_j (φ(q_i) · φ(k_j)) v_j / Σ_j (φ(q_i) · φ(k_j))        j <= i
//
// What stands before a chunk of c positions comes from two running sums, and only within the chunk are pairs formed:
//
//   S = Σ φ(k_j) v_jᵀ   [m, dv]    z = Σ φ(k_j)   [m, 1]     of all positions before the chunk; 0 at first
//   P = φ(q) φ(k)ᵀ      [c, c]     of the chunk, 0 where the key comes after the query
//   context = (φ(q) S + P v) / (φ(q) z + row sums of P)      [c, dv]
//   then S and z take in the chunk.
//
// No more than T · c pairs may be formed.
//
// Useful:
//   slice(x, 0, start, count)                  some rows
//   causal_mask(c, c).for_scores({1, c, c})    bool [1, c, c]: whether the key comes at or before the query
//   where(condition, a, b)                     a where it is true, else b
//   sum(x, {axis}, true)                       keeps the axis, with size 1
//   matmul(a, b), transpose(x), reshape(x, shape), concat(parts, 0)
#include "tutorials/13_low_rank_and_kernels/exercise_1_chunks.hpp"

#include "nn/mask.hpp"

namespace attend::chapter13 {
namespace {

Var your_chunks(const Var& fq, const Var& fk, const Var& v, Size c) {
  const Size T = v.shape()[0], m = fk.shape()[1], dv = v.shape()[1];
  const Tensor none = Tensor::zeros({}, v.dtype());
  const Tensor seen = reshape(causal_mask(c, c).for_scores({1, c, c}), {c, c});
  Var S = Tensor::zeros({m, dv}, v.dtype()), z = Tensor::zeros({m, 1}, v.dtype());
  Vars contexts;
  for (Size start = 0; start < T; start += c) {
    // Your lines go here: one chunk, [c, dv], is added to `contexts`.

    (void)fq, (void)seen, (void)none, (void)S, (void)z;
  }
  return contexts.empty() ? Var() : concat(contexts, 0);
}

}  // namespace

std::vector<ChunksAnswer> chunks_answers() { return {{"yours", your_chunks}}; }

}  // namespace attend::chapter13
