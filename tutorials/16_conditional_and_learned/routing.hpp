#pragma once
#include "nn/attention/router.hpp"
#include "nn/embedding.hpp"
#include "nn/layer_norm.hpp"
#include "tutorials/lesson/sequence_tasks.hpp"

/// Two rules, and experts of attention to share them.

namespace attend::chapter16 {

constexpr Size rules = 2, symbols_of_rule = 10, positions = 16;

/// A symbol 0 … 9 asks for the one before it, and a symbol 10 … 19 for its opposite: the one before plus 5, of which 10
/// is taken off where it is 10 or more. The one before counts without its own 10. Of `how_many` = 1 rule there are only
/// the symbols 0 … 9. Causal.
lesson::SequenceTask opposites_task(Size how_many);

/// Embedding and positions, one layer of routed attention, and scores of the ten answers. There is no feed-forward and
/// no norm behind it: what the rules need apart must come from the attention.
///   scores = (x + attention(norm(x))) W + b
struct RoutedModel {
  Embedding embedding;
  LayerNorm norm;
  RoutedAttention attention;
  Linear output;

  RoutedModel(Size experts, Size d, Rng& rng);
  struct Answer {
    Var scores, balance;
    Tensor experts;  // int64 [B, T]
  };
  Answer operator()(const Tensor& ids) const;
  void parameters(const Visit& visit);
};

struct RoutingPlan {
  Size experts = 2, d = 16, steps = 800, batch = 32;
  double learning_rate = 1e-2;
  double balance = 0.05;  // how much the load-balance loss counts
};
RoutedModel train_routed(const lesson::SequenceTask& task, const RoutingPlan& plan, std::uint64_t seed);

/// What became of each rule.
struct Routing {
  double right;
  std::vector<double> right_of_rule;
  std::vector<std::vector<double>> use;  // of each rule: the share of its queries that each expert got
};
Routing look_at(const RoutedModel& model, const lesson::SequenceTask& task, std::uint64_t seed);

}  // namespace attend::chapter16
