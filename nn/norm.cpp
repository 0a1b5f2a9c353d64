#include "nn/norm.hpp"

#include <stdexcept>

#include "autograd/autocast.hpp"
#include "autograd/checkpoint.hpp"
#include "tensor/kernels.hpp"

namespace attend {
namespace {

void check_channels(const char* op, const Var& x, const Var& gain) {
  if (x.rank() >= 2 && x.shape()[1] == gain.shape()[0]) return;
  throw std::invalid_argument(std::string(op) + ": x " + text(x.shape()) + " does not fit the gain " +
                              text(gain.shape()));
}

void check_size(const char* op, Size size) {
  if (size < 1) throw std::invalid_argument(std::string(op) + ": size " + std::to_string(size) + "; it is at least 1");
}

// How many numbers each group of each sample has.
Size group_size(const Var& x, Size groups) {
  Size size = 1;
  for (Size axis = 1; axis < x.rank(); ++axis) size *= x.shape()[axis];
  if (size < 1) throw std::invalid_argument("group_norm: x " + text(x.shape()) + " has no positions");
  return size / groups;
}

// [C] in the form that broadcasts to [B, C, ...].
Var per_channel(const Var& values, Size rank) {
  Shape shape = Sizes::repeat(rank, 1);
  shape[1] = values.shape()[0];
  return reshape(values, shape);
}

Tensor moved(const Tensor& running, const Tensor& batch, double momentum) {
  return kernel::blend(1 - momentum, running, momentum, kernel::cast(batch, running.dtype()));
}

}  // namespace

BatchNorm::BatchNorm(Size channels, double how_fast, double eps) : momentum(how_fast), epsilon(eps) {
  check_size("batch_norm", channels);
  gain = Var::parameter(Tensor::ones({channels}));
  bias = Var::parameter(Tensor::zeros({channels}));
  running_mean = Tensor::zeros({channels});
  running_variance = Tensor::ones({channels});
}

Var BatchNorm::operator()(const Var& x_, Mode mode) const {
  const Var x = autocast::up(x_);
  check_channels("batch_norm", x, gain);
  const Size rank = x.rank(), channels = x.shape()[1], n = x.size() / channels;
  if (mode == Mode::training && n < 2) {
    throw std::invalid_argument("batch_norm: " + text(x.shape()) + " has no variance within a channel");
  }
  check_same_dtype("batch_norm", x.value(), gain.value());
  Var centre = per_channel(Var(kernel::cast(running_mean, x.dtype())), rank);
  Var spread = per_channel(Var(kernel::cast(running_variance, x.dtype())), rank);
  Axes others = all_axes(rank);
  others.erase(1);
  if (mode == Mode::training) centre = mean(x, others, true);
  const Var centred = x - centre;
  if (mode == Mode::training) spread = mean(centred * centred, others, true);
  // Gain and deviation meet first, for they are one number a channel, and x is whole images.
  const Var y = centred * (per_channel(gain, rank) / sqrt(spread + epsilon)) + per_channel(bias, rank);
  // Last, so that a batch that throws moves nothing; and a checkpoint that runs again must not count its batch twice.
  if (mode == Mode::training && !recomputing()) {
    const double unbiased = static_cast<double>(n) / static_cast<double>(n - 1);
    running_mean = moved(running_mean, reshape(centre.value(), {channels}), momentum);
    running_variance =
        moved(running_variance, kernel::affine(reshape(spread.value(), {channels}), unbiased, 0), momentum);
  }
  return y;
}

void BatchNorm::parameters(const Visit& visit) {
  visit("gain", gain);
  visit("bias", bias);
  visit.buffer("running_mean", running_mean);
  visit.buffer("running_variance", running_variance);
}

GroupNorm::GroupNorm(Size channels, Size number_of_groups, double eps) : groups(number_of_groups), epsilon(eps) {
  check_size("group_norm", channels);
  if (groups < 1 || channels % groups != 0) {
    throw std::invalid_argument("group_norm: " + std::to_string(groups) + " groups do not divide " +
                                std::to_string(channels) + " channels");
  }
  gain = Var::parameter(Tensor::ones({channels}));
  bias = Var::parameter(Tensor::zeros({channels}));
}

Var GroupNorm::operator()(const Var& x_) const {
  const Var x = autocast::up(x_);
  check_channels("group_norm", x, gain);
  const Var grouped = reshape(x, {x.shape()[0], groups, group_size(x, groups)});  // [B, groups, C / groups · positions]
  return reshape(standardize(grouped, epsilon), x.shape()) * per_channel(gain, x.rank()) + per_channel(bias, x.rank());
}

void GroupNorm::parameters(const Visit& visit) {
  visit("gain", gain);
  visit("bias", bias);
}

RMSNorm::RMSNorm(Size size, double eps) : epsilon(eps) {
  check_size("rms_norm", size);
  gain = Var::parameter(Tensor::ones({size}));
}

Var RMSNorm::operator()(const Var& x_) const {
  const Var x = autocast::up(x_);
  if (x.rank() == 0 || x.shape().back() != gain.shape()[0]) {
    throw std::invalid_argument("rms_norm: x " + text(x.shape()) + " does not fit the gain " + text(gain.shape()));
  }
  return x / sqrt(mean(x * x, {-1}, true) + epsilon) * gain;
}

}  // namespace attend
