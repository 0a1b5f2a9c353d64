#include "nn/attention/local.hpp"
#include "nn/variants/heads.hpp"

namespace attend {
namespace {

constexpr Size window = 4;  // on each side, in the usual settings

// One head of softmax attention: two products, the division of the softmax, the scale of the queries.
Size softmax_multiplications(Size T, Size d) { return 2 * T * T * d + T * T + T * d; }

}  // namespace

Family sparse_family() {
  using namespace trait;
  Family family;
  family.name = "sparse";
  family.variants = {
      {"softmax", "Vaswani et al. 2017 (arXiv:1706.03762)", causal | padding | equivariant | averages,
       [](Size, Size, Rng&) { return AttentionCore(SoftmaxAttention()); }, softmax_multiplications},
      {"local window", "Beltagy, Peters, Cohan 2020 (arXiv:2004.05150)", causal | padding | averages,
       [](Size, Size, Rng&) { return AttentionCore(LocalAttention(window, window)); },
       [](Size T, Size d) { return local_multiplications(T, d, window, window); }},
  };
  family.identities = {
      {"local window that reaches all keys = softmax attention", 1e-12,
       [] {
         const Heads in(9);
         return apart(in(LocalAttention(8, 8)), in(SoftmaxAttention()));
       }},
      {"local window of 0 = the values themselves", 0,
       [] {
         const Heads in(9);
         return apart(in(LocalAttention(0, 0)), in.v);
       }},
      {"local window by blocks = softmax attention under a band mask", 1e-12,
       [] {
         const Heads in(23);
         return apart(in(LocalAttention(3, 2)), in(SoftmaxAttention(), band_mask(23, 23, 3, 2)));
       }},
  };
  return family;
}

}  // namespace attend
