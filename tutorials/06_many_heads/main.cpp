// Chapter 06: many heads. The page is README.md beside this file.
#include <iostream>

#include "tensor/parallel.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/06_many_heads/comparison.hpp"
#include "tutorials/06_many_heads/forms.hpp"
#include "tutorials/06_many_heads/heads.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter06;

namespace {

constexpr double claimed_points = 3;  // what the article reports for 8 heads
const std::string distance_trained = "distance between heads, trained";
const std::string distance_untrained = "distance between heads, untrained";

// Of the figures: a share of right answers, and no difference.
bool is_share(const std::string& figure) { return figure.rfind("right, ", 0) == 0; }

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results.tsv"; }

void forms_section(const Options& options, Claims& claims) {
  heading("One formula, three ways to write it");
  shapes({{"x", {2, 5, 12}, "sentences, words, width"},
          {"Q, K, V", {2, 3, 5, 4}, "sentences, heads, words, width of a head"},
          {"weights", {2, 3, 5, 5}, "softmax of q · k / √4, for each head"},
          {"heads", {2, 5, 12}, "side by side again"},
          {"result", {2, 5, 12}, "times the output matrix"}});
  std::cout << "\n";
  claim_forms(claims);

  say("\nTheir times, one pass without gradients, float32, the least of several runs:\n");
  struct Case {
    Size batch, words, width, heads;
  };
  Table table({"sentences", "words", "width", "heads", "loop", "batched", "einsum"});
  for (const Case& size : {Case{8, 16, 64, 4}, Case{8, 64, 128, 8}, Case{4, 256, 256, 8}}) {
    Rng rng(1);
    const MultiHeadAttention layer(size.width, size.heads, rng);
    const Times times =
        times_of(layer, rng.normal({size.batch, size.words, size.width}, 0, 1), options.quick() ? 3 : 20);
    const auto milliseconds = [](double t) { return fixed(t, 2) + " ms"; };
    table.row({count(size.batch), count(size.words), count(size.width), count(size.heads), milliseconds(times.loop),
               milliseconds(times.batched), milliseconds(times.einsum)});
  }
  table.print();
}

void cut_section(const Options& options, Claims& claims) {
  heading("Cutting the width into heads");
  claim_cut(options.breaks("reshape-heads") ? Cut::reshape_alone : Cut::by_position, claims);
  heading("Article 2's form is a special case of article 1's");
  claim_blocks(options.breaks("biases"), claims);
}

void cost_section(Claims& claims) {
  heading("What heads cost");
  constexpr Size words = 32, width = 64;
  say(fill("Multiplications of one pass over a sentence of {} words, {} numbers wide, as the kernels count them.\n",
           {count(words), count(width)}));
  Table table({"form", "heads", "Q, K, V", "pairs", "output", "scale, softmax", "in all"});
  bool same = true, falling = true, softmax_grows = true;
  Rng rng(1);
  const Var x(rng.normal({1, words, width}, 0, 1));
  const auto products = [](const Multiplications& m) { return m.projections + m.pairs + m.output; };
  const auto row = [&](const std::string& form, Size heads, const Multiplications& m) {
    table.row({form, count(heads), count(m.projections), count(m.pairs), count(m.output), count(m.rest),
               count(products(m) + m.rest)});
  };
  const Multiplications one = multiplications(MultiHeadAttention(width, 1, rng), x);
  for (const Size heads : {1, 2, 4, 8}) {
    const Multiplications m = multiplications(MultiHeadAttention(width, heads, rng), x);
    row("article 1", heads, m);
    same = same && products(m) == products(one) && m.projections == one.projections;
    softmax_grows = softmax_grows && m.rest - one.rest == (heads - 1) * words * words;
  }
  for (const Size heads : {1, 2, 4, 8}) {
    const Multiplications m = multiplications(SharedHeadAttention(width, heads, rng), x);
    row("article 2", heads, m);
    falling = falling && m.projections * heads == one.projections && m.pairs == one.pairs && m.output == one.output;
  }
  table.print();
  claims.holds("article 1's form: products of matrices the same for any number of heads", same);
  claims.holds("only softmax grows: one division more for each head and pair of words", softmax_grows);
  claims.holds("article 2's form: Q, K, V with h heads take 1/h, all other products the same", falling);
}

ComparisonPlan plan_for(const Options& options) {
  ComparisonPlan plan;
  if (options.breaks("no-mask")) plan.model.padding = Padding::seen;
  plan.model.normed = !options.breaks("no-norm");
  if (options.quick()) {
    plan.heads = {1, 4};
    plan.training.epochs = 2;
  }
  return plan;
}

// A short sentence alone, and the same beside a long one.
void claim_padding(const Sentences& sentences, const ComparisonPlan& plan, Claims& claims) {
  const Lexicon lexicon(sentences);
  ClassifierOptions of_model = plan.model;
  of_model.words = lexicon.size();
  of_model.heads = 4;
  Rng rng(5);
  const Classifier model = cast(Classifier(of_model, rng), DType::float64);
  const Sentence& one = sentences[0];
  const Size length = size_of(one.words);
  const Var alone = model(batch_of({one}, lexicon)).logits,
            beside = model(batch_of({one}, lexicon, length + 10)).logits;
  claims.below("a sentence with ten places of padding behind it: difference of the verdict",
               largest_difference(alone.value(), beside.value()), 1e-14);
}

// The corrected interval holds the plain one.
std::string place_of(double x, const Interval& plain, const Interval& corrected) {
  if (plain.holds(x)) return "inside both intervals";
  return corrected.holds(x) ? "inside the corrected interval only" : "outside of both intervals";
}

void print_verdict(const std::vector<Comparison>& comparisons) {
  const Interval plain = difference_to_one_head(comparisons, name_of(8), 0);
  const Interval corrected = difference_to_one_head(comparisons, name_of(8), fold_overlap);
  say(fill("\n8 heads less 1 head: the article's +{} points lie {}; 0, no difference at all, lies {}.",
           {fixed(claimed_points, 0), place_of(claimed_points, plain, corrected), place_of(0, plain, corrected)}));
}

// How far the heads of the model shown are apart, and before it was trained.
struct Distances {
  double trained, untrained;
};
Distances distances_of(const Comparison& comparison, const ComparisonPlan& plan, std::uint64_t seed) {
  const Trained& shown = comparison.shown.value();
  ClassifierOptions of_model = plan.model;
  of_model.words = shown.lexicon.size();
  of_model.heads = plan.shown;
  Rng rng(seed);
  const Classifier fresh(of_model, rng);
  const Sentences& test = comparison.shown_fold.test;
  return {distance_between_heads(shown.model, shown.lexicon, test), distance_between_heads(fresh, shown.lexicon, test)};
}

Comparison comparison_section(const Options& options, const ComparisonPlan& plan, Claims& claims) {
  heading("Do more heads help?");
  const Sentences sentences = read_sentences(data_path("sentiment/amazon_sentiment.tsv"));
  say(fill(
      "{} reviews of one sentence each: praise or complaint? Five folds; each model learns from four of them and is "
      "tested on the fifth. Differences are paired, fold by fold, and in points: 1 point is 1 % of the "
      "sentences.\n",
      {count(size_of(sentences))}));
  claim_padding(sentences, plan, claims);
  const Comparison comparison = compare(sentences, plan, options.seed());
  std::cout << "\n";
  print_differences({comparison});
  if (!options.quick()) print_verdict({comparison});
  std::cout << "\n";
  for (const auto& [name, value] : figures_of(comparison)) {
    if (is_share(name)) claims.at_least(name, value, options.quick() ? 0.55 : 0.7);
  }
  if (options.quick()) return comparison;
  const Results stated = Results::read(results_path());
  for (const auto& [name, value] : figures_of(comparison)) {
    claims.as_stated(value, stated.at(name), is_share(name) ? 0.015 : 1.5);
  }
  return comparison;
}

// The first test sentence of 6 to 9 words all of which the model knows.
const Sentence& shown_sentence(const Comparison& comparison) {
  const Lexicon& lexicon = comparison.shown->lexicon;
  for (const Sentence& sentence : comparison.shown_fold.test) {
    bool known = sentence.words.size() >= 6 && sentence.words.size() <= 9;
    for (const std::string& word : sentence.words) known = known && lexicon.id(word) != Lexicon::unknown;
    if (known) return sentence;
  }
  return comparison.shown_fold.test.front();
}

// For each word that looks, what it looks at most, head by head.
void print_favourites(const std::vector<HeatMap>& maps) {
  std::vector<std::string> headers = {"word"};
  for (const HeatMap& map : maps) headers.push_back(map.title);
  Table table(headers);
  for (Size i = 0; i < maps[0].values.rows(); ++i) {
    std::vector<std::string> cells = {maps[0].row_labels[static_cast<std::size_t>(i)]};
    for (const HeatMap& map : maps) {
      Size best = 0;
      for (Size j = 1; j < map.values.columns(); ++j) {
        if (map.values(i, j) > map.values(i, best)) best = j;
      }
      cells.push_back(map.column_labels[static_cast<std::size_t>(best)] + " " + fixed(map.values(i, best), 2));
    }
    table.row(cells);
  }
  table.print();
}

// To how many words each head's weights come, and what the model gets right without it.
void print_each_head(const Trained& shown, const Sentences& test) {
  Table table({"head", "words it looks at", "right without it"});
  const std::vector<double> reach = words_looked_at(shown.model, shown.lexicon, test);
  for (Size h = 0; h < size_of(reach); ++h) {
    const double right = judged(without_head(shown.model, h), test, shown.lexicon).right;
    table.row({count(h + 1), fixed(reach[static_cast<std::size_t>(h)], 1), percent(right)});
  }
  table.row({"all of them", "", percent(judged(shown.model, test, shown.lexicon).right)});
  table.row({"even weights", fixed(words_looked_at_evenly(test), 1), ""});
  table.print();
}

void heads_section(const Options& options, const ComparisonPlan& plan, const Comparison& comparison,
                   const std::string& picture, Claims& claims) {
  heading("What the heads look at");
  const Trained& shown = comparison.shown.value();
  const Sentences& test = comparison.shown_fold.test;
  say("The model with 4 heads of the first fold, and the first of its test sentences that has 6 to 9 words, all known. "
      "A row is a word that looks.\n");
  const std::vector<HeatMap> maps = head_maps(shown.model, shown.lexicon, shown_sentence(comparison));
  show_heads("Where each head looks", maps);
  say("\nWhat each word looks at most, and with which weight:\n");
  print_favourites(maps);
  if (!picture.empty()) write_svg("Each row is a word that looks, each column one that is looked at", maps, 2, picture);

  say(fill(
      "\nOver the {} test sentences: to how many words its weights come, evenly shared; and what the model gets right "
      "when it is taken away.\n",
      {count(size_of(test))}));
  print_each_head(shown, test);
  const Distances distances = distances_of(comparison, plan, options.seed());
  say(fill("\nTwo heads differ in {} of their weight; before the training it was {}.\n",
           {percent(distances.trained, 0), percent(distances.untrained, 0)}));
  claims.at_least("distance between two heads", distances.trained, 0.2);
  if (options.quick()) return;
  const Results stated = Results::read(results_path());
  claims.as_stated(distances.trained, stated.at(distance_trained), 0.03);
  claims.as_stated(distances.untrained, stated.at(distance_untrained), 0.03);
}

int all_seeds(const Options& options) {
  check_writable(results_path());  // now, and not after ten minutes
  const ComparisonPlan plan = plan_for(options);
  const Sentences sentences = read_sentences(data_path("sentiment/amazon_sentiment.tsv"));
  Claims claims;
  Results results;
  std::vector<Comparison> comparisons;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    heading(fill("Seed {}", {count(static_cast<Size>(seed))}));
    comparisons.push_back(compare(sentences, plan, seed));
    std::cout << "\n";
    print_differences({comparisons.back()});
    for (const auto& [name, value] : figures_of(comparisons.back())) results.add(name, seed, value);
    const Distances distances = distances_of(comparisons.back(), plan, seed);
    results.add(distance_trained, seed, distances.trained);
    results.add(distance_untrained, seed, distances.untrained);
  }
  heading("All seeds: 25 folds");
  print_differences(comparisons);
  print_verdict(comparisons);
  std::cout << "\n";
  const Interval plain = difference_to_one_head(comparisons, name_of(8), 0);
  const Interval corrected = difference_to_one_head(comparisons, name_of(8), fold_overlap);
  claims.below("8 heads less 1 head, points, the upper end of the corrected interval", corrected.high, claimed_points);
  claims.holds("8 heads less 1 head: 0 lies inside both intervals", plain.holds(0) && corrected.holds(0));
  for (const Figure& figure : results.figures()) {
    if (is_share(figure.name)) claims.at_least(figure.name + ", least", figure.min, 0.7);
  }
  results.write(results_path());
  return claims.conclude();
}

