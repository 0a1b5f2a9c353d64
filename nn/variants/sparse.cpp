#include <cmath>
#include <cstdlib>

#include "nn/attention/big_bird.hpp"
#include "nn/attention/dilated.hpp"
#include "nn/attention/global_tokens.hpp"
#include "nn/attention/local.hpp"
#include "nn/attention/strided.hpp"
#include "nn/variants/heads.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

constexpr Size window = 4;    // on each side, in the usual settings
constexpr Size dilation = 2;  // of every other position
constexpr BigBirdOptions random_blocks{2, 0, 2, 0}, big_bird{2, 1, 2, 1};

// The stride, or block, for which a query sees O(√T) keys.
Size root(Size T) { return static_cast<Size>(std::lround(std::sqrt(static_cast<double>(T)))); }

// One head of softmax attention: two products, the division of the softmax, the scale of the queries.
Size softmax_multiplications(Size T, Size d) { return attention_multiplications(T, d, T * T); }

// The mask with sees(i, j) for query i and key j: what each variant is held against.
template <class Sees>
Mask mask_of(Size T, Sees sees) {
  std::vector<bool> allowed;
  for (Size i = 0; i < T; ++i) {
    for (Size j = 0; j < T; ++j) allowed.push_back(sees(i, j));
  }
  return Mask(Tensor::from_bools(allowed, {T, T}));
}

// Which keys a query has a weight for, in the first head: [T, T], 1 or 0.
Tensor pattern(const Heads& in, const AttentionCore& core, const Mask& mask = {}) {
  const Size T = in.q.shape()[2];
  const Tensor map = attention_map(core, in.q, in.k, mask).value();
  const Tensor first = reshape(slice(slice(map, 0, 0, 1), 1, 0, 1), {T, T});
  return kernel::cast(kernel::greater(first, Tensor::zeros({}, first.dtype())), DType::float64);
}

// What is reached in a step of the first and then one of the second pattern.
Tensor two_steps(const Tensor& first, const Tensor& second) {
  const Tensor ways = kernel::matmul(second, first);
  return kernel::cast(kernel::greater(ways, Tensor::zeros({}, DType::float64)), DType::float64);
}

Tensor as_numbers(const Mask& mask, Size T) { return kernel::cast(reshape(mask.allowed(), {T, T}), DType::float64); }

double count(const Tensor& pattern) { return kernel::sum(pattern, {0, 1}, false).item(); }

std::vector<Variant> sparse_variants() {
  using namespace trait;
  const auto big_bird_row = [](const char* name, const BigBirdOptions& how) {
    return Variant{name, "Zaheer et al. 2020 (arXiv:2007.14062)", padding | averages,
                   [how](Size T, Size, Rng& rng) { return AttentionCore(BigBirdAttention(T, how, rng)); },
                   [how](Size T, Size d) { return big_bird_multiplications(T, d, how); }};
  };
  return {
      {"softmax", "Vaswani et al. 2017 (arXiv:1706.03762)", causal | padding | equivariant | averages,
       [](Size, Size, Rng&) { return AttentionCore(SoftmaxAttention()); }, softmax_multiplications},
      {"local window", "Beltagy, Peters, Cohan 2020 (arXiv:2004.05150)", causal | padding | averages,
       [](Size, Size, Rng&) { return AttentionCore(LocalAttention(window, window)); },
       [](Size T, Size d) { return local_multiplications(T, d, window, window); }},
      {"dilated window", "Beltagy, Peters, Cohan 2020 (arXiv:2004.05150)", causal | padding | averages,
       [](Size, Size, Rng&) { return AttentionCore(DilatedAttention(window, window, dilation)); },
       [](Size T, Size d) { return dilated_multiplications(T, d, window, window, dilation); }},
      {"strided", "Child et al. 2019 (arXiv:1904.10509)", causal | padding | averages,
       [](Size T, Size, Rng&) { return AttentionCore(StridedAttention(root(T))); },
       [](Size T, Size d) { return strided_multiplications(T, d, root(T)); }},
      {"fixed", "Child et al. 2019 (arXiv:1904.10509)", causal | padding | averages,
       [](Size T, Size, Rng&) { return AttentionCore(FixedAttention(root(T), 1)); },
       [](Size T, Size d) { return fixed_multiplications(T, d, root(T), 1); }},
      {"global tokens", "Beltagy, Peters, Cohan 2020 (arXiv:2004.05150)", padding | averages,
       [](Size, Size, Rng&) { return AttentionCore(GlobalTokenAttention(window, {0})); },
       [](Size T, Size d) { return global_token_multiplications(T, d, window, 1); }},
      big_bird_row("random blocks", random_blocks),
      big_bird_row("BigBird", big_bird),
  };
}

