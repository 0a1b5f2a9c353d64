#include "nn/attention/linear_attention.hpp"
#include "nn/attention/performer.hpp"
#include "nn/variants/heads.hpp"

namespace attend {
namespace {

// Linear attention in another form of its sums: sums(φ(q), φ(k), v).
template <class Sums>
Var linear(const Heads& in, Sums sums) {
  return sums(elu_features(in.q), elu_features(in.k), in.v);
}

Var linear_by_pairs(const Heads& in, bool causal) {
  return sums_by_pairs(elu_features(in.q), elu_features(in.k), in.v, causal);
}

// One position after the other.
Var linear_recurrent(const Heads& in) {
  RunningSums state;
  Vars contexts;
  for (Size t = 0; t < in.q.shape()[2]; ++t) {
    const auto at = [t](const Var& x) { return slice(x, 2, t, 1); };
    contexts.push_back(LinearAttention().step(at(in.q), at(in.k), at(in.v), state).context);
  }
  return concat(contexts, 2);
}

Mask causal_of(const Heads& in) { return causal_mask(in.q.shape()[2], in.q.shape()[2]); }

Performer performer(const Heads& in, SoftmaxFeatures kind, Size chunk = 64) {
  Rng rng(5);
  return cast(Performer(in.q.shape()[3], 12, rng, kind, chunk), DType::float64);
}

// The weights as the formula has them, every one formed, and nothing taken off an exponent.
Var performer_by_pairs(const Heads& in, const Performer& layer, bool causal = false) {
  return sums_by_pairs(layer.features(in.q), layer.features(in.k), in.v, causal);
}

// How far the first positions, alone, are from themselves with others behind them that are padding.
template <class Layer>
double padding_moves(const Layer& layer, const Heads& in, Size length) {
  const auto first = [length](const Var& x) { return slice(x, 2, 0, length); };
  const Var padded = in(layer, padding_mask({length, length}, in.q.shape()[2]));
  return apart(first(padded), layer(first(in.q), first(in.k), first(in.v)).context);
}

std::vector<Identity> linear_identities() {
  return {
      {"linear attention = its weights formed pair by pair", 1e-12,
       [] {
         const Heads in(23);
         return apart(in(LinearAttention()), linear_by_pairs(in, false));
       }},
      {"causal linear attention by chunks of 5 = its weights formed pair by pair", 1e-12,
       [] {
         const Heads in(23);
         return apart(in(LinearAttention(5), causal_of(in)), linear_by_pairs(in, true));
       }},
      {"causal linear attention by running sums = its weights formed pair by pair", 1e-12,
       [] {
         const Heads in(23);
         return apart(linear(in, sums_cumulative), linear_by_pairs(in, true));
       }},
      {"causal linear attention step by step = its weights formed pair by pair", 1e-12,
       [] {
         const Heads in(23);
         return apart(linear_recurrent(in), linear_by_pairs(in, true));
       }},
      {"linear attention of one position = its value", 1e-12,
       [] {
         const Heads in(1);
         return apart(in(LinearAttention()), in.v);
       }},
      {"padding behind a sequence does not move linear attention", 1e-12,
       [] { return padding_moves(LinearAttention(), Heads(23), 15); }},
  };
}

std::vector<Identity> performer_identities() {
  std::vector<Identity> identities = {
      {"causal Performer by chunks of 5 = its weights formed pair by pair", 1e-12,
       [] {
         const Heads in(23);
         const Performer layer = performer(in, SoftmaxFeatures::positive, 5);
         return apart(in(layer, causal_of(in)), performer_by_pairs(in, layer, true));
       }},
      {"Performer of one position = its value", 1e-12,
       [] {
         const Heads in(1);
         return apart(in(performer(in, SoftmaxFeatures::positive)), in.v);
       }},
      {"padding behind a sequence does not move a Performer", 1e-12,
       [] {
         const Heads in(23);
         return padding_moves(performer(in, SoftmaxFeatures::positive), in, 15);
       }},
  };
  for (const auto& [name, kind] :
       std::vector<std::pair<std::string, SoftmaxFeatures>>{{"positive", SoftmaxFeatures::positive},
                                                            {"hyperbolic", SoftmaxFeatures::hyperbolic},
                                                            {"trigonometric", SoftmaxFeatures::trigonometric}}) {
    identities.push_back({"what is taken off the exponents of " + name + " features cancels", 1e-12, [kind = kind] {
                            const Heads in(23);
                            const Performer layer = performer(in, kind);
                            return apart(in(layer), performer_by_pairs(in, layer));
                          }});
  }
  return identities;
}

Variant performer_variant(const std::string& name, SoftmaxFeatures kind) {
  using namespace trait;
  return {name, "Choromanski et al. 2020 (arXiv:2009.14794)", causal | padding | equivariant | averages,
          [kind](Size, Size d, Rng& rng) { return AttentionCore(Performer(d, performer_directions(d), rng, kind)); },
          [kind](Size T, Size d) { return performer_multiplications(T, d, performer_directions(d), kind); }};
}

}  // namespace

Family kernel_family() {
  using namespace trait;
  Family family;
  family.name = "kernel";
  family.variants = {
      {"linear attention", "Katharopoulos et al. 2020 (arXiv:2006.16236)", causal | padding | equivariant | averages,
       [](Size, Size, Rng&) { return AttentionCore(LinearAttention()); },
       [](Size T, Size d) { return sums_multiplications(T, d, d); }},
      performer_variant("Performer", SoftmaxFeatures::positive),
      performer_variant("Performer, hyperbolic", SoftmaxFeatures::hyperbolic),
  };
  family.identities = linear_identities();
  for (const Identity& identity : performer_identities()) family.identities.push_back(identity);
  return family;
}

}  // namespace attend
