// Chapter 04: dot products and why √d. The page is README.md beside this file.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "tensor/parallel.hpp"
#include "tutorials/04_dot_products_and_scale/figures.hpp"
#include "tutorials/04_dot_products_and_scale/identities.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter04;

namespace {

constexpr Size sets = 64;  // of 16 queries and 64 keys

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results.tsv"; }

std::vector<AtWidth> measure_all(const Options& options, std::uint64_t seed) {
  const Factor factor = options.breaks("no-scale")      ? Factor::one
                        : options.breaks("divide-by-d") ? Factor::width
                                                        : Factor::root;
  const Centre centre = options.breaks("not-centred") ? Centre::one : Centre::zero;
  std::vector<AtWidth> measured;
  for (Size d : widths()) measured.push_back(measure(d, options.quick() ? sets / 4 : sets, centre, factor, seed));
  return measured;
}

void say_beginning(const Options& options) {
  title("04", "Dot products and why √d");
  say(options.break_notice());
  say("The claim: products of unit-variance queries and keys have the variance d, so that softmax, given them as they "
      "are, hands all to one key when d is large; divided by √d they have the variance 1 whatever d is.");
  shapes({{"queries q", {sets, 16, 1024}, "sets, queries, d (the widest of four)"},
          {"keys k", {sets, keys, 1024}, ""},
          {"products q kᵀ", {sets, 16, keys}, "one number for each query and key"},
          {"weights", {sets, 16, keys}, "softmax of the products, or of products / √d"},
          {"context", {sets, 16, value_size}, "weighted sum of values"}});
}

void claim_softness(const std::vector<AtWidth>& measured, Claims& claims) {
  heading("What the products are, and what softmax makes of them");
  say("Without the scale, then with it. Entropy in nats: log 64 = 4.16 when all keys weigh the same, 0 when one has "
      "everything. The trace of the Jacobian is at most 63/64.\n");
  Table table({"d", "var q · k", "var scaled", "entropy", "scaled", "trace", "scaled"});
  for (const AtWidth& at : measured) {
    table.row({count(at.d), fixed(at.variance, 1), fixed(at.scaled_variance, 3), fixed(at.plain.entropy, 3),
               fixed(at.scaled.entropy, 3), fixed(at.plain.trace, 3), fixed(at.scaled.trace, 3)});
  }
  table.print();
  std::cout << "\n";
  draw(softness_chart(measured));

  double farthest_variance = 0, farthest_entropy = 0, least_trace = 1, slowest_fall = 0;
  const double expected = std::log(static_cast<double>(keys)) - 0.5;  // of many normal scores with variance 1
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const AtWidth& at = measured[i];
    farthest_variance = std::max(farthest_variance, std::fabs(at.variance / static_cast<double>(at.d) - 1));
    farthest_entropy = std::max(farthest_entropy, std::fabs(at.scaled.entropy - expected));
    least_trace = std::min(least_trace, at.scaled.trace);
    if (i > 0) slowest_fall = std::max(slowest_fall, at.plain.trace / measured[i - 1].plain.trace);
  }
  claims.below("variance of q · k in d, less 1, at its farthest", farthest_variance, 0.1);
  claims.below("entropy with the scale, from log 64 − 1/2, at its farthest", farthest_entropy, 0.1);
  claims.at_least("trace with the scale, the least", least_trace, 0.94);
  claims.below("entropy without the scale at d = 1024", measured.back().plain.entropy, 0.25);
  claims.at_least("largest of 64 weights without it at d = 1024, on average", measured.back().plain.largest, 0.9);
  claims.below("trace without it, from one width to the next, falls to", slowest_fall, 0.7);
}

