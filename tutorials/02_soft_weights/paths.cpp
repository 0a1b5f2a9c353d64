#include "tutorials/02_soft_weights/paths.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "autograd/grad.hpp"
#include "autograd/history.hpp"
#include "nn/attention/dot_product.hpp"
#include "nn/conv.hpp"
#include "tensor/kernels.hpp"

namespace attend::chapter02 {
namespace {

// Inputs are older than what is made of them, so from the oldest on each finds the paths to its inputs known.
Size longest(const Var& result, const std::function<bool(const Node&)>& counts) {
  std::vector<const Node*> nodes = history(result);
  std::reverse(nodes.begin(), nodes.end());
  std::map<const Node*, Size> path;
  for (const Node* node : nodes) {
    Size before = 0;
    for (const Var& input : node->inputs) {
      if (input.node()) before = std::max(before, path.at(input.node().get()));
    }
    path[node] = before + (counts(*node) ? 1 : 0);
  }
  return path.at(result.node().get());
}

}  // namespace

Vars draw_words(Size n, Size d, Rng& rng) {
  Vars words;
  for (Size t = 0; t < n; ++t) words.push_back(Var::parameter(rng.normal({1, d}, 0, 1, DType::float64)));
  return words;
}

Tensor orthogonal_matrix(Size d, double rho, Rng& rng) {
  return kernel::affine(kernel::qr(rng.normal({d, d}, 0, 1, DType::float64)).first, rho, 0);
}

Tensor normal_matrix(Size d, double rho, Rng& rng) {
  return rng.normal({d, d}, 0, rho / std::sqrt(static_cast<double>(d)), DType::float64);
}

Walk recurrent(const Vars& words, const Tensor& W, bool curved) {
  Var h = Tensor::zeros(words[0].shape(), DType::float64);
  for (const Var& x : words) {
    h = matmul(h, W) + x;
    if (curved) h = tanh(h);
  }
  return {words, h};
}

Walk convolutional(const Vars& words, Size layers, Size place, Rng& rng) {
  const Size d = words[0].shape()[1];
  Var x = unsqueeze(transpose(concat(words, 0)), 0);  // [1, d, n]: channels, places
  for (Size i = 0; i < layers; ++i) {
    const Conv1d conv = cast(Conv1d(d, d, 3, rng, {{1, 1}}), DType::float64);
    x = tanh(conv(x));
  }
  return {words, select(x, 2, place)};  // [1, d]
}

Walk attentive(const Vars& words, Size place) {
  const Var x = unsqueeze(concat(words, 0), 0);  // [1, n, d]
  return {words, select(scaled_dot_attention(x, x, x).context, 1, place)};
}

std::vector<double> gradient_lengths(const Walk& walk, const Tensor& g) {
  std::vector<double> lengths;
  for (const Var& gradient : grad(walk.result, walk.words, g)) lengths.push_back(norm(gradient, {0, 1}).item());
  return lengths;
}

Size longest_path(const Var& result, const std::vector<std::string>& ops) {
  return longest(result, [&](const Node& node) { return std::find(ops.begin(), ops.end(), node.op) != ops.end(); });
}

Size longest_path(const Var& result) {
  return longest(result, [](const Node& node) { return !node.inputs.empty(); });
}

}  // namespace attend::chapter02
