#include "nn/attention/router.hpp"

#include <algorithm>
#include <stdexcept>

#include "nn/attention/entmax.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

void check_choice(const char* op, Size k, Size experts) {
  if (1 <= k && k <= experts) return;
  throw std::invalid_argument(std::string(op) + ": " + std::to_string(k) + " chosen of " + std::to_string(experts) +
                              " experts; choose 1 at least and no more than there are");
}

// For each expert the places of the flat choices [N · k] that went to it. Choice c belongs to token c / k.
std::vector<Tensor> places_of(const Tensor& experts, Size count) {
  std::vector<std::vector<std::int64_t>> places(static_cast<std::size_t>(count));
  std::int64_t place = 0;
  for (std::int64_t expert : experts.to_ints()) places[static_cast<std::size_t>(expert)].push_back(place++);
  std::vector<Tensor> result;
  for (const auto& of_one : places) result.push_back(Tensor::from_ints(of_one, {static_cast<Size>(of_one.size())}));
  return result;
}

Tensor tokens_of(const Tensor& places, Size k) {
  std::vector<std::int64_t> tokens = places.to_ints();
  for (std::int64_t& place : tokens) place /= k;
  return Tensor::from_ints(tokens, places.shape());
}

// 1 for each token [B · T] that is there, in the dtype of the router.
Tensor tokens_there(const Mask& mask, Size B, Size T, DType dtype) {
  if (mask.allows_all()) return Tensor::ones({B * T}, dtype);
  return kernel::cast(reshape(broadcast_to(mask.visible_keys(), {B, T}), {B * T}), dtype);
}

}  // namespace

Routes route(const Var& logits, Size k) {
  const auto [N, E] = dims<2>(logits, "route");
  check_choice("route", k, E);
  const Tensor experts = contiguous(slice(argsort(logits, 1, true), 1, 0, k));
  const Var probabilities = softmax(logits);
  const Var all = k == 1 ? probabilities : masked_softmax(logits, among_largest(logits.value(), k));
  return {experts, gather(all, 1, experts), probabilities};
}

RoutedAttention::RoutedAttention(Size size, Size d, Size experts, Size k, Rng& rng)
    : router(size, experts, rng, false), keys(size, d, rng, false), values(size, d, rng, false), chosen(k) {
  check_choice("routed attention", chosen, experts);
  for (Size e = 0; e < experts; ++e) {
    queries.emplace_back(size, d, rng, false);
    outputs.emplace_back(d, size, rng, false);
  }
}

Routed RoutedAttention::operator()(const Var& x, const Mask& mask) const {
  const auto [B, T, size] = dims<3>(x, "routed attention");
  if (!mask.allows_all() && mask.allowed().shape()[1] != 1) {
    throw std::invalid_argument("routed attention: mask " + text(mask.allowed().shape()) +
                                " differs between heads, which here are other experts for each token");
  }
  const Var there = hide_invisible(x, mask), tokens = reshape(there, {B * T, size});
  const Size E = static_cast<Size>(queries.size()), d = keys.weight.shape()[1];
  const Routes routes = route(router(tokens), chosen);
  const std::vector<Tensor> places = places_of(routes.experts, E);

  const Var q = permute(reshape(chosen_queries(tokens, places), {B, T, chosen, d}), {0, 2, 1, 3});  // [B, k, T, d]
  const auto for_all = [&, B = B, T = T](const Var& one) { return broadcast_to(unsqueeze(one, 1), {B, chosen, T, d}); };
  const Var context = scaled_dot_attention(q, for_all(keys(there)), for_all(values(there)), {mask}).context;
  const Var contexts = reshape(permute(context, {0, 2, 1, 3}), {B * T * chosen, d});
  const Var y = reshape(outputs_of(contexts, routes.gates, places), {B, T, size});

  const Tensor counted = tokens_there(mask, B, T, x.dtype());  // [B T]
  const double tokens_counted = std::max(1.0, kernel::sum(counted, {0}, false).item());
  const Tensor choices = kernel::sum(one_hot(routes.experts, E, x.dtype()), {1}, false);  // [B T, E]
  const Tensor usage = kernel::affine(kernel::matmul(unsqueeze(counted, 0), choices),
                                      1 / (tokens_counted * static_cast<double>(chosen)), 0);  // [1, E]
  const Var probability = matmul(unsqueeze(counted, 0), routes.probabilities) / tokens_counted;
  return {y, static_cast<double>(E) * sum(usage * probability), squeeze(usage, {0})};
}

// x W_q[e] for each choice: tokens [N, size] -> [N · k, d].
Var RoutedAttention::chosen_queries(const Var& tokens, const std::vector<Tensor>& places) const {
  Var all = Tensor::zeros({tokens.shape()[0] * chosen, keys.weight.shape()[1]}, tokens.dtype());
  for (std::size_t e = 0; e < queries.size(); ++e) {
    all = index_add(all, 0, places[e], queries[e](take(tokens, 0, tokens_of(places[e], chosen))));
  }
  return all;
}

// Σ over the choices of each token of gate · context W_o[e]: contexts [N · k, d] -> [N, size].
Var RoutedAttention::outputs_of(const Var& contexts, const Var& gates, const std::vector<Tensor>& places) const {
  const Var weights = reshape(gates, {contexts.shape()[0], 1});
  Var y = Tensor::zeros({contexts.shape()[0] / chosen, outputs[0].weight.shape()[1]}, contexts.dtype());
  for (std::size_t e = 0; e < outputs.size(); ++e) {
    const Var part = take(weights, 0, places[e]) * outputs[e](take(contexts, 0, places[e]));
    y = index_add(y, 0, tokens_of(places[e], chosen), part);
  }
  return y;
}

void RoutedAttention::parameters(const Visit& visit) {
  visit("router", router);
  visit("queries", queries);
  visit("outputs", outputs);
  visit("keys", keys);
  visit("values", values);
}

}  // namespace attend
