// Every layer and every loss, in every mode: derivatives to order 2 with respect to inputs and parameters, parameters
// that are visited, nothing left alive.
#include <doctest/doctest.h>

#include "nn/attention/additive.hpp"
#include "nn/conv.hpp"
#include "nn/dropout.hpp"
#include "nn/embedding.hpp"
#include "nn/gru.hpp"
#include "nn/layer_norm.hpp"
#include "nn/linear.hpp"
#include "nn/loss.hpp"
#include "nn/lstm.hpp"
#include "nn/norm.hpp"
#include "nn/pool.hpp"
#include "tests/nn/layer_table.hpp"

using namespace attend;
using namespace attend::test;

namespace {

using Lengths = std::vector<Size>;

std::vector<LayerRow> linear_rows() {
  Rng rng(11);
  const auto apply = [](const Linear& layer, const Vars& xs) { return layer(xs[0]); };
  return {layer_row("Linear", Linear(3, 4, rng), {random({2, 5, 3})}, apply),
          layer_row("Linear, without bias", Linear(3, 4, rng, false), {random({3})}, apply)};
}

std::vector<LayerRow> embedding_rows() {
  Rng rng(12);
  const Tensor ids = Tensor::from_ints({0, 3, 3, 1, 0, 3}, {2, 3});  // 3 comes three times, 2 never
  const auto apply = [ids](const Embedding& layer, const Vars&) { return layer(ids); };
  return {layer_row("Embedding", Embedding(4, 5, rng), {}, apply)};
}

std::vector<LayerRow> layer_norm_rows() {
  LayerNorm layer(5);
  layer.gain = Var::parameter(random({5}, DType::float32, 2));
  layer.bias = Var::parameter(random({5}, DType::float32, 3));
  const auto apply = [](const LayerNorm& norm, const Vars& xs) { return norm(xs[0]); };
  return {layer_row("LayerNorm", layer, {random({2, 3, 5})}, apply),
          layer_row("LayerNorm, large epsilon", LayerNorm(4, 0.5), {random({4})}, apply)};
}

std::vector<LayerRow> dropout_rows() {
  const auto dropped = [](double p) {
    return [p](const Vars& xs) {
      Rng rng(5);  // the same draw at every call, so that it is a function
      return dropout(xs[0], p, &rng);
    };
  };
  return {function_row("dropout, p = 0.4", {random({3, 4})}, dropped(0.4)),
          function_row("dropout, evaluation", {random({3, 4})},
                       [](const Vars& xs) { return dropout(xs[0], 0.4, evaluation); })};
}

std::vector<LayerRow> gru_rows() {
  Rng rng(13);
  const GRU layer(3, 2, rng);
  const Tensor x = random({2, 3, 3}, DType::float64, 1), h = random({2, 2}, DType::float64, 2);
  const auto states = [](const Lengths& lengths, Direction direction) {
    return [=](const GRU& gru, const Vars& xs) {
      const Sequence sequence = gru(xs[0], xs[1], lengths, direction);
      return concat({sequence.states, unsqueeze(sequence.last, 1)}, 1);
    };
  };
  return {layer_row("GRUCell", layer.cell, {random({2, 3}), h},
                    [](const GRUCell& cell, const Vars& xs) { return cell(xs[0], xs[1]); }),
          layer_row("GRU", layer, {x, h}, states({}, Direction::forward)),
          layer_row("GRU, backward", layer, {x, h}, states({}, Direction::backward)),
          layer_row("GRU, lengths 3 and 1", layer, {x, h}, states({3, 1}, Direction::forward)),
          layer_row("GRU, lengths 0 and 2, backward", layer, {x, h}, states({0, 2}, Direction::backward)),
          layer_row("GRU, from zeros", layer, {x}, [](const GRU& gru, const Vars& xs) { return gru(xs[0]).states; })};
}

std::vector<LayerRow> lstm_rows() {
  Rng rng(14);
  const LSTM layer(3, 2, rng);
  const Tensor x = random({2, 3, 3}, DType::float64, 1);
  const Tensor h = random({2, 2}, DType::float64, 2), c = random({2, 2}, DType::float64, 3);
  const auto states = [](const Lengths& lengths, Direction direction) {
    return [=](const LSTM& lstm, const Vars& xs) {
      const LSTMSequence sequence = lstm(xs[0], {xs[1], xs[2]}, lengths, direction);
      return concat({sequence.states, unsqueeze(sequence.last.h, 1), unsqueeze(sequence.last.c, 1)}, 1);
    };
  };
  const auto both_states = [](const LSTMCell& cell, const Vars& xs) {
    const LSTMState next = cell(xs[0], {xs[1], xs[2]});
    return concat({next.h, next.c}, 1);
  };
  return {layer_row("LSTMCell", layer.cell, {random({2, 3}), h, c}, both_states),
          layer_row("LSTM", layer, {x, h, c}, states({}, Direction::forward)),
          layer_row("LSTM, lengths 1 and 3", layer, {x, h, c}, states({1, 3}, Direction::forward)),
          layer_row("LSTM, lengths 2 and 0, backward", layer, {x, h, c}, states({2, 0}, Direction::backward))};
}

// Tq, Tk and all other sizes differ.
std::vector<LayerRow> additive_rows() {
  Rng rng(15);
  const Size B = 2, Tq = 3, Tk = 4;
  const AdditiveAttention layer(2, 3, 5, rng);
  AdditiveAttention flat = layer;
  flat.v = Var::parameter(Tensor::zeros({5}));
  const std::vector<Tensor> inputs = {random({B, Tq, 2}, DType::float64, 1), random({B, Tk, 3}, DType::float64, 2),
                                      random({B, Tk, 4}, DType::float64, 3)};
  const Tensor per_head_of_one =
      Tensor::from_bools({true, false, false, true, true, true, false, false}, {B, 1, 1, Tk});
  const Tensor uneven = Tensor::from_bools(
      {true, true, false, true, false, false, false, false, true, false, true, false}, {Tq, Tk});  // row 1 is dead
  const std::vector<std::pair<std::string, Mask>> masks = {
      {"no mask", Mask()},
      {"padding", padding_mask({4, 2}, Tk)},
      {"padding, a sequence without any key", padding_mask({0, 3}, Tk)},
      {"causal", causal_mask(Tq, Tk)},
      {"band", band_mask(Tq, Tk, 1, 0)},
      {"causal and padding", causal_mask(Tq, Tk) & padding_mask({3, 4}, Tk)},
      {"by hand, a query without any key", Mask(uneven)},
      {"by hand, per sequence", Mask(per_head_of_one)}};
  std::vector<LayerRow> rows;
  for (const auto& [name, mask] : masks) {
    const auto context_and_weights = [mask = mask](const AdditiveAttention& attention, const Vars& xs) {
      const Attended found = attention(xs[0], xs[1], xs[2], mask);
      return concat({found.context, found.weights}, -1);
    };
    rows.push_back(layer_row("AdditiveAttention, " + name, layer, inputs, context_and_weights));
    if (mask.allows_all()) {
      rows.push_back(layer_row("AdditiveAttention, v = 0", flat, inputs, context_and_weights));
    }
  }
  return rows;
}

std::vector<LayerRow> loss_rows() {
  const Tensor logits = random({2, 3, 4});
  const Tensor targets = Tensor::from_ints({0, 3, -1, 2, 2, 1}, {2, 3});
  const auto entropy = [targets](const CrossEntropyOptions& options) {
    return [=](const Vars& xs) { return cross_entropy(xs[0], targets, options); };
  };
  CrossEntropyOptions plain, smooth, weighted, everything;
  smooth.label_smoothing = 0.3;
  weighted.class_weights = Tensor::from({0.5, 2, 1, 0}, {4});
  everything = weighted;
  everything.label_smoothing = 0.1;
  everything.ignored_target = 2;
  return {function_row("cross_entropy", {logits}, entropy(plain)),
          function_row("cross_entropy, smoothed", {logits}, entropy(smooth)),
          function_row("cross_entropy, class weights", {logits}, entropy(weighted)),
          function_row("cross_entropy, smoothed, class weights, class 2 ignored", {logits},
                       [everything](const Vars& xs) {
                         return cross_entropy(xs[0], Tensor::from_ints({0, 3, 1, 2, 2, 1}, {2, 3}), everything);
                       }),
          function_row("negative_log_likelihood", {logits},
                       [targets](const Vars& xs) { return negative_log_likelihood(xs[0], targets); }),
          function_row("mean_squared_error", {random({3, 2}), random({3, 2}, DType::float64, 2)},
                       [](const Vars& xs) { return mean_squared_error(xs[0], xs[1]); }),
          function_row("binary_cross_entropy", {random({3, 2}), random({3, 2}, DType::float64, 2)},
                       [](const Vars& xs) { return binary_cross_entropy(xs[0], xs[1]); })};
}

ConvOptions conv_options(Size stride, Size padding, Size dilation, Size groups) {
  ConvOptions options;
  options.stride = stride;
  options.padding = padding;
  options.dilation = dilation;
  options.groups = groups;
  return options;
}

std::vector<LayerRow> conv_rows() {
  Rng rng(16);
  std::vector<LayerRow> rows;
  const auto apply = [](const auto& conv, const Vars& xs) { return conv(xs[0]); };
  for (const auto& [name, options] : std::vector<std::pair<std::string, ConvOptions>>{
           {"plain", conv_options(1, 0, 1, 1)},
           {"stride 2, padding 1", conv_options(2, 1, 1, 1)},
           {"dilation 2, 2 groups", conv_options(1, 1, 2, 2)},
           {"a channel a group, pixels left over", conv_options(3, 0, 1, 4)}}) {
    rows.push_back(layer_row("Conv2d, " + name, Conv2d(4, 4, 2, rng, options), {random({2, 4, 4, 5})}, apply));
    rows.push_back(layer_row("Conv1d, " + name, Conv1d(4, 4, 3, rng, options), {random({2, 4, 7})}, apply));
  }
  ConvOptions bare;
  bare.bias = false;
  rows.push_back(layer_row("Conv2d, 1 x 1, without bias", Conv2d(3, 2, 1, rng, bare), {random({2, 3, 2, 2})}, apply));
  return rows;
}

std::vector<LayerRow> pool_rows() {
  const auto row = [](const std::string& name, const Shape& shape, Var (*pool)(const Var&)) {
    return function_row(name, {apart(shape)}, [pool](const Vars& xs) { return exp(0.3 * pool(xs[0])); });
  };
  const Shape image = {2, 2, 4, 5}, line = {2, 3, 7};
  return {row("max_pool", image,
              [](const Var& x) {
                return max_pool(x, {2, 1, 0, false});
              }),
          row("max_pool, padding, ceil mode", image,
              [](const Var& x) {
                return max_pool(x, {3, 2, 1, true});
              }),
          row("max_pool, line", line,
              [](const Var& x) {
                return max_pool(x, {3, 0, 1, true});
              }),
          row("average_pool", image,
              [](const Var& x) {
                return average_pool(x, {2, 1, 0, false});
              }),
          row("average_pool, padding, ceil mode", image,
              [](const Var& x) {
                return average_pool(x, {3, 2, 1, true});
              }),
          row("average_pool, padding does not count", line,
              [](const Var& x) {
                return average_pool(x, {3, 2, 1, false}, false);
              }),
          row("adaptive_average_pool", image,
              [](const Var& x) {
                return adaptive_average_pool(x, {3, 2});
              }),
          row("adaptive_max_pool", image,
              [](const Var& x) {
                return adaptive_max_pool(x, {3, 2});
              }),
          row("global_average_pool", image, [](const Var& x) { return global_average_pool(x); }),
          row("global_max_pool", image, [](const Var& x) { return global_max_pool(x); })};
}

std::vector<LayerRow> norm_rows() {
  BatchNorm batch(3);
  batch.gain = Var::parameter(random({3}, DType::float32, 2));
  batch.running_mean = random({3}, DType::float32, 3);
  batch.running_variance = Tensor::from({0.5, 1, 2}, {3});
  GroupNorm group(4, 2);
  group.gain = Var::parameter(random({4}, DType::float32, 2));
  RMSNorm root(5);
  root.gain = Var::parameter(random({5}, DType::float32, 2));
  const auto in_mode = [](Mode mode) { return [mode](BatchNorm norm, const Vars& xs) { return norm(xs[0], mode); }; };
  return {
      layer_row("BatchNorm, training", batch, {random({2, 3, 2, 2}, DType::float64, 4)}, in_mode(Mode::training)),
      layer_row("BatchNorm, training, vectors", batch, {random({4, 3}, DType::float64, 4)}, in_mode(Mode::training)),
      layer_row("BatchNorm, evaluation", batch, {random({2, 3, 2}, DType::float64, 4)}, in_mode(Mode::evaluation)),
      layer_row("GroupNorm", group, {random({2, 4, 2, 3})},
                [](const GroupNorm& norm, const Vars& xs) { return norm(xs[0]); }),
      layer_row("RMSNorm", root, {random({2, 5})}, [](const RMSNorm& norm, const Vars& xs) { return norm(xs[0]); })};
}

std::vector<LayerRow> all_rows() {
  std::vector<LayerRow> all;
  for (const auto& rows : {linear_rows(), embedding_rows(), layer_norm_rows(), dropout_rows(), gru_rows(), lstm_rows(),
                           additive_rows(), loss_rows(), conv_rows(), pool_rows(), norm_rows()}) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

}  // namespace

TEST_CASE("the derivatives of every layer and loss agree with difference quotients to order 2, in every mode") {
  check_derivatives(all_rows());
}

TEST_CASE("a layer visits every parameter that its output depends on, and no other") { check_visits(all_rows()); }

TEST_CASE("a layer leaves nothing alive, with and without a backward pass") { check_nothing_alive(all_rows()); }

TEST_CASE("a layer gives the same in float32 as in float64, as far as float32 reaches") { check_narrow(all_rows()); }

TEST_CASE("constants in the place of inputs and parameters leave no history") { check_constants(all_rows()); }