int chapter(int argc, char** argv) {
  std::string picture;
  Options options("06", "Many heads",
                  {{"reshape-heads", "heads are cut by reshape alone, [B, T, h d] read as [B, h, T, d]",
                    "a head gets all numbers of some words, in the place of some numbers of all words"},
                   {"biases", "Q, K and V have biases in article 1's form, where article 2's has none",
                    "the two forms are equal without them only"},
                   {"no-mask", "padding is looked at, and counts in the mean",
                    "a sentence's verdict depends on how long its neighbours in the batch are"},
                   {"no-norm", "words look at each other as they are, without the layer norm",
                    "their vectors are short, scores are nearly 0, and every head looks at all words alike"}});
  options.file("--picture", picture, "write the heads' heat maps to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  if (options.full()) return all_seeds(options);
  title("06", "Many heads");
  say(options.break_notice());
  say("The claim: h heads are h attentions side by side, each with 1/h of the width, for the price of one. Whether "
      "they are also better must be measured.");
  Claims claims;
  const ComparisonPlan plan = plan_for(options);
  forms_section(options, claims);
  cut_section(options, claims);
  cost_section(claims);
  const Comparison comparison = comparison_section(options, plan, claims);
  heads_section(options, plan, comparison, picture, claims);
  heading("Are the derivatives right?");
  claim_gradients(options.seed(), claims);
  try_next({{"./attend run 06 --break reshape-heads", "the bug that keeps every shape right"},
            {"./attend run 06 --full", "five seeds, 25 folds"},
            {"./attend check 06", "cut and merge the heads yourself"}});
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
