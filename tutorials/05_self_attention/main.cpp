// Chapter 05: self-attention as retrieval. The page is README.md beside this file.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "tensor/kernels.hpp"
#include "tensor/parallel.hpp"
#include "tutorials/05_self_attention/dictionary.hpp"
#include "tutorials/05_self_attention/identities.hpp"
#include "tutorials/05_self_attention/sentence.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter05;

namespace {

const std::string share_name = "random layers in which cat looks most at mat";

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results.tsv"; }

void dictionary_section(const Options& options, Claims& claims) {
  heading("A soft dictionary that becomes a hard one");
  constexpr Size entries = 8, d = 12, value_size = 5, asked = 3;
  Rng rng(options.seed());
  // One key more than there are entries: orthogonal to all of them, it is what nobody finds.
  const Dictionary more = orthonormal_dictionary(entries + 1, d, value_size, rng);
  const Dictionary orthonormal{slice(more.keys, 0, 0, entries), slice(more.values, 0, 0, entries)};
  const Dictionary dictionary = options.breaks("overlapping-keys") ? overlapping_dictionary(orthonormal) : orthonormal;
  const Tensor wanted = squeeze(slice(dictionary.values, 0, asked, 1), {0});
  const std::string form =
      options.breaks("overlapping-keys") ? "overlapping and of different lengths" : "orthogonal and of length 1";
  say(
      fill("{} keys, {}. The query is c times key 3; the error is the largest difference of what comes back and value "
           "3.\n",
           {count(entries), form}));

  Table table({"c", "weight of 3", "eᶜ / (eᶜ + 7)", "weight of 0", "error"});
  Chart chart{"The weight of the entry asked for", "c", {}, {{"weight", {}}}, 0, 1, 4};
  double farthest = 0, last_error = 1, weight_before = 0;
  bool rises = true;
  for (const double c : {0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 1000.0}) {
    const Answer answer = look_up(dictionary, query_for(dictionary, asked, c));
    const double weight = answer.weights.at({asked}), formula = right_weight(entries, c);
    last_error = largest_difference(answer.value, wanted);
    table.row({significant(c, 4), fixed(weight, 6), fixed(formula, 6), significant(answer.weights.at({0}), 2),
               significant(last_error, 2)});
    chart.places.push_back(significant(c, 4));
    chart.series[0].points.push_back({weight, weight, weight});
    farthest = std::max(farthest, std::fabs(weight - formula));
    rises = rises && weight >= weight_before;
    weight_before = weight;
  }
  table.print();
  std::cout << "\n";
  draw(chart);
  claims.below("weight of the entry asked for, against eᶜ / (eᶜ + n − 1)", farthest, 1e-14);
  claims.holds("the larger c, the more of it", rises);
  claims.at_most("c = 1000: difference to the value itself", last_error, 0);

  const Tensor all_values = kernel::affine(kernel::sum(dictionary.values, {0}, false), 1.0 / entries, 0);
  const Answer miss = look_up(dictionary, query_for(more, entries, 40));
  claims.below("a query that matches no key gets the mean of all values, difference",
               largest_difference(miss.value, all_values), 1e-12);
  const Tensor between = kernel::add(query_for(dictionary, 0, 40), query_for(dictionary, 1, 40));
  const Var first(slice(dictionary.values, 0, 0, 2));
  claims.below("a query between two keys gets the mean of their values, difference",
               largest_difference(look_up(dictionary, between).value, mean(first, {0}).value()), 1e-12);
}

void sentence_section(const Options& options, const std::string& picture, Claims& claims) {
  heading("The cat sat on the mat");
  say("Every word asks, is asked, and answers. Its vector has a 1 for each thing that it is (noun, verb, article, "
      "preposition, animal, thing), and keys have the noun axis four times as large. All of this was set by hand; "
      "nothing "
      "was learned.\n");
  const double noun = options.breaks("no-noun-axis") ? 0 : 4;
  const Attended seen = noun_layer(noun)(word_vectors());
  const Tensor weights = seen.weights.value();
  shapes({{"words x", {1, 6, 6}, "sentence, words, axes"},
          {"queries, keys, values", {1, 6, 6}, "x times a matrix each"},
          {"weights", {1, 6, 6}, "softmax of q · k / √6"},
          {"result", {1, 6, 6}, "weighted sums of values, times the output matrix"}});
  std::cout << "\n";
  HeatMap map = heat_map(weights);
  map.numbers = true;
  draw(map);
  say(in_words(map, cat) + ", which is itself; among the others at '" +
      sentence()[static_cast<std::size_t>(looks_most_at(weights, cat))] + "'.\n");
  if (!picture.empty()) write_svg(map, picture);

  Table table({"axis", "cat, before", "cat, after"});
  for (Size a = 0; a < 6; ++a) {
    table.row({axes()[static_cast<std::size_t>(a)], fixed(word_vectors().at({0, cat, a}), 2),
               fixed(seen.context.value().at({0, cat, a}), 2)});
  }
  table.print();

  double next = 0;
  for (Size j : {0, 2, 3, 4}) next = std::max(next, weights.at({0, cat, j}));
  claims.holds("cat looks most at mat among the other words, and mat at cat",
               looks_most_at(weights, cat) == mat && looks_most_at(weights, mat) == cat);
  claims.at_least("its weight on mat, in that on the next", weights.at({0, cat, mat}) / next, 5);
  claims.at_most("'The' and 'the' are one word: difference of their results",
                 largest_difference(slice(seen.context.value(), 1, 0, 1), slice(seen.context.value(), 1, 4, 1)), 0);
}

double measure_share(const Options& options, std::uint64_t seed) {
  Rng rng(seed);
  return share_of_random_layers(options.quick() ? 200 : 2000, rng);
}

void chance_section(const Options& options, Claims& claims) {
  heading("Is it the mechanism, or the axis?");
  say("The same sentence in layers with random first weights and random vectors, 16 numbers wide: how often does cat "
      "look "
      "most at mat among the other words? There are four to choose from, since 'The' and 'the' have one vector.\n");
  const double share = measure_share(options, options.seed());
  Table table({"layer", "cat looks most at mat"});
  table.row({"noun axis set by hand", options.breaks("no-noun-axis") ? "no" : "yes"});
  table.row({"random, before any training", percent(share)});
  table.row({"one of four words by chance", percent(0.25)});
  table.print();
  claims.between("share of the random layers", share, 0.15, 0.35);
  if (options.quick()) return;
  claims.as_stated(share, Results::read(results_path()).at(share_name), 0.02);
}

int all_seeds(const Options& options) {
  Claims claims;
  Results results;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const double share = measure_share(options, seed);
    claims.between(fill("seed {}: share of the random layers", {count(static_cast<Size>(seed))}), share, 0.2, 0.3);
    results.add(share_name, seed, share);
  }
  results.write(results_path());
  return claims.conclude();
}

