#include "tutorials/11_memory/running_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "autograd/checkpoint.hpp"
#include "autograd/grad.hpp"
#include "nn/attention/dot_product.hpp"
#include "tensor/random.hpp"
#include "tutorials/11_memory/running.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter11 {

using namespace lesson;

namespace {

Rescale rescale_of(const Options& options) { return options.breaks("no-rescale") ? Rescale::forgotten : Rescale::yes; }

std::string pair(const std::vector<double>& two) { return significant(two[0], 5) + ", " + significant(two[1], 5); }

// softmax(scores) · values of the example, with all scores at once.
double whole_example() {
  double sum = 0, normaliser = 0;
  for (const PaperStep& step : on_paper()) {
    for (std::size_t i = 0; i < step.scores.size(); ++i) {
      sum += std::exp(step.scores[i]) * step.values[i];
      normaliser += std::exp(step.scores[i]);
    }
  }
  return sum / normaliser;
}

void paper_table(const Options& options, Claims& claims) {
  say("The example on paper: one query, six keys in three blocks, values of one number.\n");
  const std::vector<PaperStep> steps = on_paper(0, rescale_of(options));
  Table table({"scores", "values", "maximum", "old ×", "normaliser", "sum", "context"});
  for (const PaperStep& step : steps) {
    table.row({pair(step.scores), pair(step.values), fixed(step.highest, 0), fixed(step.factor, 4),
               fixed(step.normaliser, 4), fixed(step.sum, 4), fixed(step.sum / step.normaliser, 4)});
  }
  table.print();
  const PaperStep& last = steps.back();
  claims.below("context, from softmax of all six at once", std::fabs(last.sum / last.normaliser - whole_example()),
               1e-13);
  const PaperStep far = on_paper(1000, rescale_of(options)).back();
  claims.below("the same with 1000 added to all scores", std::fabs(far.sum / far.normaliser - whole_example()), 1e-13);
}

// softmax(q kᵀ / √d) v with all scores at once.
Var all_at_once(const Vars& in, const Mask& mask) {
  const auto one_text = [](const Var& x) { return unsqueeze(x, 0); };
  return squeeze(scaled_dot_attention(one_text(in[0]), one_text(in[1]), one_text(in[2]), {mask}).context, {0});
}

// The largest difference to that, of results and of gradients.
template <class Attention>
double difference_to_whole(const Vars& in, const Attention& attention, const Mask& mask = {}) {
  const Var direction(Rng(9).normal({in[0].shape()[0], in[2].shape()[1]}, 0, 1, DType::float64));
  const Var expected = all_at_once(in, mask), found = attention(in);
  double worst = largest_difference(found.value(), expected.value());
  const Vars of_expected = grad(expected, in, direction), of_found = grad(found, in, direction);
  for (std::size_t i = 0; i < in.size(); ++i) {
    worst = std::max(worst, largest_difference(of_found[i].value(), of_expected[i].value()));
  }
  return worst;
}

void claim_equal(const Options& options, Claims& claims) {
  Rng rng(options.seed());
  constexpr Size Tq = 70, Tk = 100, d = 16, Dv = 8;  // of no block a multiple
  Vars in;
  for (const Shape& shape : {Shape{Tq, d}, Shape{Tk, d}, Shape{Tk, Dv}}) {
    in.push_back(Var::parameter(rng.normal(shape, 0, 3, DType::float64)));
  }
  say("\nLarge scores (up to about 60), 70 queries, 100 keys, float64; results and gradients:\n");
  Table table({"keys of a block", "running softmax", "blockwise_attention", "causal"});
  double worst_running = 0, worst_tiles = 0;
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  for (const Size block : {1, 7, 16, 64, 100}) {
    const auto tiles = [&](bool causal) {
      return [=](const Vars& x) { return blockwise_attention(x[0], x[1], x[2], {scale, {}, causal, block}); };
    };
    const double running = difference_to_whole(
        in, [&](const Vars& x) { return running_attention(x[0], x[1], x[2], block, rescale_of(options)); });
    const double whole = difference_to_whole(in, tiles(false));
    const double causal = difference_to_whole(in, tiles(true), causal_mask(Tq, Tk));
    table.row({count(block), significant(running, 2), significant(whole, 2), significant(causal, 2)});
    worst_running = std::max(worst_running, running);
    worst_tiles = std::max({worst_tiles, whole, causal});
  }
  table.print();
  claims.below("running softmax: largest difference", worst_running, 1e-12);
  claims.below("blockwise attention, also causal: largest difference", worst_tiles, 1e-12);
}

}  // namespace

void running_section(const Options& options, Claims& claims) {
  heading("The running softmax");
  paper_table(options, claims);
  claim_equal(options, claims);
}

void gradients_section(std::uint64_t seed, Claims& claims) {
  heading("Are the derivatives right?");
  Rng rng(seed);
  GradcheckOptions settings;
  settings.seed = seed;
  const auto normal = [&](const Shape& shape) { return rng.normal(shape, 0, 1, DType::float64); };
  const std::vector<Tensor> inputs = {normal({3, 4}), normal({5, 4}), normal({5, 2})};
  const auto blockwise = [](const Vars& x) { return blockwise_attention(x[0], x[1], x[2], {0.5, {}, false, 2}); };
  const auto tanh_of_product = [](const Vars& x) { return tanh(matmul(x[0], x[1])); };
  claim_gradients({gradcheck(
                       "running softmax, blocks of 2",
                       [](const Vars& x) { return running_attention(x[0], x[1], x[2], 2); }, inputs, settings),
                   gradcheck("blockwise attention, blocks of 2", blockwise, inputs, settings),
                   gradcheck(
                       "tanh(x W) in a checkpoint", [&](const Vars& x) { return checkpoint(tanh_of_product, x); },
                       {normal({3, 4}), normal({4, 2})}, settings)},
                  claims);
}

}  // namespace attend::chapter11
