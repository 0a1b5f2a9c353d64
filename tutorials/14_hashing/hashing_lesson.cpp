#include "tutorials/14_hashing/hashing_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "nn/attention/shared_query_key.hpp"
#include "tensor/kernels.hpp"
#include "tutorials/14_hashing/collisions.hpp"
#include "tutorials/14_hashing/rounds.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter14 {

using namespace lesson;

namespace {

constexpr Size on_screen = 16;  // positions of a map
constexpr Size draws = 8;       // over which errors are averaged
// Lengths that give scores up to 8: a twin then has nearly all of the weight.
const Setting usual = {64, 16, 32, 16, 8};

HeatMap map_of(const std::string& name, const Tensor& values, const std::vector<std::string>& labels) {
  const Size T = values.shape()[0];
  return {Matrix(T, T, values.to_vector()), labels, {}, name};
}

std::vector<std::string> bucket_labels(const Buckets& buckets, const std::vector<Size>& order) {
  std::vector<std::string> labels;
  for (const Size i : order) labels.push_back(count(buckets[static_cast<std::size_t>(i)]));
  return labels;
}

LshAttention drawn(Size width, Size buckets, Size chunk, Size rounds, Rng& rng, bool around = true) {
  return cast(LshAttention(width, buckets, chunk, rounds, rng, around), DType::float64);
}

Together together_of(const Options& options) {
  if (options.breaks("averaged")) return Together::averaged;
  return options.breaks("twice") ? Together::twice : Together::once;
}

// The layer, or what a switch makes of it.
AttentionCore core_of(const LshAttention& lsh, const Options& options) {
  const bool itself = options.breaks("sees-itself");
  if (together_of(options) == Together::once && !itself) return lsh;
  return LshByDefinition{lsh, together_of(options), itself};
}

double away_from_full(const AttentionCore& core, const Var& q, const Var& v, const Mask& mask) {
  return largest_difference(core(q, q, v, mask).context.value(),
                            SharedQueryKeyAttention()(q, q, v, mask).context.value());
}

void claim_few_chunks(const Options& options, Claims& claims) {
  constexpr Size T = 20, d = 6;
  Rng rng(options.seed());
  const Var q = reshape(directed(Directions::scattered, T, d, 8, rng), {1, 1, T, d});
  const Var v = rng.normal({1, 1, T, 3}, 0, 1, DType::float64);
  double worst = 0;
  for (const Size chunk : {T, T / 2, T / 2 + 3}) {
    for (const Size rounds : {1, 3}) {
      const AttentionCore core = core_of(drawn(d, 8, chunk, rounds, rng), options);
      for (const Mask& mask : {Mask(), causal_mask(T, T)}) worst = std::max(worst, away_from_full(core, q, v, mask));
    }
  }
  claims.at_most("one or two chunks, causal too: away from full attention", worst, 1e-12);
}

// Among the pairs that are formed at all, each once, it is full attention.
void claim_definition(const Options& options, Claims& claims) {
  constexpr Size T = 23, d = 6;
  Rng rng(options.seed());
  const Var q = reshape(directed(Directions::scattered, T, d, 8, rng), {1, 1, T, d});
  const Var v = rng.normal({1, 1, T, 3}, 0, 1, DType::float64);
  double worst = 0;
  for (const bool around : {true, false}) {
    const LshAttention lsh = drawn(d, 8, 4, 3, rng, around);
    const Tensor pairs = in_any(met_in_rounds(reshape(q.value(), {T, d}), lsh));
    const Mask formed(reshape(kernel::greater(pairs, Tensor::zeros({}, DType::float64)), {1, 1, T, T}));
    const Var expected = SharedQueryKeyAttention()(q, q, v, formed).context;
    worst = std::max(worst, largest_difference(core_of(lsh, options)(q, q, v).context.value(), expected.value()));
  }
  claims.at_most("3 rounds: away from one softmax over what was met", worst, 1e-12);
}

void paper_claims(const Options& options, Claims& claims) {
  const OnPaper example = on_paper();
  const auto of_query_2 = [&](Together together) {
    return LshByDefinition{example.lsh, together}(example.q, example.q, example.v).context.value().at({0, 0, 2, 0});
  };
  say(
      fill("\nOn paper: six positions, chunks of two, two rounds. Query 2 gets {} when each key counts once, {} when "
           "one counts for each of its rounds, {} when the rounds are averaged.\n",
           {fixed(of_query_2(Together::once), 2), fixed(of_query_2(Together::twice), 2),
            fixed(of_query_2(Together::averaged), 2)}));
  const Var found = core_of(example.lsh, options)(example.q, example.q, example.v).context;
  // Keys 0, 1 and 3 at 60, 100 and 50 degrees.
  const auto weight = [](double degrees) { return std::exp(2 * std::cos(degrees * std::acos(-1.0) / 180)); };
  const double expected =
      (10 * weight(60) + 20 * weight(100) + 40 * weight(50)) / (weight(60) + weight(100) + weight(50));
  claims.at_most("query 2, less one softmax over its keys", std::abs(found.value().at({0, 0, 2, 0}) - expected), 1e-12);
}

// Under a causal mask nothing later has a weight; but it has a place in a chunk.
void claim_causal(const Options& options, Claims& claims) {
  constexpr Size T = 32, d = 8;
  Rng rng(options.seed());
  const Tensor queries = directed(Directions::scattered, T, d, 8, rng);
  const Var q = reshape(queries, {1, 1, T, d}), v = rng.normal({1, 1, T, 3}, 0, 1, DType::float64);
  const Mask causal = causal_mask(T, T);
  const AttentionCore core = core_of(drawn(d, 8, 4, 2, rng), options);
  const Tensor map = attention_map(core, q, q, causal).value();
  double later = 0;
  for (Size i = 0; i < T; ++i) {
    for (Size j = i + 1; j < T; ++j) later = std::max(later, map.at({0, 0, i, j}));
  }
  claims.at_most("causal: the largest weight of a later position", later, 0);

  const Var early = slice(q, 2, 0, T - 1);
  const Var others = concat({early, reshape(directed(Directions::scattered, 1, d, 8, rng), {1, 1, 1, d})}, 2);
  const auto before = [&](const Var& x) { return slice(core(x, x, v, causal).context, 2, 0, T - 1).value(); };
  say(
      fill("\nAnother query at the last position, causal: what the positions before it get changes by up to {}. It has "
           "no weight there, but it had a place in a chunk, and now another has.\n",
           {significant(largest_difference(before(q), before(others)), 2)}));
}

// The weight that positions give themselves where there are others.
void claim_itself(const Options& options, Claims& claims) {
  constexpr Size T = 32, d = 8;
  Rng rng(options.seed());
  const Var q = reshape(directed(Directions::scattered, T, d, 16, rng), {1, 1, T, d});
  const Tensor map = attention_map(core_of(drawn(d, 8, 8, 2, rng), options), q, q).value();
  double itself = 0;
  for (Size i = 0; i < T; ++i) itself += map.at({0, 0, i, i}) / T;
  claims.at_most("the mean weight that a position gives itself", itself, 0);
}

std::string name_of(Directions how) {
  if (how == Directions::twins) return "twins";
  return how == Directions::scattered ? "scattered" : "crowded";
}

}  // namespace

