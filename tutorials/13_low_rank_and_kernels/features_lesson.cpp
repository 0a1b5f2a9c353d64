#include "tutorials/13_low_rank_and_kernels/features_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "nn/attention/linear_attention.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/13_low_rank_and_kernels/features.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter13 {

using namespace lesson;

namespace {

struct Kind {
  std::string name;
  SoftmaxFeatures features;
};
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {{"positive", SoftmaxFeatures::positive},
                                        {"hyperbolic", SoftmaxFeatures::hyperbolic},
                                        {"trigonometric", SoftmaxFeatures::trigonometric}};
  return all;
}

void bias_table(const Options& options, Claims& claims) {
  constexpr Size d = 8, draws = 4000;
  say(fill(
      "φ(x) · φ(y) as a share of exp(x · y), {} draws of {} orthogonal directions; x = (s, ..., s) / √{}. That is a "
      "bad direction for the Q of LAPACK's QR decomposition: its first element is never above 0. y = x, and for "
      "trigonometric features y = −x, since x · x they always give exactly.\n",
      {count(draws), count(d), count(d)}));
  const Directions how = options.breaks("raw-qr") ? Directions::raw_qr : Directions::orthogonal;
  Table table({"features", "s", "mean", "standard error", "off by so many"});
  double worst = 0;
  for (const Kind& kind : kinds()) {
    for (const double s : {0.7, -0.7}) {
      const Tensor x = along_diagonal(d, s);
      const Tensor y = kind.features == SoftmaxFeatures::trigonometric ? along_diagonal(d, -s) : x;
      const Estimate found = estimate(x, y, d, kind.features, draws, options.seed(), how);
      const double off = std::abs(found.mean - 1) / found.standard_error;
      worst = std::max(worst, off);
      table.row({kind.name, fixed(s, 1), fixed(found.mean, 4), fixed(found.standard_error, 4), fixed(off, 1)});
    }
  }
  table.print();
  claims.below("unbiased: the largest distance from 1, in standard errors", worst, 4);
}

void error_table(const Options& options, Claims& claims) {
  constexpr Size d = 8, m = 8, draws = 2000;
  say(
      fill("\nThe error of one draw of {} directions, √(mean square) / exp(x · y), measured over {} draws, and for "
           "independent directions by the paper's lemma 2; |x| = |y| = 1.\n",
           {count(m), count(draws)}));
  Table table({"features", "y = x", "lemma", "y = −x", "lemma"});
  std::vector<Estimate> alike, opposite;
  for (const Kind& kind : kinds()) {
    const Tensor x = along_diagonal(d, 1);
    alike.push_back(estimate(x, x, m, kind.features, draws, options.seed()));
    opposite.push_back(estimate(x, along_diagonal(d, -1), m, kind.features, draws, options.seed()));
    const auto shown = [](double error) { return error < 1e-7 ? "0" : significant(error, 2); };
    table.row({kind.name, shown(alike.back().error), shown(alike.back().theory), shown(opposite.back().error),
               shown(opposite.back().theory)});
  }
  table.print();
  claims.below("positive and hyperbolic features of opposite vectors: error",
               std::max(opposite[0].error, opposite[1].error), 1e-12);
  claims.below("trigonometric features of equal vectors: error", alike[2].error, 1e-12);
}

// |difference| / |a|
double apart(const Var& a, const Var& b) {
  return norm(a - b, all_axes(a.rank())).item() / norm(a, all_axes(a.rank())).item();
}