std::vector<Identity> window_identities() {
  return {
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
      {"two layers of a local window w reach as far as 2w, and all within", 0,
       [] {
         const Heads in(23);
         const Tensor once = pattern(in, LocalAttention(3, 2));
         return largest_difference(two_steps(once, once), as_numbers(band_mask(23, 23, 6, 4), 23));
       }},
      {"dilated window of dilation 1 = local window", 0,
       [] {
         const Heads in(23);
         return apart(in(DilatedAttention(3, 2, 1)), in(LocalAttention(3, 2)));
       }},
      {"dilated window, every third position of it = local window over every third position", 0,
       [] {
         const Heads in(23);
         const auto every_third = [](const Var& x) { return slice(x, 2, 1, 8, 3); };
         const Var alone = LocalAttention(3, 2)(every_third(in.q), every_third(in.k), every_third(in.v)).context;
         return apart(every_third(in(DilatedAttention(3, 2, 3))), alone);
       }},
      {"dilated window by residues = softmax attention under its mask", 1e-12,
       [] {
         const Heads in(23);
         const Mask mask =
             mask_of(23, [](Size i, Size j) { return (i - j) % 3 == 0 && i - j <= 3 * 3 && j - i <= 2 * 3; });
         return apart(in(DilatedAttention(3, 2, 3)), in(SoftmaxAttention(), mask));
       }},
      {"two layers of a dilated window w reach 2w · dilation, in the residue of the query alone", 0,
       [] {
         const Heads in(23);
         const Tensor once = pattern(in, DilatedAttention(2, 2, 3));
         const Mask reached = mask_of(23, [](Size i, Size j) { return (i - j) % 3 == 0 && std::abs(i - j) <= 4 * 3; });
         return largest_difference(two_steps(once, once), as_numbers(reached, 23));
       }},
  };
}

std::vector<Identity> stride_identities() {
  return {
      {"strided of stride 1 = softmax attention", 1e-12,
       [] {
         const Heads in(9);
         return apart(in(StridedAttention(1)), in(SoftmaxAttention()));
       }},
      {"strided of a stride that reaches all keys = softmax attention", 1e-12,
       [] {
         const Heads in(9);
         return apart(in(StridedAttention(8)), in(SoftmaxAttention()));
       }},
      {"strided = softmax attention under its mask, causal", 1e-12,
       [] {
         const Heads in(23);
         const Mask mask = mask_of(23, [](Size i, Size j) { return j <= i && (i - j <= 5 || (i - j) % 5 == 0); });
         return apart(in(StridedAttention(5), causal_mask(23, 23)), in(SoftmaxAttention(), mask));
       }},
      {"strided, its pattern = that of a window and a dilated window together", 0,
       [] {
         const Heads in(23);
         const Mask causal = causal_mask(23, 23);
         const Tensor both = kernel::maximum(pattern(in, LocalAttention(5, 0), causal),
                                             pattern(in, DilatedAttention(23, 0, 5), causal));
         return largest_difference(pattern(in, StridedAttention(5), causal), both);
       }},
      {"strided, a step in the window and one of strides = the causal mask", 0,
       [] {
         const Heads in(64);
         const Mask causal = causal_mask(64, 64);
         const Tensor near = pattern(in, LocalAttention(8, 0), causal);
         const Tensor far = pattern(in, DilatedAttention(64, 0, 8), causal);
         return largest_difference(two_steps(near, far), as_numbers(causal, 64));
       }},
      {"fixed with one block for all = softmax attention", 1e-12,
       [] {
         const Heads in(9);
         return apart(in(FixedAttention(9, 1)), in(SoftmaxAttention()));
       }},
      {"fixed where every position speaks = softmax attention", 1e-12,
       [] {
         const Heads in(9);
         return apart(in(FixedAttention(2, 2)), in(SoftmaxAttention()));
       }},
      {"fixed = softmax attention under its mask, causal", 1e-12,
       [] {
         const Heads in(23);
         const Mask mask = mask_of(23, [](Size i, Size j) { return j <= i && (i / 5 == j / 5 || j % 5 >= 5 - 2); });
         return apart(in(FixedAttention(5, 2), causal_mask(23, 23)), in(SoftmaxAttention(), mask));
       }},
      {"fixed, two steps = the causal mask", 0,
       [] {
         const Heads in(23);
         const Mask causal = causal_mask(23, 23);
         const Tensor once = pattern(in, FixedAttention(5, 1), causal);
         return largest_difference(two_steps(once, once), as_numbers(causal, 23));
       }},
  };
}

