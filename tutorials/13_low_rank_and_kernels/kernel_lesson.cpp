#include "tutorials/13_low_rank_and_kernels/kernel_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "autograd/grad.hpp"
#include "nn/attention/linear_attention.hpp"
#include "nn/attention/linformer.hpp"
#include "nn/attention/nystrom.hpp"
#include "nn/attention/performer.hpp"
#include "tensor/cost.hpp"
#include "tensor/kernels.hpp"
#include "tensor/live.hpp"
#include "tutorials/13_low_rank_and_kernels/forms.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter13 {

using namespace lesson;

namespace {

std::string listed(const Tensor& numbers) {
  std::string text;
  for (const double number : numbers.to_vector()) text += (text.empty() ? "" : ", ") + significant(number, 4);
  return text;
}

void paper_table(Claims& claims) {
  say("On paper: three positions, two features, values of one number; causal.\n");
  const OnPaper example = on_paper();
  const auto row = [](const Tensor& x, Size i) { return listed(slice(x, 0, i, 1)); };
  Table table({"position", "φ(q)", "φ(k)", "v", "S = Σ φ(k) v", "z = Σ φ(k)", "φ(q) · S / φ(q) · z"});
  for (Size i = 0; i < 3; ++i) {
    const OnPaper::Step& step = example.steps[static_cast<std::size_t>(i)];
    table.row({count(i), row(example.features_q, i), row(example.features_k, i), row(example.values, i),
               listed(step.sums), listed(step.normaliser), significant(step.context, 4)});
  }
  table.print();
  claims.below("the last: 220 / 11, from 20", std::abs(example.steps[2].context - 20), 1e-13);
}

// What a form gives and takes, for one sequence and one head.
struct Measured {
  Tensor context;
  Vars gradients;
  double multiplications, kibibytes;  // of a forward pass; the most that is alive beyond the inputs
};

Measured measured(const Form& form, const Vars& in, const Var& direction) {
  Measured found;
  {
    const Recording off(false);
    const CostCounter counter;
    const auto before = live().bytes;
    reset_peak();
    found.context = form.run(in[0], in[1], in[2]).value();
    found.kibibytes = static_cast<double>(live().peak_bytes - before) / 1024;
    found.multiplications = static_cast<double>(counter.total().multiplications);
  }
  found.gradients = grad(form.run(in[0], in[1], in[2]), in, direction);
  return found;
}

double largest_of_gradients(const Measured& a, const Measured& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.gradients.size(); ++i) {
    largest = std::max(largest, largest_difference(a.gradients[i].value(), b.gradients[i].value()));
  }
  return largest;
}

void forms_table(const Options& options, Claims& claims) {
  constexpr Size T = 512, d = 16;
  say(
      fill("\n{} positions, {} features, values of width {}, float64. Differences are to the weights formed pair by "
           "pair; memory is the most that a forward pass holds beyond its inputs.\n",
           {count(T), count(d), count(d)}));
  Rng rng(options.seed());
  const auto normal = [&] { return Var::parameter(rng.normal({1, 1, T, d}, 0, 1, DType::float64)); };
  Vars in = {normal(), normal(), normal()};
  for (const std::size_t of : {0, 1}) in[of] = Var::parameter(elu_features(in[of]).value());
  const Var direction(rng.normal({1, 1, T, d}, 0, 1, DType::float64));
  Table table({"form", "multiplications", "KiB", "results apart", "gradients apart"});
  double worst = 0;
  Measured definition;
  for (const Form& form : forms()) {
    const Measured found = measured(form, in, direction);
    if (form.definition) definition = found;
    const double results = largest_difference(found.context, definition.context),
                 gradients = largest_of_gradients(found, definition);
    worst = std::max({worst, results, gradients});
    table.row({form.name, count(std::llround(found.multiplications)), fixed(found.kibibytes, 0),
               form.definition ? "-" : significant(results, 2), form.definition ? "-" : significant(gradients, 2)});
  }
  table.print();
  claims.below("all forms: largest difference, of results and gradients", worst, 1e-12);
}

