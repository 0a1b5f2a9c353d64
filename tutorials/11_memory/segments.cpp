#include "tutorials/11_memory/segments.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "nn/dropout.hpp"
#include "tensor/cost.hpp"
#include "tensor/live.hpp"
#include "tutorials/11_memory/units.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/stopwatch.hpp"

namespace attend::chapter11 {
namespace {

Size bytes_now() { return static_cast<Size>(live().bytes); }

// A pass whose loss alone holds the history, so that the backward pass can free it node by node.
Vars pass(const Chain& chain, Size segments, Size* remembered = nullptr) {
  const Size before = bytes_now();
  Var y = checkpoint_sequential(chain.layers, chain.x, segments);
  y = sum(y);
  if (remembered) *remembered = bytes_now() - before - y.value().block_bytes();
  return grad(std::move(y), chain.weights);
}

bool same_numbers(const Vars& a, const Vars& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Var& x, const Var& y) { return x.value().to_vector() == y.value().to_vector(); });
}

}  // namespace

Chain tanh_chain(Size n, Size rows, Size width, std::uint64_t seed) {
  Rng rng(seed);
  Chain chain{Var(rng.normal({rows, width}, 0, 1)), {}, {}};
  for (Size i = 0; i < n; ++i) {
    const Var w = Var::parameter(rng.normal({width, width}, 0, 1 / std::sqrt(static_cast<double>(width))));
    chain.weights.push_back(w);
    chain.layers.push_back([w](const Var& x, Rng*) { return tanh(matmul(x, w)); });
  }
  return chain;
}

Step step_in_segments(const Chain& chain, Size segments, int passes) {
  Step step{segments, 0, 0, 0, 1e9, {}};
  for (int i = 0; i < passes; ++i) {
    step.gradients.clear();
    const Size before = bytes_now();
    reset_peak();
    const CostCounter counter;
    const lesson::ProcessorStopwatch watch;
    step.gradients = pass(chain, segments, &step.remembered);
    step.seconds = std::min(step.seconds, watch.seconds());
    step.multiplications = counter.total().multiplications;
    step.peak = static_cast<Size>(live().peak_bytes) - before;
  }
  return step;
}

Size remembered_tensors(Size n, Size segments) { return segments - 1 + (n + segments - 1) / segments; }

Least least_peak(Size n) {
  const Chain chain = tanh_chain(n, 1024, 16, 1);
  const Step plain = step_in_segments(chain, 1);
  Least least{1, plain.peak, plain.peak, plain.remembered, plain.remembered};
  for (Size segments = 2; segments <= n; ++segments) {
    const Step step = step_in_segments(chain, segments);
    if (step.peak >= least.peak) continue;
    least.segments = segments;
    least.peak = step.peak;
    least.remembered = step.remembered;
  }
  return least;
}

lesson::Chart segments_chart(const std::vector<Step>& steps, Size n) {
  lesson::Chart chart{lesson::fill("{} layers in segments, as shares of the plain chain", {lesson::count(n)}),
                      "segments",
                      {},
                      {{"peak of memory", {}}, {"multiplications", {}}},
                      0,
                      1.6,
                      2};
  const Step& plain = steps.front();
  for (const Step& step : steps) {
    const double peak = ratio(step.peak, plain.peak), cost = ratio(step.multiplications, plain.multiplications);
    chart.places.push_back(lesson::count(step.segments));
    chart.series[0].points.push_back({peak, peak, peak});
    chart.series[1].points.push_back({cost, cost, cost});
  }
  return chart;
}

Compared compare_with_dropout(Size segments, Stream stream) {
  constexpr Size n = 9;
  Rng first(7);
  const Var x(first.normal({8, 6}, 0, 1));
  Vars weights;
  for (Size i = 0; i < n; ++i) weights.push_back(Var::parameter(first.normal({6, 6}, 0, 0.4)));

  const auto run = [&](Size parts, Rng& rng) {
    const auto own = std::make_shared<Rng>(rng);
    std::vector<ChainLayer> layers;
    for (const Var& w : weights) {
      layers.push_back([w, own, stream](const Var& in, Rng* given) {
        return dropout(tanh(matmul(in, w)), 0.3, stream == Stream::given ? given : own.get());
      });
    }
    const Vars gradients = grad(sum(checkpoint_sequential(layers, x, parts, &rng)), weights);
    if (stream == Stream::held) rng = *own;
    return gradients;
  };
  Rng plain(11), checkpointed(11);
  const Vars expected = run(1, plain), found = run(segments, checkpointed);
  Compared compared{same_numbers(found, expected), plain == checkpointed, 0};
  for (std::size_t i = 0; i < found.size(); ++i) {
    compared.difference =
        std::max(compared.difference, lesson::largest_difference(found[i].value(), expected[i].value()));
  }
  return compared;
}

}  // namespace attend::chapter11
