#include <algorithm>

#include "nn/attention/linformer.hpp"
#include "nn/attention/nystrom.hpp"
#include "nn/variants/heads.hpp"

namespace attend {
namespace {

// The usual settings: a quarter of the positions, at most what the papers take.
Size projected_keys(Size T) { return std::min<Size>(256, (T + 3) / 4); }
Size usual_landmarks(Size T) { return std::min<Size>(64, (T + 3) / 4); }

NystromAttention nystrom(Size landmarks, bool exact, Size steps = 6) {
  Rng rng(1);
  NystromOptions options;
  options.exact = exact;
  options.steps = steps;
  return NystromAttention(landmarks, rng, options);
}

// E and F that leave every position where it is.
LinformerAttention projecting_nothing(Size T) {
  Rng rng(1);
  LinformerAttention linformer(T, T, rng);
  linformer.E = linformer.F = Var(one_hot(Tensor::arange(T), T, DType::float64));
  return linformer;
}

Var first_of(const Var& x, Size axis, Size count) { return slice(x, axis, 0, count); }

}  // namespace

Family low_rank_family() {
  using namespace trait;
  Family family;
  family.name = "low rank";
  family.variants = {
      {"Linformer", "Wang, Li, Khabsa, Fang, Ma 2020 (arXiv:2006.04768)", padding,
       [](Size T, Size, Rng& rng) { return AttentionCore(LinformerAttention(T, projected_keys(T), rng)); },
       [](Size T, Size d) { return linformer_multiplications(T, d, projected_keys(T)); }},
      {"Nyström", "Xiong et al. 2021 (arXiv:2102.03902)", padding,
       [](Size T, Size, Rng& rng) { return AttentionCore(NystromAttention(usual_landmarks(T), rng)); },
       [](Size T, Size d) { return nystrom_multiplications(T, d, usual_landmarks(T)); }},
  };
  family.identities = {
      {"Linformer with E = F = 1 = softmax attention", 0,
       [] {
         const Heads in(9);
         return apart(in(projecting_nothing(9)), in(SoftmaxAttention()));
       }},
      {"Nyström attention with every position as a landmark = softmax attention", 1e-12,
       [] {
         const Heads in(9);
         return apart(in(nystrom(9, true)), in(SoftmaxAttention()));
       }},
      {"Nyström attention with 24 steps of the iteration = with the exact inverse", 1e-12,
       [] {
         const Heads in(23);
         return apart(in(nystrom(6, false, 24)), in(nystrom(6, true)));
       }},
      {"Nyström attention with the exact inverse has weights that add up to 1", 1e-12,
       [] {
         Heads in(23);
         in.v = Var(Tensor::ones(in.v.shape(), DType::float64));
         return apart(in(nystrom(6, true)), in.v);
       }},
      {"Nyström attention of a sequence = the same beside another of a hundredfold size", 0,
       [] {
         Heads in(23);
         const Var factors = Tensor::from({1, 100}, {2, 1, 1, 1}, DType::float64);
         const Var alone = first_of(in(nystrom(6, false)), 0, 1);
         in.q = in.q * factors;
         in.k = in.k * factors;
         return apart(first_of(in(nystrom(6, false)), 0, 1), alone);
       }},
      {"Nyström attention of a padded sequence = the same without padding", 1e-12,
       [] {
         const Heads in(23);
         Heads cut = in;
         for (Var* x : {&cut.q, &cut.k, &cut.v}) *x = first_of(*x, 2, 17);
         return apart(first_of(in(nystrom(6, false), padding_mask({17, 17}, 23)), 2, 17), cut(nystrom(6, false)));
       }},
  };
  return family;
}

}  // namespace attend