// Runs what must be refused, and gives the reason.
template <class Refused>
std::string reason(Refused refused) {
  try {
    refused();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

void refusals(const Options& options, Claims& claims) {
  constexpr Size T = 32, d = 16;
  Rng rng(options.seed());
  const Var x(rng.normal({1, 1, T, d}, 0, 1)), longer(rng.normal({1, 1, T + 8, d}, 0, 1));
  const LinformerAttention linformer(T, 16, rng);
  const NystromAttention nystrom(8, rng);
  const Performer performer(d, 44, rng);
  const Mask causal = causal_mask(T, T), band = band_mask(T, T, 4, 4);
  const std::vector<std::string> reasons = {
      reason([&] { linformer(longer, longer, longer); }), reason([&] { linformer(x, x, x, causal); }),
      reason([&] { nystrom(x, x, x, causal); }), reason([&] { LinearAttention()(x, x, x, band); }),
      reason([&] { performer(x, x, x, band); })};
  for (const std::string& text : reasons) point(text);
  claims.holds("each of the five is refused",
               std::none_of(reasons.begin(), reasons.end(), [](const std::string& text) { return text.empty(); }));
}

void derivatives(const Options& options, Claims& claims) {
  constexpr Size T = 8, d = 4;
  Rng rng(options.seed());
  const Mask causal = causal_mask(T, T);
  const std::vector<std::pair<std::string, AttentionCore>> cores = {
      {"Linformer", cast(LinformerAttention(T, 3, rng), DType::float64)},
      {"Nyström", NystromAttention(3, rng)},
      {"linear attention, causal", LinearAttention(3)},
      {"Performer, causal", cast(Performer(d, 6, rng), DType::float64)},
      {"Performer, hyperbolic", cast(Performer(d, 6, rng, SoftmaxFeatures::hyperbolic), DType::float64)}};
  GradcheckOptions settings;
  settings.seed = options.seed();
  // The second derivative of elu jumps at 0: all numbers are 0.1 away from it.
  const auto drawn = [&] {
    const Tensor x = rng.normal({1, 1, T, d}, 0, 0.5, DType::float64);
    return kernel::where(x > 0.0, kernel::affine(x, 1, 0.1), kernel::affine(x, 1, -0.1));
  };
  std::vector<GradcheckReport> reports;
  for (const auto& [name, core] : cores) {
    const Mask mask = name.find("causal") == std::string::npos ? Mask() : causal;
    const Tensor q = drawn(), k = drawn(), v = drawn();
    reports.push_back(gradcheck(
        name.c_str(), [&, &core = core](const Vars& x) { return core(x[0], x[1], x[2], mask).context; }, {q, k, v},
        settings));
  }
  claim_gradients(reports, claims);
}

}  // namespace

void forms_section(const Options& options, Claims& claims) {
  heading("A weight that is a product");
  paper_table(claims);
  forms_table(options, claims);
}

void state_section(const Options& options, Claims& claims) {
  heading("What decoding has to remember");
  constexpr Size d = 64, longest = 1000;
  say(
      fill("One head of width {}, one position after the other. Softmax attention keeps all keys and values, linear "
           "attention the sums.\n",
           {count(d)}));
  Rng rng(options.seed());
  const auto normal = [&](Size T) { return Var(rng.normal({1, 1, T, d}, 0, 1)); };
  const Var q = normal(longest), k = normal(longest), v = normal(longest);
  const Recording off(false);
  Table table({"position", "softmax keeps", "multiplies", "linear keeps", "multiplies"});
  RunningSums state;
  std::vector<Size> kept, multiplied;
  for (Size t = 1; t <= longest; ++t) {
    const auto at = [t](const Var& x) { return slice(x, 2, t - 1, 1); };
    const CostCounter linear;
    LinearAttention().step(at(q), at(k), at(v), state);
    kept.push_back(state.sums.size());
    multiplied.push_back(linear.total().multiplications);
    if (t != 1 && t != 10 && t != 100 && t != 1000) continue;
    const auto so_far = [t](const Var& x) { return slice(x, 2, 0, t); };
    const CostCounter softmax_of_all;
    scaled_dot_attention(at(q), so_far(k), so_far(v));
    table.row({count(t), count(2 * t * d), count(softmax_of_all.total().multiplications), count(kept.back()),
               count(multiplied.back())});
  }
  table.print();
  claims.holds(fill("linear attention keeps {} numbers at every position", {count(d * (d + 1))}),
               std::count(kept.begin(), kept.end(), d * (d + 1)) == longest);
  claims.holds("from the second position on it multiplies alike",
               std::count(multiplied.begin() + 1, multiplied.end(), multiplied[1]) == longest - 1);
}

void limits_section(const Options& options, Claims& claims) {
  heading("What they refuse");
  say("Another length than it was made for; a causal mask where positions are mixed; a mask of pairs where none is "
      "formed:\n");
  refusals(options, claims);
  heading("Are the derivatives right?");
  derivatives(options, claims);
}

}  // namespace attend::chapter13