std::vector<Identity> global_identities() {
  return {
      {"global tokens, none of them = local window", 1e-12,
       [] {
         const Heads in(23);
         return apart(in(GlobalTokenAttention(3, {})), in(LocalAttention(3, 3)));
       }},
      {"global tokens, all of them = softmax attention", 1e-12,
       [] {
         const Heads in(5);
         return apart(in(GlobalTokenAttention(1, {0, 1, 2, 3, 4})), in(SoftmaxAttention()));
       }},
      {"global tokens = softmax attention under their mask", 1e-12,
       [] {
         const Heads in(23);
         const auto global = [](Size i) { return i == 0 || i == 13; };
         const Mask mask = mask_of(23, [&](Size i, Size j) { return std::abs(i - j) <= 2 || global(i) || global(j); });
         return apart(in(GlobalTokenAttention(2, {0, 13})), in(SoftmaxAttention(), mask));
       }},
      {"global tokens, who sees whom = who is seen by whom", 0,
       [] {
         const Heads in(23);
         const Tensor once = pattern(in, GlobalTokenAttention(2, {0, 13}));
         return largest_difference(once, transpose(once));
       }},
      {"global tokens, two steps through one of them = all pairs", 0,
       [] {
         const Heads in(23);
         const Tensor once = pattern(in, GlobalTokenAttention(0, {7}));
         return largest_difference(two_steps(once, once), Tensor::ones({23, 23}, DType::float64));
       }},
  };
}

std::vector<Identity> big_bird_identities() {
  // Blocks of 4 among 23 positions: 6, of which the last has 3.
  const auto drawn = [](Size window_blocks, Size random, Size global) {
    Rng rng(5);
    return BigBirdAttention(23, {4, window_blocks, random, global}, rng);
  };
  return {
      {"random blocks as many as there are = softmax attention", 1e-12,
       [=] {
         const Heads in(23);
         return apart(in(drawn(0, 6, 0)), in(SoftmaxAttention()));
       }},
      {"random blocks, none of them = each block alone", 1e-12,
       [=] {
         const Heads in(23);
         const Mask mask = mask_of(23, [](Size i, Size j) { return i / 4 == j / 4; });
         return apart(in(drawn(0, 0, 0)), in(SoftmaxAttention(), mask));
       }},
      {"BigBird, its window over all blocks = softmax attention", 1e-12,
       [=] {
         const Heads in(23);
         return apart(in(drawn(5, 0, 0)), in(SoftmaxAttention()));
       }},
      {"BigBird, all blocks global = softmax attention", 1e-12,
       [=] {
         const Heads in(23);
         return apart(in(drawn(0, 0, 6)), in(SoftmaxAttention()));
       }},
      {"BigBird in blocks of 1 without random ones = global tokens", 1e-12,
       [] {
         const Heads in(23);
         Rng rng(5);
         return apart(in(BigBirdAttention(23, {1, 2, 0, 2}, rng)), in(GlobalTokenAttention(2, {0, 1})));
       }},
      {"BigBird = softmax attention under its mask", 1e-12,
       [=] {
         const Heads in(23);
         const BigBirdAttention layer = drawn(1, 1, 1);
         const Mask mask = mask_of(23, [&](Size i, Size j) {
           const Size a = i / 4, b = j / 4;
           return std::abs(a - b) <= 1 || a == 0 || b == 0 || layer.drawn.to_ints()[static_cast<std::size_t>(a)] == b;
         });
         return apart(in(layer), in(SoftmaxAttention(), mask));
       }},
      {"BigBird, the pairs it sees = those counted: window, random, global", 0,
       [] {
         // 10 blocks of 2. A global one sees 10. Of the others the first sees 0 to 2, those within 3 and the global
         // one, the last 2 and the global one; and each 2 random ones.
         const Heads in(20);
         Rng rng(5);
         const double blocks = 10 + (3 + 2) + 7 * (3 + 1 + 2) + (2 + 1 + 2);
         return std::abs(count(pattern(in, BigBirdAttention(20, {2, 1, 2, 1}, rng))) - 4 * blocks);
       }},
  };
}

}  // namespace

Family sparse_family() {
  Family family{"sparse", sparse_variants(), {}};
  for (const auto& identities :
       {window_identities(), stride_identities(), global_identities(), big_bird_identities()}) {
    family.identities.insert(family.identities.end(), identities.begin(), identities.end());
  }
  return family;
}

}  // namespace attend
