#pragma once
#include <memory>
#include <utility>

#include "nn/attention/multi_head.hpp"

namespace attend {

/// Any attention between heads, with whatever it learns or has drawn: what stands between the projections of a
/// multi-head layer, softmax attention or one of its variants.
///   q [B, H, T, d], k [B, H, T, d], v [B, H, T, dv] -> context [B, H, T, dv]; weights [B, H, T, T], or undefined
/// It is made of any layer with `operator()(q, k, v, mask) const` and `parameters(visit)`, and is copied with it.
class AttentionCore {
 public:
  template <class Layer>
  AttentionCore(Layer layer) : held_(std::make_unique<Held<Layer>>(std::move(layer))) {}
  AttentionCore(const AttentionCore& other) : held_(other.held_->copy()) {}
  AttentionCore& operator=(const AttentionCore& other) {
    held_ = other.held_->copy();
    return *this;
  }

  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const {
    return held_->attend(q, k, v, mask);
  }
  void parameters(const Visit& visit) { held_->parameters(visit); }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual std::unique_ptr<Any> copy() const = 0;
    virtual Attended attend(const Var& q, const Var& k, const Var& v, const Mask& mask) const = 0;
    virtual void parameters(const Visit& visit) = 0;
  };
  template <class Layer>
  struct Held : Any {
    Layer layer;
    explicit Held(Layer held) : layer(std::move(held)) {}
    std::unique_ptr<Any> copy() const override { return std::make_unique<Held>(layer); }
    Attended attend(const Var& q, const Var& k, const Var& v, const Mask& mask) const override {
      return layer(q, k, v, mask);
    }
    void parameters(const Visit& visit) override { layer.parameters(visit); }
  };
  std::unique_ptr<Any> held_;
};

/// Softmax attention itself: scaled_dot_attention, between heads.
struct SoftmaxAttention {
  Attended operator()(const Var& q, const Var& k, const Var& v, const Mask& mask = {}) const;
  void parameters(const Visit&) {}
};

/// Multi-head self-attention with another attention between its projections.
///   head_h = core(x W_q[h], x W_k[h], x W_v[h])        y = [head_1 ; ... ; head_H] W_o + b_o
/// x [B, T, size] -> context [B, T, size], weights as the core gives them.
struct CoreAttention {
  MultiHeadAttention projections;
  AttentionCore core;

  CoreAttention(Size size, Size heads, AttentionCore any, Rng& rng)
      : projections(size, heads, rng), core(std::move(any)) {}
  /// A position that no query may attend to counts as 0, as a query too.
  Attended operator()(const Var& x, const Mask& mask = {}) const;
  void parameters(const Visit& visit) {
    visit("projections", projections);
    visit("core", core);
  }
};

/// The weights that a core gives to each value, from any attention that sums values: its result for the identity in the
/// place of the values. q, k [B, H, T, d] -> [B, H, T, T]. For maps and tests; it costs T values of width T.
Var attention_map(const AttentionCore& core, const Var& q, const Var& k, const Mask& mask = {});

/// The multiplications of softmax attention in one head of T queries of width d, where `pairs` of a query and a key are
/// formed: two products, the division of the softmax, the scale of the queries.
inline Size attention_multiplications(Size T, Size d, Size pairs) { return 2 * pairs * d + pairs + T * d; }

/// Throws std::invalid_argument, in the name of `op`, unless q, k and v are [B, H, T, d], [B, H, T, d], [B, H, T, dv].
void check_heads(const char* op, const Var& q, const Var& k, const Var& v);

}  // namespace attend
