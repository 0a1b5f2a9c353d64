#include "tutorials/16_conditional_and_learned/conditional_lesson.hpp"

#include "autograd/gradcheck.hpp"
#include "nn/attention/adaptive_span.hpp"
#include "nn/attention/entmax.hpp"
#include "nn/attention/gated.hpp"
#include "nn/attention/router.hpp"
#include "tutorials/16_conditional_and_learned/gate_lesson.hpp"
#include "tutorials/16_conditional_and_learned/routing_lesson.hpp"
#include "tutorials/16_conditional_and_learned/span_lesson.hpp"
#include "tutorials/16_conditional_and_learned/support_lesson.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

void gradients_section(std::uint64_t seed, Claims& claims) {
  heading("Are the derivatives right?");
  constexpr Size T = 6, d = 3;
  Rng rng(seed);
  const auto drawn = [&](const Shape& shape) { return rng.normal(shape, 0, 1, DType::float64); };
  GradcheckOptions settings;
  settings.seed = seed;
  std::vector<GradcheckReport> reports;
  const std::vector<std::pair<const char*, AttentionCore>> cores = {
      {"sparsemax", SparsemaxAttention()},
      {"entmax 1.5", EntmaxAttention(1.5)},
      {"top-3", TopKAttention(3)},
      {"adaptive span", AdaptiveSpan(1, T, 2, 1.5)},
      {"gated output", GatedAttention(SoftmaxAttention(), d, 1, rng)}};
  for (const auto& [name, core] : cores) {
    const AttentionCore exact = cast(core, DType::float64);
    const auto context = [&](const Vars& x) { return exact(x[0], x[1], x[2]).context; };
    const Shape shape = {1, 2, T, d};
    reports.push_back(gradcheck(name, context, {drawn(shape), drawn(shape), drawn(shape)}, settings));
  }
  const RoutedAttention routed = cast(RoutedAttention(d, 2, 3, 1, rng), DType::float64);
  const auto routed_output = [&](const Vars& x) { return routed(x[0]).y; };
  reports.push_back(gradcheck("routed attention", routed_output, {drawn({1, T, d})}, settings));
  claim_gradients(reports, claims);
}

void say_beginning() {
  say("The claim: attention can leave to training what chapter 12 fixed by hand. How far a head looks, how many keys "
      "get a weight, which of several heads a position asks and whether it wants an answer at all become numbers with "
      "a derivative, or nearly so, and what is left out counts as exactly 0.");
  shapes({{"q, k, v", {1, 1, 48, 32}, "batch, heads, positions, width of a head"},
          {"span z", {1}, "of each head, in keys"},
          {"weights", {1, 1, 16, 16}, "sparsemax, entmax, top-k: most of them 0"},
          {"router's logits", {512, 2}, "positions, experts"},
          {"gate", {1, 1, 16, 1}, "one for each query"}});
}

NamedFigures conditional_lesson(const Options& options, std::uint64_t seed, const std::string& picture,
                                Claims& claims) {
  if (!options.full()) {
    say_beginning();
    support_section(claims);
  }
  NamedFigures figures;
  const auto add = [&](const NamedFigures& more) { figures.insert(figures.end(), more.begin(), more.end()); };
  add(heap_section(options, seed, claims));
  add(recall_section(options, seed, claims));
  add(span_section(options, seed, picture, claims));
  add(routing_section(options, seed, claims));
  add(gate_section(options, seed, claims));
  if (!options.full()) gradients_section(seed, claims);
  return figures;
}

}  // namespace

Part conditional_part() {
  return {"conditional", "results.tsv", {"no-penalty", "spans-at-once", "no-ramp", "no-balance"}, conditional_lesson};
}

}  // namespace attend::chapter16
