#include "tutorials/11_memory/remembered.hpp"

#include "autograd/autocast.hpp"
#include "autograd/ops.hpp"
#include "nn/attention/multi_head.hpp"
#include "nn/transformer.hpp"
#include "tensor/random.hpp"

namespace attend::chapter11 {
namespace {

constexpr Size B = 256, D = 64;

// x · 1 keeps nothing: its result is a tensor that nobody holds but the op that comes next.
Var fresh(const Shape& shape, Rng& rng) { return Var::parameter(rng.normal(shape, 0, 1)) * 1.0; }

}  // namespace

std::vector<Rule> rules() {
  const Size number = width(DType::float32), one = B * D * number, matrix = D * D * number;
  return {
      {"x + y", "nothing", 0, [](const Var& x, const Var& y, const Var&) { return x + y; }},
      {"reshape(x)", "nothing", 0, [](const Var& x, const Var&, const Var&) { return reshape(x, {-1}); }},
      {"sum(x)", "nothing", 0, [](const Var& x, const Var&, const Var&) { return sum(x); }},
      {"tanh(x)", "its result", one, [](const Var& x, const Var&, const Var&) { return tanh(x); }},
      {"relu(x)", "its result", one, [](const Var& x, const Var&, const Var&) { return relu(x); }},
      {"softmax(x)", "its result", one, [](const Var& x, const Var&, const Var&) { return softmax(x); }},
      {"x · y", "both inputs", 2 * one, [](const Var& x, const Var& y, const Var&) { return x * y; }},
      {"x W", "both inputs", one + matrix, [](const Var& x, const Var&, const Var& w) { return matmul(x, w); }},
      {"tanh(x W)", "both inputs, and the result", 2 * one + matrix,
       [](const Var& x, const Var&, const Var& w) { return tanh(matmul(x, w)); }},
  };
}

Size measured(const Rule& rule) {
  Rng rng(1);
  const Var x = fresh({B, D}, rng), y = fresh({B, D}, rng), w = fresh({D, D}, rng);
  return kept_bytes(rule.apply(x, y, w));
}

std::vector<Kept> kept_by_attention(Size T, bool want_weights) {
  Rng rng(1);
  MultiHeadOptions options;
  options.want_weights = want_weights;
  const MultiHeadAttention layer(width_of_words, heads, rng, options);
  const Var x = Var::parameter(rng.normal({1, T, width_of_words}, 0, 1));
  return kept_by_op(layer(x).context);
}

std::vector<Kept> kept_by_encoder(Size T, DType activations) {
  Rng rng(1);
  const EncoderLayer layer({width_of_words, heads, 4 * width_of_words}, rng);
  const Var x = Var::parameter(rng.normal({1, T, width_of_words}, 0, 1));
  const Autocast scope(activations);
  return kept_by_op(layer(x));
}

}  // namespace attend::chapter11