void collisions_section(const Options& options, Claims& claims) {
  heading("One bucket?");
  const Size trials = options.quick() ? 4000 : 20000;
  say(
      fill("Two vectors at an angle: the share of {} hashes that put both into one bucket, and behind it the "
           "probability by theory. With 2 buckets that is 1 − angle / π.\n",
           {count(trials)}));
  const std::vector<Size> sizes = {2, 4, 8, 16};
  const std::vector<double> angles = {0.2, 0.5, 1.0, 1.5, 2.0, 3.0};
  Rng rng(options.seed());
  double worst = 0, from_line = 0;
  const auto compared = [&](double found, double theory) {
    worst = std::max(worst, std::abs(found - theory) / standard_error(theory, trials));
    return fixed(found, 3) + " " + fixed(theory, 3);
  };
  Table by_buckets({"angle", "2 buckets", "4 buckets", "8 buckets", "16 buckets"});
  for (const double angle : angles) {
    std::vector<std::string> cells = {fixed(angle, 1)};
    for (const Size buckets : sizes) {
      const double theory = collision_probability(angle, buckets);
      cells.push_back(compared(counted_collisions(angle, buckets, 1, trials, rng), theory));
      if (buckets == 2) from_line = std::max(from_line, std::abs(theory - (1 - angle / std::acos(-1.0))));
    }
    by_buckets.row(cells);
  }
  by_buckets.print();
  say("\n8 buckets, one bucket in at least one of several rounds, 1 − (1 − p)ᴿ by theory:\n");
  Table by_rounds({"angle", "1 round", "2 rounds", "4 rounds", "8 rounds"});
  for (const double angle : angles) {
    std::vector<std::string> cells = {fixed(angle, 1)};
    const double once = collision_probability(angle, 8);
    for (const Size rounds : {1, 2, 4, 8}) {
      cells.push_back(compared(counted_collisions(angle, 8, rounds, trials, rng), in_some_round(once, rounds)));
    }
    by_rounds.row(cells);
  }
  by_rounds.print();
  claims.at_most("counted less theory, in standard errors, the largest of 48", worst, 4.5);
  claims.at_most("2 buckets: the integral, less 1 − angle / π", from_line, 0.001);
}

