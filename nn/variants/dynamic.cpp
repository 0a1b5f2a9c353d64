#include <cmath>

#include "nn/attention/entmax.hpp"
#include "nn/variants/heads.hpp"

namespace attend {
namespace {

constexpr Size chosen = 8;  // scores that top-k attention keeps

// All pairs: two products, the normalisation of the weights, the scale of the queries.
Size pairs_multiplications(Size T, Size d) { return 2 * T * T * d + T * T + T * d; }

Var some_scores() {
  Rng rng(11);
  return rng.normal({6, 9}, 0, 1, DType::float64);
}

// The rank of the symmetric Jacobian of sparsemax at x [n] against the size of its support − 1, which it should be.
double rank_apart(const Var& x) {
  const Var leaf = Var::parameter(x.value()), y = sparsemax(leaf);
  double trace = 0, support = 0;  // a projection: its trace is its rank
  for (Size i = 0; i < x.size(); ++i) {
    trace += select(grad(select(y, 0, i), {leaf})[0], 0, i).item();
    support += y.value().at({i}) > 0 ? 1 : 0;
  }
  return std::abs(trace - (support - 1));
}

std::vector<Identity> entmax_identities() {
  return {
      {"weights of sparsemax add up to 1", 1e-14,
       [] { return apart(sum(sparsemax(some_scores()), {-1}), Tensor::ones({6}, DType::float64)); }},
      {"sparsemax of a point of the simplex = that point", 1e-15,
       [] {
         const Var point = softmax(some_scores());
         return apart(sparsemax(point), point);
       }},
      {"sparsemax of two classes = a ramp, (1 + x1 − x2) / 2 between 0 and 1", 1e-15,
       [] {
         const Var x = reshape(some_scores(), {27, 2}), first = select(x, 1, 0), second = select(x, 1, 1);
         return apart(select(sparsemax(x), 1, 0), clamp((1 + first - second) / 2, 0, 1));
       }},
      {"the Jacobian of sparsemax has the rank support − 1", 1e-13,
       [] { return rank_apart(select(0.3 * some_scores(), 0, 0)); }},
      {"entmax with alpha = 2 = sparsemax", 0,
       [] { return apart(entmax(some_scores(), 2), sparsemax(some_scores())); }},
      {"entmax with alpha = 1 + 1e-7 = softmax", 1e-6,
       [] { return apart(entmax(some_scores(), 1 + 1e-7), softmax(some_scores())); }},
      {"entmax attention with alpha = 1 = softmax attention", 1e-12,
       [] {
         const Heads in(9);
         return apart(in(EntmaxAttention(1)), in(SoftmaxAttention()));
       }},
      {"top-k attention with k = T = softmax attention", 1e-12,
       [] {
         const Heads in(9);
         return apart(in(TopKAttention(9)), in(SoftmaxAttention()));
       }},
      {"top-k attention with k = 1 = the value of the best key", 0,
       [] {
         const Heads in(9);
         const Tensor best = argmax(matmul(in.q, transpose(in.k)), 3);
         return apart(in(TopKAttention(1)), matmul(one_hot(best, 9, DType::float64), in.v));
       }},
  };
}

}  // namespace

Family dynamic_family() {
  using namespace trait;
  Family family;
  family.name = "dynamic";
  family.variants = {
      {"sparsemax", "Martins, Astudillo 2016 (arXiv:1602.02068)", causal | padding | equivariant | averages | kinked,
       [](Size, Size, Rng&) { return AttentionCore(SparsemaxAttention()); }, pairs_multiplications},
      {"entmax 1.5", "Peters, Niculae, Martins 2019 (arXiv:1905.05702)", causal | padding | equivariant | averages,
       [](Size, Size, Rng&) { return AttentionCore(EntmaxAttention(1.5)); }, pairs_multiplications},
      {"top-k", "Gupta, Dar, Goodman, Ciprut, Berant 2021 (arXiv:2106.06899)",
       causal | padding | equivariant | averages, [](Size, Size, Rng&) { return AttentionCore(TopKAttention(chosen)); },
       pairs_multiplications},
  };
  for (const auto& identities : {entmax_identities()}) {
    family.identities.insert(family.identities.end(), identities.begin(), identities.end());
  }
  return family;
}

}  // namespace attend
