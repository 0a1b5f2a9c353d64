// The check of exercise 2: shapes, a tiny chain, dropout, memory.
#include <algorithm>
#include <functional>

#include "nn/dropout.hpp"
#include "tensor/live.hpp"
#include "tutorials/11_memory/exercise_2_segments.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/exercise.hpp"
#include "tutorials/lesson/format.hpp"

using namespace attend;
using namespace attend::chapter11;
using namespace attend::lesson;

namespace {

constexpr Size B = 3, D = 4, n = 5;  // all different

// How often a layer was run, and how often with a history.
struct Runs {
  Size all = 0, recorded = 0;
};

WeightedChain chain_of(Size layers, Size width, double dropped, Runs* runs = nullptr) {
  Rng rng(1);
  WeightedChain chain{[dropped, runs](const Var& x, const Var& w, Rng& stream) {
                        if (runs) {
                          ++runs->all;
                          runs->recorded += recording() ? 1 : 0;
                        }
                        const Var y = tanh(matmul(x, w));
                        return dropped > 0 ? dropout(y, dropped, &stream) : y;
                      },
                      {}};
  for (Size i = 0; i < layers; ++i) chain.weights.push_back(Var::parameter(rng.normal({width, width}, 0, 0.5)));
  return chain;
}

Var drawn(const Shape& shape, std::uint64_t seed) { return Rng(seed).normal(shape, 0, 1); }

// What the answer must give, with the whole history in memory.
Vars by_whole_history(const WeightedChain& chain, const Var& x, const Var& gy, Rng& rng) {
  Vars asked = chain.weights;
  asked.insert(asked.begin(), Var::parameter(x.value()));
  Var y = run_part(chain, 0, static_cast<Size>(chain.weights.size()), asked[0], rng);
  return grad(std::move(y), asked, gy);
}

bool same(const Var& a, const Var& b) {
  return a.defined() && a.shape() == b.shape() && a.value().to_vector() == b.value().to_vector();
}

struct Compared {
  Vars given, expected;
  bool same_stream;
  bool complete() const {
    return given.size() == expected.size() &&
           std::all_of(given.begin(), given.end(), [](const Var& g) { return g.defined(); });
  }
  bool right() const { return std::equal(given.begin(), given.end(), expected.begin(), expected.end(), same); }
};

Compared compared(const SegmentsAnswer& answer, Size segments, double dropped) {
  const WeightedChain chain = chain_of(n, D, dropped);
  const Var x = drawn({B, D}, 2), gy = drawn({B, D}, 3);
  Rng own(5), expected(5);
  Compared found{answer.gradients(chain, x, gy, segments, own), by_whole_history(chain, x, gy, expected), false};
  found.same_stream = own == expected;
  return found;
}

std::string shapes_of(const Vars& gradients) {
  std::string shapes;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    shapes += (i == 0 ? "dx " : ", dw[" + std::to_string(i - 1) + "] ") + shape_of(gradients[i]);
  }
  return shapes.empty() ? "no gradient" : shapes;
}

// ---- the usual mistakes -------------------------------------------------------------------------------------------

std::string bug_of_missing(const Vars& given) {
  if (given.size() != n + 1) {
    return fill("gradients come back: {}; asked for: {}. dx first, then one for each weight.",
                {count(static_cast<Size>(given.size())), count(n + 1)});
  }
  const auto there = [](const Var& g) { return g.defined(); };
  const bool weights = std::any_of(given.begin() + 1, given.end(), there);
  if (!weights && (!given[0].defined() || same(given[0], drawn({B, D}, 3)))) {
    return "the hole is not filled: no gradient was assigned.";
  }
  if (!weights) {
    return "the weights have none: ask grad for those of the segment, too, beside its input.";
  }
  return "not all gradients are there: dx first, then one for each weight.";
}

std::string bug_of_numbers(const SegmentsAnswer& answer) {
  const Compared found = compared(answer, 2, 0);
  if (!found.complete()) return bug_of_missing(found.given);
  Vars turned = found.given;
  std::reverse(turned.begin() + 1, turned.end());
  if (std::equal(turned.begin(), turned.end(), found.expected.begin(), same)) {
    return "the order of the weights' gradients is that of the backward pass: dw[i] belongs to weight i.";
  }
  if (!found.right() && same(found.given.back(), found.expected.back())) {
    return "gy belongs to the last segment alone. Each one before it begins with the gradient of its own result, which "
           "is the dx of the segment behind it.";
  }
  const Compared with_dropout = compared(answer, 2, 0.4);
  if (found.right() && !with_dropout.right()) {
    return std::string("in its second run a segment drew other random numbers than in its first") +
           (with_dropout.same_stream ? "" : ": it went on with the stream where the first run left it") +
           ". Other elements were dropped, and the gradients belong to a chain that never ran. Copy the stream before "
           "the first run of each segment, and give the copy to the second.";
  }
  return "none of the usual ones. With 1 segment there is one second run and one call of grad: does that work?";
}