void pairs_section(const Options& options, const std::string& picture, Claims& claims) {
  heading("Who meets whom");
  say(fill(
      "{} queries, of which i and {} − i have nearly the same direction; 4 buckets, chunks of 4. A row is a query, "
      "a column a key.\n",
      {count(on_screen), count(on_screen - 1)}));
  constexpr Size d = 8, rounds = 4;
  Rng rng(options.seed());
  const Tensor queries = directed(Directions::twins, on_screen, d, 24, rng);
  const LshAttention lsh = drawn(d, 4, 4, rounds, rng);
  const Buckets buckets = buckets_in_round(queries, lsh, 0);
  const std::vector<Size> order = sorted_by_bucket(buckets);
  const Var q = reshape(queries, {1, 1, on_screen, d});
  const Tensor full = reshape(SharedQueryKeyAttention()(q, q, q).weights.value(), {on_screen, on_screen});
  const Tensor in_round = met_in_rounds(queries, lsh);
  const Tensor first = reshape(slice(in_round, 0, 0, 1), {on_screen, on_screen});
  const Tensor times = kernel::affine(kernel::sum(in_round, {0}, false), 1.0 / rounds, 0);
  const Tensor hashed = reshape(attention_map(lsh, q, q).value(), {on_screen, on_screen});
  const std::vector<HeatMap> maps = {map_of("weights of full attention", full, {}),
                                     map_of("sorted by bucket", in_order(full, order), bucket_labels(buckets, order)),
                                     map_of("sorted: chunks", in_order(first, order), bucket_labels(buckets, order)),
                                     map_of("pairs of one round", first, {}),
                                     map_of("share of 4 rounds", times, {}),
                                     map_of("weights of LSH, 4 rounds", hashed, {})};
  for (const HeatMap& map : maps) {
    draw(map);
    say("");
  }
  if (!picture.empty()) write_svg("Sorting by buckets brings together what is alike", maps, 3, picture);
  const auto pairs_of = [&](bool around) { return kernel::sum(met(buckets, 4, around), {0, 1}, false).item(); };
  claims.holds("one round: 4 chunks of 4 queries with 8 keys each: 128 pairs", pairs_of(true) == 128);
  claims.holds("the first chunk looks back at nothing: 16 fewer", pairs_of(false) == 112);
}

