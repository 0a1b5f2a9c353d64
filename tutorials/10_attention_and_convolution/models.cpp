#include "tutorials/10_attention_and_convolution/models.hpp"

#include "nn/pool.hpp"

namespace attend::chapter10 {
namespace {

constexpr Size channels = 32, heads = 4, attention_inner = 16, convolution_inner = 11;

ConvOptions same_size() {
  ConvOptions options;
  options.padding = 1;
  return options;
}

ConvOptions halving() {
  ConvOptions options;
  options.stride = 2;
  options.padding = 1;
  return options;
}

ConvOptions without_bias() {
  ConvOptions options;
  options.bias = false;  // the norm behind it has one
  return options;
}

VisionOptions vision_options(const ImageForm& form) {
  VisionOptions options;
  options.height = form.height;
  options.width = form.width;
  options.classes = form.classes;
  options.transformer.size = 24;
  options.transformer.heads = heads;
  options.transformer.hidden = 48;
  return options;
}

std::variant<LogisticRegression, VisionTransformer, ConvNet> net_of(Kind kind, const ImageForm& form, Rng& rng) {
  if (kind == Kind::logistic) return LogisticRegression(form, rng);
  if (kind == Kind::vision) return VisionTransformer(vision_options(form), rng);
  const bool attends = kind == Kind::attention || kind == Kind::attention_mean;
  const bool mean = kind == Kind::convolution_mean || kind == Kind::attention_mean;
  return ConvNet(form, attends ? Block::attention : Block::convolution, mean ? Head::mean : Head::places, rng);
}

bool is_left_out(const std::string& name, Without without) {
  const auto contains = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (without == Without::positions) return contains("positions.table");
  if (without == Without::queries) return contains("query_projection") || contains("queries");
  return false;
}

}  // namespace

ConvBottleneck::ConvBottleneck(Size channels_of_x, Size inner, Rng& rng)
    : narrow(channels_of_x, inner, 1, rng, without_bias()),
      conv(inner, inner, 3, rng, same_size()),
      widen(inner, channels_of_x, 1, rng, without_bias()),
      narrow_norm(inner),
      conv_norm(inner),
      widen_norm(channels_of_x) {
  widen_norm.gain = Var::parameter(Tensor::zeros({channels_of_x}));  // as the block with attention begins
}

Var ConvBottleneck::operator()(const Var& x, Mode mode) const {
  const Var narrowed = relu(narrow_norm(narrow(x), mode));  // [B, inner, H, W]
  const Var seen = relu(conv_norm(conv(narrowed), mode));   // [B, inner, H, W]
  return relu(x + widen_norm(widen(seen), mode));
}

void ConvBottleneck::parameters(const Visit& visit) {
  visit("narrow", narrow);
  visit("conv", conv);
  visit("widen", widen);
  visit("narrow_norm", narrow_norm);
  visit("conv_norm", conv_norm);
  visit("widen_norm", widen_norm);
}

ConvNet::ConvNet(const ImageForm& form, Block block, Head how, Rng& rng)
    : first(1, channels / 2, 3, rng, halving()),
      second(channels / 2, channels, 3, rng, same_size()),
      kind_of_head(how),
      head(how == Head::mean ? channels : channels * (form.height / 4) * (form.width / 4), form.classes, rng) {
  if (block == Block::attention) {
    attention.emplace(channels, attention_inner, heads, form.height / 2, form.width / 2, rng);
  } else {
    convolution.emplace(channels, convolution_inner, rng);
  }
}

Var ConvNet::features(const Var& x) const {
  const Var halved = relu(first(x));  // [B, 16, H/2, W/2]
  return relu(second(halved));        // [B, 32, H/2, W/2]
}

Var ConvNet::operator()(const Var& x, Mode mode) const {
  const Var seen = features(x);
  const Var deep = attention ? (*attention)(seen, mode) : (*convolution)(seen, mode);  // [B, 32, H/2, W/2]
  if (kind_of_head == Head::mean) return head(global_average_pool(deep));
  return head(reshape(max_pool(deep, {}), {x.shape()[0], -1}));
}

void ConvNet::parameters(const Visit& visit) {
  visit("first", first);
  visit("second", second);
  if (attention) visit("attention", *attention);
  if (convolution) visit("convolution", *convolution);
  visit("head", head);
}

std::string name_of(Kind kind) {
  switch (kind) {
    case Kind::logistic:
      return "logistic regression";
    case Kind::vision:
      return "ViT";
    case Kind::convolution:
      return "CNN";
    case Kind::attention:
      return "CNN with attention";
    case Kind::convolution_mean:
      return "CNN, mean head";
    default:
      return "CNN with attention, mean head";
  }
}

Model::Model(Kind kind, const ImageForm& form, Rng& rng, Without left_out)
    : net(net_of(kind, form, rng)), without(left_out) {
  const auto clear = [this](const std::string& name, Var& parameter) {
    if (is_left_out(name, without)) parameter = Var(Tensor::zeros(parameter.shape()));
  };
  std::visit([&](auto& of_kind) { of_kind.parameters(Visit(clear)); }, net);
}

Var Model::operator()(const Var& x, Mode mode) const {
  if (const auto* convolutional = std::get_if<ConvNet>(&net)) return (*convolutional)(x, mode);
  if (const auto* vision = std::get_if<VisionTransformer>(&net)) return (*vision)(x);
  return std::get<LogisticRegression>(net)(x);
}

void Model::parameters(const Visit& visit) {
  const Visit learned(
      [&](const std::string& name, Var& parameter) {
        if (!is_left_out(name, without)) visit(name, parameter);
      },
      [&](const std::string& name, Tensor& buffer) { visit.buffer(name, buffer); });
  std::visit([&](auto& of_kind) { of_kind.parameters(learned); }, net);
}

}  // namespace attend::chapter10