std::string likely_bug(const SegmentsAnswer& answer) {
  try {
    return bug_of_numbers(answer);
  } catch (const std::exception& error) {
    return std::string("an op does not like its arguments: ") + error.what();
  }
}

// ---- the steps ----------------------------------------------------------------------------------------------------

void check_shapes(const SegmentsAnswer& answer, Steps& steps) {
  expect_shapes(
      steps, "x " + text(Shape{B, D}) + ", 5 weights", shapes_of(compared(answer, 2, 0).expected),
      [&] { return shapes_of(compared(answer, 2, 0).given); }, [&] { return likely_bug(answer); });
}

void check_numbers(const SegmentsAnswer& answer, Steps& steps) {
  for (const double dropped : {0.0, 0.4}) {
    for (Size segments = 1; segments <= n; ++segments) {
      const Compared found = compared(answer, segments, dropped);
      if (found.right()) continue;
      const std::string when =
          fill("5 layers, segments = {}, dropout {}: ", {count(segments), significant(dropped, 2)});
      if (shapes_of(found.given) != shapes_of(found.expected)) {
        throw Mistake(when + "the gradients are\nexpected: " + shapes_of(found.expected) +
                          "\nyours:    " + shapes_of(found.given),
                      found.complete() ? likely_bug(answer) : bug_of_missing(found.given));
      }
      std::size_t wrong = 0;
      while (same(found.given[wrong], found.expected[wrong])) ++wrong;
      throw Mistake(when + fill("the first row of {} is\nexpected: {}\nyours:    {}",
                                {wrong == 0 ? "dx" : fill("dw[{}]", {count(static_cast<Size>(wrong) - 1)}),
                                 listed(slice(found.expected[wrong], 0, 0, 1).value()),
                                 listed(slice(found.given[wrong], 0, 0, 1).value())}),
                    likely_bug(answer));
    }
  }
  steps.passed("gradients: bit for bit the plain ones, in 1 to 5 segments, with dropout and without");
}

void check_stream(const SegmentsAnswer& answer, Steps& steps) {
  if (!compared(answer, 2, 0.4).same_stream) {
    throw Mistake(
        "Afterwards the random stream stands elsewhere than one run of the chain leaves it.",
        "the stream has moved twice: once in the first run, and once more in the second. The second runs draw "
        "from copies.");
  }
  steps.passed("properties: the random stream goes on as if the chain had run once");
}

void check_memory(const SegmentsAnswer& answer, Steps& steps) {
  constexpr Size layers = 36, segments = 6, rows = 1024, width = 16;
  Runs runs;
  const WeightedChain chain = chain_of(layers, width, 0, &runs);
  const Var x = drawn({rows, width}, 2), gy = drawn({rows, width}, 3);
  const auto peak_of = [&](const std::function<Vars()>& run) {
    const std::ptrdiff_t before = live().bytes;
    reset_peak();
    run();
    return static_cast<double>(live().peak_bytes - before) / (rows * width * 4);
  };
  Rng rng(5);
  const double plain = peak_of([&] { return by_whole_history(chain, x, gy, rng); });
  runs = {};
  const double peak = peak_of([&] { return answer.gradients(chain, x, gy, segments, rng); });
  if (peak > 0.5 * plain) {
    const std::string beginning = "the whole chain is remembered: ";
    throw Mistake(
        fill("36 layers in 6 segments: at the peak {} tensors of the size of x are in use; with the whole "
             "history {}, and half of that is allowed.",
             {fixed(peak, 1), fixed(plain, 1)}),
        beginning + (runs.all == layers ? "every layer ran once, with a history. Run it first without one."
                     : runs.recorded > layers
                         ? "the first run made a history, too, and what it gave holds it. Recording off(false) "
                           "has to live as long as that run."
                         : "of each segment something holds the history after its gradients were taken. Let y "
                           "go: grad(std::move(y), ...), and keep no copy of it."));
  }
  if (runs.all > 2 * layers) {
    throw Mistake(fill("36 layers were run {} times.", {count(runs.all)}),
                  "a segment is run once forward and once backward, 72 layers in all; somewhere a run is repeated.");
  }
  steps.passed(fill("memory: 36 layers in 6 segments need {} tensors at the peak, with the whole history {}",
                    {fixed(peak, 1), fixed(plain, 1)}));
}

}  // namespace

int main(int argc, char** argv) {
  return check_answers(argc, argv, "tutorials/11_memory/exercise_2_segments.cpp", segments_answers(),
                       {check_shapes, check_numbers, check_stream, check_memory});
}
