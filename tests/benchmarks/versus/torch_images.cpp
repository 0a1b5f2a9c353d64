// Two models of chapter 10 in libtorch: convolutions with a bottleneck block of attention, and a vision transformer.
#include <cmath>

#include "tests/benchmarks/versus/torch_layers.hpp"
#include "tests/benchmarks/versus/torch_training.hpp"

namespace versus::torch_side {
namespace {

using torch::Tensor;
namespace nn = torch::nn;

constexpr double rate = 5e-3;

/// Attention between all pixels, with relative positions along rows and columns: x [B, C, side, side] -> the same.
struct ImageAttention : nn::Module {
  nn::Linear queries, keys, values;
  Tensor row_table, column_table;  // [2 side − 1, d]
  Tensor row_index, column_index;  // of the tables, for each pair of pixels, [n · n]
  long heads, side, d;

  ImageAttention(long channels, long number_of_heads, long image_side)
      : queries(nn::LinearOptions(channels, channels).bias(false)),
        keys(nn::LinearOptions(channels, channels).bias(false)),
        values(nn::LinearOptions(channels, channels).bias(false)),
        heads(number_of_heads),
        side(image_side),
        d(channels / number_of_heads) {
    register_module("queries", queries);
    register_module("keys", keys);
    register_module("values", values);
    row_table = register_parameter("row_table", torch::randn({2 * side - 1, d}) / std::sqrt(d));
    column_table = register_parameter("column_table", torch::randn({2 * side - 1, d}) / std::sqrt(d));
    const Tensor pixel = torch::arange(side * side);
    const Tensor row = pixel.div(side, "floor"), column = pixel.remainder(side);
    row_index = (row.unsqueeze(0) - row.unsqueeze(1) + side - 1).flatten();
    column_index = (column.unsqueeze(0) - column.unsqueeze(1) + side - 1).flatten();
  }

  Tensor split_heads(const Tensor& x) { return x.view({x.size(0), x.size(1), heads, d}).transpose(1, 2); }

  Tensor forward(const Tensor& x) {
    const long B = x.size(0), C = x.size(1), n = side * side;
    const Tensor pixels = x.flatten(2).transpose(1, 2);  // [B, n, C]
    const Tensor q = split_heads(queries(pixels)), k = split_heads(keys(pixels)), v = split_heads(values(pixels));
    const Tensor r =
        (row_table.index_select(0, row_index) + column_table.index_select(0, column_index)).view({n, n, d});
    const Tensor scores = (torch::matmul(q, k.transpose(-2, -1)) + torch::einsum("bhid,ijd->bhij", {q, r}));
    const Tensor context = torch::matmul((scores / std::sqrt(d)).softmax(-1), v);  // [B, heads, n, d]
    return context.permute({0, 1, 3, 2}).reshape({B, C, side, side});
  }
};

/// Two convolutions, a bottleneck block with attention in its middle, max-pooling and a linear head.
struct AttentionNetwork : nn::Module {
  static constexpr long channels = 32, inner = 16, heads = 4;
  nn::Conv2d first, second, narrow, widen;
  std::shared_ptr<ImageAttention> attention;
  nn::BatchNorm2d narrow_norm, attention_norm, widen_norm;
  nn::Linear head;

  AttentionNetwork(long side, long classes)
      : first(nn::Conv2dOptions(1, channels / 2, 3).stride(2).padding(1)),
        second(nn::Conv2dOptions(channels / 2, channels, 3).padding(1)),
        narrow(nn::Conv2dOptions(channels, inner, 1).bias(false)),
        widen(nn::Conv2dOptions(inner, channels, 1).bias(false)),
        attention(register_module("attention", std::make_shared<ImageAttention>(inner, heads, side / 2))),
        narrow_norm(inner),
        attention_norm(inner),
        widen_norm(channels),
        head(channels * (side / 4) * (side / 4), classes) {
    register_module("first", first);
    register_module("second", second);
    register_module("narrow", narrow);
    register_module("widen", widen);
    register_module("narrow_norm", narrow_norm);
    register_module("attention_norm", attention_norm);
    register_module("widen_norm", widen_norm);
    register_module("head", head);
    nn::init::zeros_(widen_norm->weight);
  }

  Tensor forward(const Tensor& images) {
    const Tensor x = torch::relu(second(torch::relu(first(images))));  // [B, 32, side / 2, side / 2]
    const Tensor narrowed = torch::relu(narrow_norm(narrow(x)));
    const Tensor seen = torch::relu(attention_norm(attention->forward(narrowed)));
    const Tensor deep = torch::relu(x + widen_norm(widen(seen)));
    return head(torch::max_pool2d(deep, 2).flatten(1));
  }
};

/// Patches of 2 × 2 pixels and a class token through two encoder layers.
struct VisionTransformer : nn::Module {
  static constexpr long patch = 2, size = 24, heads = 4, hidden = 48;
  nn::Conv2d embed;
  Tensor class_token, positions;  // [1, 1, size], [1 + n, 1, size]
  std::shared_ptr<EncoderLayer> first, second;
  nn::LayerNorm norm;
  nn::Linear head;

  VisionTransformer(long side, long classes)
      : embed(nn::Conv2dOptions(1, size, patch).stride(patch)),
        class_token(register_parameter("class_token", 0.02 * torch::randn({1, 1, size}))),
        positions(register_parameter("positions", 0.02 * torch::randn({1 + (side / patch) * (side / patch), 1, size}))),
        first(register_module("layer_1", std::make_shared<EncoderLayer>(size, heads, hidden))),
        second(register_module("layer_2", std::make_shared<EncoderLayer>(size, heads, hidden))),
        norm(nn::LayerNormOptions({size})),
        head(size, classes) {
    register_module("embed", embed);
    register_module("norm", norm);
    register_module("head", head);
  }

  Tensor forward(const Tensor& images) {
    const Tensor patches = embed(images).flatten(2).permute({2, 0, 1});  // [n, B, size]
    const Tensor tokens = torch::cat({class_token.expand({1, images.size(0), size}), patches}) + positions;
    return head(norm(second->forward(first->forward(tokens))[0]));
  }
};

template <class Model>
Training on_images(const ImageBatch& batch, double weight_decay) {
  const auto model = std::make_shared<Model>(batch.side, batch.classes);
  const auto adam = std::make_shared<torch::optim::AdamW>(model->parameters(),
                                                          torch::optim::AdamWOptions(rate).weight_decay(weight_decay));
  const Tensor pixels = torch::tensor(batch.pixels).reshape({batch.size, 1, batch.side, batch.side});
  const Tensor labels = tensor_of(batch.labels, {batch.size});
  return training(model, adam, [=] { return nn::functional::cross_entropy(model->forward(pixels), labels); });
}

}  // namespace

Training attention_network(const ImageBatch& batch) { return on_images<AttentionNetwork>(batch, 0.01); }
Training vision_transformer(const ImageBatch& batch) { return on_images<VisionTransformer>(batch, 0.5); }

}  // namespace versus::torch_side