void redraw_claims(const Options& options, Claims& claims) {
  constexpr Size T = 64, d = 16, m = 64, draws = 16;
  Rng rng(options.seed());
  const auto normal = [&] { return Var(rng.normal({1, 1, T, d}, 0, 0.5, DType::float64)); };
  const Var q = normal(), k = normal(), v = normal();
  const Var exact = SoftmaxAttention()(q, k, v).context;
  Performer layer = cast(Performer(d, m, rng), DType::float64);
  const Var first = layer(q, k, v).context, again = layer(q, k, v).context;
  double one_draw = 0;
  Var total = 0.0 * exact;
  for (Size draw = 0; draw < draws; ++draw) {
    layer.redraw(rng);
    const Var context = layer(q, k, v).context;
    one_draw += apart(exact, context) / draws;
    total = total + context;
  }
  const double of_mean = apart(exact, total / static_cast<double>(draws)), moved = apart(first, layer(q, k, v).context);
  say(
      fill("\nThe directions stay until `redraw` is called. Deviation 0.5, {} directions: a redraw moves the result by "
           "{} of its size. One draw is {} from softmax attention, the mean of {} draws {}.\n",
           {count(m), significant(moved, 2), significant(one_draw, 2), count(draws), significant(of_mean, 2)}));
  claims.holds("without a redraw the same result, bit for bit", largest_difference(first.value(), again.value()) == 0);
  claims.holds("a redraw moves it; the mean of many is nearer than one", moved > 0.01 && of_mean < 0.5 * one_draw);
}

}  // namespace

void features_section(const Options& options, Claims& claims) {
  heading("Random features");
  bias_table(options, claims);
  error_table(options, claims);
}

void performer_section(const Options& options, Claims& claims) {
  heading("How far a Performer is from softmax attention");
  say("|difference| / |softmax attention|, 64 positions of width 16, the mean of 8 draws; q and k normal with the "
      "given deviation. At 1 they are as a layer has them in the beginning.\n");
  const std::vector<Size> directions =
      options.quick() ? std::vector<Size>{16, 64, 256, 1024} : std::vector<Size>{16, 64, 256, 1024, 4096};
  const std::vector<double> deviations = {0.25, 0.5, 1, 2};
  Rng rng(options.seed());
  const std::vector<PerformerError> all = performer_errors(deviations, directions, 8, rng);
  std::vector<std::string> headers = {"deviation"};
  for (const Size m : directions) headers.push_back("m = " + count(m));
  headers.push_back("falls as m to the");
  Table table(headers);
  std::vector<double> slopes;
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    std::vector<double> errors;
    std::vector<std::string> cells = {significant(deviations[i], 2)};
    for (std::size_t j = 0; j < directions.size(); ++j) {
      errors.push_back(all[i * directions.size() + j].error);
      cells.push_back(fixed(errors.back(), 3));
    }
    slopes.push_back(exponent({directions.begin(), directions.end()}, errors));
    cells.push_back(fixed(slopes.back(), 2));
    table.row(cells);
  }
  table.print();
  claims.between("deviation 0.25: the error falls as m to the power of", slopes[0], -0.6, -0.4);
  claims.at_least("deviation 1: error with 1,024 directions", all[2 * directions.size() + 3].error, 0.4);
  redraw_claims(options, claims);
}

void cancelling_section(const Options& options, Claims& claims) {
  heading("What cancels");
  constexpr Size T = 24, there = 16, d = 16;
  say("exp(w · k − |k|² / 2) may overflow, so the layer takes a number off the exponents. One for each query cancels "
      "in its quotient, and one for all keys; one for each key would change the weights. Padding is hidden behind the "
      "features: φ(0) is not 0.\n");
  Rng rng(options.seed());
  const auto normal = [&] { return Var(rng.normal({1, 2, T, d}, 0, 1, DType::float64)); };
  const Var q = normal(), k = normal(), v = normal();
  const Performer layer = cast(Performer(d, 64, rng), DType::float64);
  const Var found = options.breaks("key-maximum") ? lowered_key_by_key(layer, q, k, v) : layer(q, k, v).context;
  const Var formed = sums_by_pairs(layer.features(q), layer.features(k), v);
  claims.below("Performer, from its weights formed pair by pair", apart(formed, found), 1e-12);

  const auto first = [](const Var& x) { return slice(x, 2, 0, there); };
  const Mask mask = padding_mask({there}, T);
  const Var padded =
      options.breaks("zeroed-keys") ? with_zeroed_keys(q, k, v, mask) : LinearAttention()(q, k, v, mask).context;
  const Var alone = LinearAttention()(first(q), first(k), first(v)).context;
  claims.below("linear attention of 16 positions, from the same with 8 of padding behind", apart(alone, first(padded)),
               1e-12);
}

}  // namespace attend::chapter13
