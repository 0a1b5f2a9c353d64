#include "nn/conv.hpp"

#include <stdexcept>

namespace attend {
namespace {

void check_options(const char* op, Size channels, Size out_channels, Size kernel, const Convolution& how) {
  const auto [stride, padding, dilation, groups] = how;
  const bool positive =
      channels >= 1 && out_channels >= 1 && kernel >= 1 && stride >= 1 && padding >= 0 && dilation >= 1;
  if (!positive || groups < 1 || channels % groups != 0 || out_channels % groups != 0) {
    throw std::invalid_argument(std::string(op) + ": " + std::to_string(channels) + " to " +
                                std::to_string(out_channels) + " channels, kernel " + std::to_string(kernel) +
                                ", stride " + std::to_string(stride) + ", padding " + std::to_string(padding) +
                                ", dilation " + std::to_string(dilation) + ", groups " + std::to_string(groups));
  }
}

Var kernel_init(const Shape& shape, Rng& rng) {
  const Size fan_in = element_count(shape) / shape[0];
  return Var::parameter(reshape(kaiming_uniform(fan_in, shape[0], rng).value(), shape));
}

Var zero_bias(Size out_channels, bool wanted) { return wanted ? Var::parameter(Tensor::zeros({out_channels})) : Var(); }

}  // namespace

Size same_padding(const char* op, Size kernel) {
  if (kernel % 2 != 0) return kernel / 2;
  throw std::invalid_argument(std::string(op) + ": kernel " + std::to_string(kernel) + "; it is odd");
}

Var conv2d(const Var& x, const Var& weight, const Var& bias, const Convolution& how) {
  check_fits("conv", x.shape(), weight.shape(), how);
  const Size O = weight.shape()[0];
  if (bias.defined() && bias.shape() != Shape{O}) {
    throw std::invalid_argument("conv: bias " + text(bias.shape()) + " for the weight " + text(weight.shape()));
  }
  const Var y = conv(x, weight, how);
  return bias.defined() ? y + reshape(bias, {O, 1, 1}) : y;
}

Conv2d::Conv2d(Size channels, Size out_channels, Size kernel, Rng& rng, const ConvOptions& how) : options(how) {
  check_options("conv2d", channels, out_channels, kernel, options);
  weight = kernel_init({out_channels, channels / options.groups, kernel, kernel}, rng);
  bias = zero_bias(out_channels, options.bias);
}

Var Conv2d::operator()(const Var& x) const { return conv2d(x, weight, bias, options); }

void Conv2d::parameters(const Visit& visit) {
  visit("weight", weight);
  visit("bias", bias);
}

Conv1d::Conv1d(Size channels, Size out_channels, Size kernel, Rng& rng, const ConvOptions& how) : options(how) {
  check_options("conv1d", channels, out_channels, kernel, options);
  weight = kernel_init({out_channels, channels / options.groups, kernel}, rng);
  bias = zero_bias(out_channels, options.bias);
}

// A line of pixels: one row high, and padded only along the line.
Var Conv1d::operator()(const Var& x) const {
  check_fits("conv1d", x.shape(), weight.shape(), options);
  const Size padding = options.padding;
  const Var padded = padding > 0 ? pad(x, 2, padding, padding) : x;
  Convolution line = options;
  line.padding = 0;
  // The stride holds along the line; over its single row there is one window anyway.
  return squeeze(conv2d(unsqueeze(padded, 2), unsqueeze(weight, 2), bias, line), {2});
}

void Conv1d::parameters(const Visit& visit) {
  visit("weight", weight);
  visit("bias", bias);
}

}  // namespace attend