int chapter(int argc, char** argv) {
  std::string picture;
  Options options(
      "05", "Self-attention as retrieval",
      {{"overlapping-keys", "keys overlap with their neighbours, each three times as long as the one before it",
        "a query for one key matches its longer neighbour better"},
       {"no-noun-axis", "the noun axis of the keys is 0", "nothing is left that cat and mat have in common"},
       {"causal-mask", "a word sees only those before it, where the order is changed",
        "which words those are depends on the order"}});
  options.file("--picture", picture, "write the heat map of the sentence to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  if (options.full()) return all_seeds(options);
  title("05", "Self-attention as retrieval");
  say(options.break_notice());
  say("The claim: attention is a dictionary that gives back all of its values at once, each weighted by how well its "
      "key "
      "matches; made sharp it is a dictionary. In self-attention every word of a sentence is query, key and value at "
      "the "
      "same time, and the order of the words has no part in it.");
  Claims claims;
  dictionary_section(options, claims);
  sentence_section(options, picture, claims);
  chance_section(options, claims);
  heading("What must hold whatever the weights are");
  claim_formula(claims);
  claim_equivariance(options.breaks("causal-mask"), claims);
  heading("Are the derivatives right?");
  claim_gradients(options.seed(), claims);
  try_next({{"./attend run 05 --break no-noun-axis", "what is left when the axis goes"},
            {"./attend check 05", "write the layer yourself"}});
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
