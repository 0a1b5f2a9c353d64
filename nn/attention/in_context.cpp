#include "nn/attention/in_context.hpp"

#include <stdexcept>

#include "tensor/kernels.hpp"

namespace attend {
namespace {

Tensor identity(Size n, DType dtype) { return one_hot(Tensor::arange(n), n, dtype); }

// `block` with its first element at [row, column] of a [size, size] of zeros.
Tensor placed(const Tensor& block, Size size, Size row, Size column) {
  return kernel::embed(block, {size, size}, {row, column}, {1, 1}, 0);
}

}  // namespace

InContextAttention::InContextAttention(Size size, Rng& rng)
    : queries(size, size, rng, false),
      keys(size, size, rng, false),
      values(size, size, rng, false),
      projection(size, size, rng, false) {}

Var InContextAttention::operator()(const Var& tokens, Size context) const {
  const auto [B, T, size] = dims<3>(tokens, "in-context attention");
  if (context < 0 || context > T) {
    throw std::invalid_argument("in-context attention: " + std::to_string(context) + " examples among the tokens " +
                                text(tokens.shape()));
  }
  const Var examples = slice(tokens, 1, 0, context);
  const Var sums = matmul(transpose(keys(examples)), values(examples));  // [B, size, size]
  return tokens + projection(matmul(queries(tokens), sums));
}

void InContextAttention::parameters(const Visit& visit) {
  visit("queries", queries);
  visit("keys", keys);
  visit("values", values);
  visit("projection", projection);
}

InContextAttention gradient_descent_attention(const Tensor& W_0, Size N, double rate) {
  if (W_0.rank() != 2 || N < 1) {
    throw std::invalid_argument("gradient descent attention: weights " + text(W_0.shape()) + " and " +
                                std::to_string(N) + " examples; it takes [x_size, y_size] and 1 at least");
  }
  const Size from = W_0.shape()[0], to = W_0.shape()[1], size = from + to;
  const DType dtype = W_0.dtype();
  const Tensor only_x = placed(identity(from, dtype), size, 0, 0);
  const Tensor minus_y = placed(kernel::affine(identity(to, dtype), -1, 0), size, from, from);

  Rng unused(0);
  InContextAttention layer(size, unused);
  layer.queries.weight = Var::parameter(only_x);
  layer.keys.weight = Var::parameter(only_x);
  layer.values.weight = Var::parameter(kernel::add(placed(W_0, size, 0, from), minus_y));  // e W_V = [0 ; x W_0 − y]
  layer.projection.weight = Var::parameter(kernel::affine(identity(size, dtype), rate / static_cast<double>(N), 0));
  return layer;
}

Var regression_tokens(const Var& x, const Var& y, const Var& queries, const Tensor& W_0) {
  return concat({concat({x, y}, 2), concat({queries, -matmul(queries, W_0)}, 2)}, 1);
}

Var regression_answers(const Var& tokens, Size N, Size y_size) {
  const auto [B, T, size] = dims<3>(tokens, "regression_answers");
  return -slice(slice(tokens, 1, N, T - N), 2, size - y_size, y_size);
}

}  // namespace attend