void claim_gradients_at_q(const std::vector<AtWidth>& measured, Claims& claims) {
  heading("Does the scale keep gradients from vanishing?");
  say("The length of the gradient that a query receives, over all queries: the median and the mean; and the share of "
      "queries that receive less than a hundredth of the mean.\n");
  Table table({"d", "median", "mean", "below 1/100", "median, scaled", "mean, scaled", "below 1/100, scaled"});
  double least = 1e9, most = 0;
  for (const AtWidth& at : measured) {
    const std::vector<double>&plain = at.plain_gradients.queries, &scaled = at.scaled_gradients.queries;
    table.row({count(at.d), significant(median(plain), 3), significant(mean(plain), 3), percent(at.plain_tiny),
               fixed(median(scaled), 3), fixed(mean(scaled), 3), percent(at.scaled_tiny)});
    least = std::min(least, median(scaled));
    most = std::max(most, median(scaled));
  }
  table.print();
  const std::vector<double>&narrow = measured.front().plain_gradients.queries,
        &wide = measured.back().plain_gradients.queries;
  say("\nFor most queries, yes. But the mean does not vanish without the scale: a product has the slope k, whose "
      "length grows with √d, and the few queries that are still undecided between two keys receive very much.\n");
  claims.below("without the scale: median at d = 1024 in that at 16", median(wide) / median(narrow), 0.05);
  const std::vector<double>&middle = measured[2].plain_gradients.queries,
        &middle_scaled = measured[2].scaled_gradients.queries;
  claims.at_least("without the scale: median at d = 256 in that with it", median(middle) / median(middle_scaled), 0.8);
  claims.at_least("without the scale: mean at d = 1024 in that at 16", mean(wide) / mean(narrow), 1);
  claims.at_least("without the scale: receive next to nothing at d = 1024", measured.back().plain_tiny, 0.5);
  claims.at_most("with the scale: receive next to nothing at d = 1024", measured.back().scaled_tiny, 0.01);
  claims.below("with the scale: median, the largest in the smallest of all d", most / least, 1.15);

  Table scores({"d", "median at the scores", "scaled"});
  for (const AtWidth& at : measured) {
    scores.row({count(at.d), significant(median(at.plain_gradients.scores), 3),
                significant(median(at.scaled_gradients.scores), 3)});
  }
  say("\nWhere softmax itself hands its gradient on:\n");
  scores.print();
  const std::vector<double>&narrow_scores = measured.front().plain_gradients.scores,
        &wide_scores = measured.back().plain_gradients.scores;
  claims.below("at the scores, without the scale: median at d = 1024 in that at 16",
               median(wide_scores) / median(narrow_scores), 0.002);
  claims.at_least("at the scores, d = 1024: median with the scale in that without",
                  median(measured.back().scaled_gradients.scores) / median(wide_scores), 100);
}

// A plain run must lie where the page says that five seeds lie, with room for other seeds.
void claim_ranges(const std::vector<AtWidth>& measured, Claims& claims) {
  heading("As the page states");
  say("Each figure, and how far around the range of five seeds it may lie.\n");
  const Results stated = Results::read(results_path());
  for (const AtWidth& at : measured) {
    for (const auto& [name, value] : named(at)) {
      Figure range = stated.at(name);
      // Five seeds span less than many do, and sometimes by chance very little. Gradients have long tails.
      const double least = name.find("gradient") == std::string::npos ? 0.01 : 0.12;
      const double apart = std::max(2 * (range.max - range.min), least * range.mean);
      range.min = std::max(0.0, range.min - apart);
      range.max += apart;
      claims.as_stated(value, range);
    }
  }
}

int all_seeds(const Options& options, const std::string& picture) {
  Claims claims;
  Results results;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    heading(fill("Seed {}", {count(static_cast<Size>(seed))}));
    const std::vector<AtWidth> measured = measure_all(options, seed);
    claim_softness(measured, claims);
    claim_gradients_at_q(measured, claims);
    for (const AtWidth& at : measured) {
      for (const auto& [name, value] : named(at)) results.add(name, seed, value);
    }
  }
  results.write(results_path());
  if (!picture.empty()) write_svg(softness_chart(results), picture);
  return claims.conclude();
}

int chapter(int argc, char** argv) {
  std::string picture;
  Options options("04", "Dot products and why √d",
                  {{"no-scale", "what is called scaled has the factor 1",
                    "softmax gets products of variance d and hands all to one key"},
                   {"divide-by-d", "products are divided by d in place of √d",
                    "their variance is 1/d, all keys weigh the same, and no query can choose"},
                   {"not-centred", "queries and keys have the mean 1 in place of 0",
                    "√d is right for numbers around 0, and these products vary more"}});
  options.file("--picture", picture, "write the chart, with the spread of five seeds, to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  if (options.full()) return all_seeds(options, picture);
  say_beginning(options);
  Claims claims;
  const std::vector<AtWidth> measured = measure_all(options, options.seed());
  claim_softness(measured, claims);
  claim_gradients_at_q(measured, claims);
  if (!options.quick() && options.broken().empty()) claim_ranges(measured, claims);
  heading("What must hold whatever is drawn");
  claim_identities(claims);
  heading("Are the derivatives right?");
  claim_gradients(options.seed(), claims);
  if (!picture.empty()) write_svg(softness_chart(Results::read(results_path())), picture);
  try_next({{"./attend run 04 --break divide-by-d", "too much of a good thing"},
            {"./attend check 04", "write the attention yourself"}});
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