void errors_section(const Options& options, Claims& claims) {
  heading("What is found");
  say(
      fill("{} positions, width {}. Twins: positions i and T − 1 − i nearly agree. Scattered: each has a direction of "
           "its own. Crowded: half of all nearly agree. The error is the distance to full shared query-key attention, "
           "relative to its length; found, the part of its weights on the pairs that are formed. Means of {} draws, {} "
           "buckets, chunks of {}.\n",
           {count(usual.T), count(usual.d), count(draws), count(usual.buckets), count(usual.chunk)}));
  Table table({"queries", "rounds", "pairs", "found", "error"});
  std::vector<double> of_twins;
  double crowded = 0;
  for (const Directions how : {Directions::twins, Directions::scattered, Directions::crowded}) {
    for (const Size rounds : {1, 2, 4, 8}) {
      const Found found = found_of(how, usual, rounds, together_of(options), draws, Rng(options.seed()));
      table.row({name_of(how), count(rounds), percent(found.pairs), percent(found.weight), fixed(found.error, 3)});
      if (how == Directions::twins) of_twins.push_back(found.error);
      if (how == Directions::crowded) crowded = found.error;
    }
  }
  table.print();
  claims.holds("twins: every doubling of the rounds lessens the error",
               std::is_sorted(of_twins.rbegin(), of_twins.rend()));
  claims.at_most("twins, 8 rounds: error, in that of 1", of_twins.back() / of_twins.front(), 0.5);
  claims.at_least("crowded, 8 rounds: error", crowded, 0.2);

  say("\nError on twins by the number of chunks:\n");
  Table chunks({"chunks", "1 round", "2 rounds", "4 rounds", "8 rounds"});
  for (const Size number : {1, 2, 4, 8, 16}) {
    std::vector<std::string> cells = {count(number)};
    for (const Size rounds : {1, 2, 4, 8}) {
      Setting setting = usual;
      setting.chunk = usual.T / number;
      setting.buckets = 2 * number;
      const Found found =
          found_of(Directions::twins, setting, rounds, together_of(options), draws, Rng(options.seed()));
      cells.push_back(significant(found.error, 2));
    }
    chunks.row(cells);
  }
  chunks.print();
  claim_few_chunks(options, claims);
}

void rounds_section(const Options& options, Claims& claims) {
  heading("Rounds together");
  say("The error on twins, when a key counts once in all, once for each round that meets it, and when rounds are "
      "averaged:\n");
  Table table({"rounds", "once", "for each round", "averaged"});
  for (const Size rounds : {1, 2, 4, 8, 16}) {
    std::vector<std::string> cells = {count(rounds)};
    for (const Together together : {Together::once, Together::twice, Together::averaged}) {
      const Found found = found_of(Directions::twins, usual, rounds, together, draws, Rng(options.seed()));
      cells.push_back(fixed(found.error, 3));
    }
    table.row(cells);
  }
  table.print();
  claim_definition(options, claims);
  paper_claims(options, claims);
  claim_itself(options, claims);
  claim_causal(options, claims);
}

void drawn_section(const Options& options, Claims& claims) {
  heading("What is drawn must stay");
  say("A checkpoint runs the layer a second time (chapter 11), and it must then sort as it did before.\n");
  constexpr Size T = 24, d = 6;
  Rng rng(options.seed());
  const LshAttention lsh = drawn(d, 8, 4, 2, rng);
  const AttentionCore core =
      options.breaks("redrawn") ? AttentionCore(RedrawnLsh{d, 8, 4, 2, std::make_shared<Rng>(7)}) : AttentionCore(lsh);
  const auto numbers = [&](Size positions) { return rng.normal({1, 1, positions, d}, 0, 1, DType::float64); };
  const Vars in = {Var::parameter(numbers(T)), Var::parameter(numbers(T))};
  const Var gy = numbers(T);
  claim_repeatable([&](const Vars& x) { return core(x[0], x[0], x[1]).context; }, in, gy, claims);

  heading("Are the derivatives right?");
  say("Hashes are steps: between two of them nothing changes, and no derivative passes through them.\n");
  GradcheckOptions settings;
  settings.seed = options.seed();
  std::vector<GradcheckReport> reports;
  const std::vector<std::pair<const char*, AttentionCore>> cores = {
      {"shared query-key", SharedQueryKeyAttention()}, {"LSH", lsh}, {"LSH, causal", lsh}};
  for (const auto& [name, layer] : cores) {
    const Mask mask = name == std::string("LSH, causal") ? causal_mask(8, 8) : Mask();
    const auto f = [&, &attend_with = layer](const Vars& x) { return attend_with(x[0], x[0], x[1], mask).context; };
    reports.push_back(gradcheck(name, f, {numbers(8), numbers(8)}, settings));
  }
  claim_gradients(reports, claims);
}

}  // namespace attend::chapter14
