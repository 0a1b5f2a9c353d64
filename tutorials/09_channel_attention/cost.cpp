#include "tutorials/09_channel_attention/cost.hpp"

#include <algorithm>
#include <functional>

#include "nn/attention/squeeze_excitation.hpp"
#include "nn/conv.hpp"
#include "tensor/cost.hpp"
#include "tutorials/lesson/median.hpp"
#include "tutorials/lesson/stopwatch.hpp"

namespace attend::chapter09 {
namespace {

constexpr Size classes = 1000;
constexpr std::size_t third = 2;  // the stage that is measured: 6 of the 16 blocks

// A convolution without bias and its batch norm.
void add_conv(Cost50& cost, Size inputs, Size outputs, Size kernel, Size side) {
  const Size weights = inputs * outputs * kernel * kernel;
  cost.parameters += weights + 2 * outputs;
  cost.multiplications += weights * side * side;
}

Tensor maps_of(const Stage& stage) {
  Rng rng(1);
  return rng.normal({1, stage.channels, stage.side, stage.side}, 0, 1);
}

Measured measure(Size parameters, Size repetitions, const std::function<Var()>& run) {
  Measured measured{parameters, 0, 0, 0};
  {
    const CostCounter counter;
    run();
    measured.multiplications = counter.total().multiplications;
    measured.matmul = counter.products();
  }
  std::vector<double> seconds;
  for (Size i = 0; i < repetitions; ++i) {
    const lesson::Stopwatch watch;
    run();
    seconds.push_back(watch.seconds());
  }
  measured.seconds = lesson::median(seconds);
  return measured;
}

}  // namespace

const std::vector<Stage>& resnet50_stages() {
  static const std::vector<Stage> stages = {{3, 256, 64, 56}, {4, 512, 128, 28}, {6, 1024, 256, 14}, {3, 2048, 512, 7}};
  return stages;
}

Cost50 resnet50() {
  Cost50 cost{0, 0};
  add_conv(cost, 3, 64, 7, 112);
  Size inputs = 64, side = 56;  // what the first block of a stage gets
  for (const Stage& stage : resnet50_stages()) {
    for (Size i = 0; i < stage.blocks; ++i) {
      add_conv(cost, inputs, stage.inner, 1, side);
      add_conv(cost, stage.inner, stage.inner, 3, stage.side);
      add_conv(cost, stage.inner, stage.channels, 1, stage.side);
      if (i == 0) add_conv(cost, inputs, stage.channels, 1, stage.side);  // the shortcut
      inputs = stage.channels;
      side = stage.side;
    }
  }
  cost.parameters += inputs * classes + classes;
  cost.multiplications += inputs * classes;
  return cost;
}

Cost50 excitations(Size reduction) {
  Cost50 cost{0, 0};
  for (const Stage& stage : resnet50_stages()) {
    const Size hidden = bottleneck_size("excitations", stage.channels, reduction);
    cost.parameters += stage.blocks * 2 * stage.channels * hidden;
  }
  cost.multiplications = cost.parameters;  // each weight is used once for an image
  return cost;
}

Measured measure_block(Size repetitions) {
  const Stage& stage = resnet50_stages()[third];
  Rng rng(2);
  ConvOptions plain, padded;
  plain.bias = padded.bias = false;
  padded.padding = 1;
  const Conv2d narrow(stage.channels, stage.inner, 1, rng, plain), spread(stage.inner, stage.inner, 3, rng, padded),
      widen(stage.inner, stage.channels, 1, rng, plain);
  const Var x(maps_of(stage));
  return measure(parameter_count(narrow) + parameter_count(spread) + parameter_count(widen), repetitions,
                 [&] { return relu(widen(relu(spread(relu(narrow(x))))) + x); });
}

Measured measure_excitation(Size reduction, Size repetitions) {
  const Stage& stage = resnet50_stages()[third];
  Rng rng(3);
  const SqueezeExcitation layer(stage.channels, reduction, rng);
  const Var x(maps_of(stage));
  return measure(parameter_count(layer), repetitions, [&] { return layer(x); });
}

}  // namespace attend::chapter09
