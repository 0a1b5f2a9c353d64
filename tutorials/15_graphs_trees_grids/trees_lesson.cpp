#include "tutorials/15_graphs_trees_grids/trees_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "nn/gradcheck.hpp"
#include "tensor/kernels.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/15_graphs_trees_grids/figures.hpp"
#include "tutorials/15_graphs_trees_grids/trees.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter15 {

using namespace lesson;

namespace {

void say_beginning() {
  say("The claim: what belongs together in a sentence need not stand together, and where the tree of a sentence is "
      "known, a mask can say it. Where it is not, a prior can be learned that says which neighbours form a phrase. "
      "Both hide what they take for far away, and are wrong where that is needed.");
  shapes({{"symbols", {32, 28}, "batch, positions: as many as the longest needs"},
          {"mask", {32, 1, 28, 28}, "a tree for each sequence, the same for all heads"},
          {"links a", {32, 27}, "how strongly neighbours belong together"},
          {"prior C", {32, 28, 28}, "products of links, from position to position"}});
}

// ---- masks ---------------------------------------------------------------------------------------------------------

HeatMap map_of(const std::string& title, const std::vector<std::string>& symbols, const Tensor& values) {
  const Size T = size_of(symbols);
  return {Matrix(T, T, values.to_vector()), symbols, symbols, title};
}

HeatMap mask_map(const std::string& title, const Expression& expression, const Mask& mask) {
  std::vector<std::string> symbols;
  for (const std::int64_t symbol : expression.symbols) symbols.push_back(written(symbol));
  const Size T = expression.size();
  return map_of(title, symbols, kernel::cast(reshape(mask.allowed(), {T, T}), DType::float64));
}

TreeBatch batch_of(const Expression& expression) {
  return {Tensor::from_ints(expression.symbols, {1, expression.size()}), Tensor(), {expression.tree()}};
}

// How many symbols stand at most so many operators below the first.
double within_depth(const Expression& expression, Size depth) {
  double found = 0;
  for (Size i = 0; i < expression.size(); ++i) {
    Size above = 0;
    for (Size at = i; at != 0; at = expression.parents[static_cast<std::size_t>(at)]) ++above;
    found += above <= depth;
  }
  return found;
}

void refused_cycle(Claims& claims) {
  std::string said;
  try {
    Tree({-1, 2, 3, 1});
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  say("\nThe parents −1, 2, 3, 1 are no tree, and are refused: " + said + ".\n");
  claims.holds("a cycle is refused", said.find("cycle") != std::string::npos);
}

std::vector<HeatMap> masks_section(const Options& options, Claims& claims) {
  heading("A tree as a mask");
  const Expression paper = expression_on_paper();
  const TreeBatch batch = batch_of(paper);
  const TreeView view = options.breaks("upside-down") ? TreeView::parent : TreeView::children;
  say(fill("{} is {}. A row is a query, a column a key.\n", {paper.text(), count(paper.value)}));
  const std::vector<HeatMap> maps = {mask_map("itself and all below", paper, mask_of(TreeView::subtree, batch)),
                                     mask_map("itself and its " + name_of(view), paper, mask_of(view, batch))};
  for (const HeatMap& map : maps) draw(map);
  say("\nOn how many of its symbols the first one depends, after 1, 2 and 3 layers, by the zeros of a gradient:\n");
  Table table({"mask", "1 layer", "2 layers", "3 layers"});
  bool as_deep = true;
  for (const TreeView one : {TreeView::subtree, view}) {
    std::vector<std::string> cells = {name_of(one)};
    for (Size layers = 1; layers <= 3; ++layers) {
      const std::vector<double> seen = seen_by_first(mask_of(one, batch), paper.size(), layers, options.seed());
      const double found = static_cast<double>(std::count(seen.begin(), seen.end(), 1.0));
      cells.push_back(fill("{} of {}", {significant(found, 3), count(paper.size())}));
      if (one == view) as_deep = as_deep && found == within_depth(paper, layers);
    }
    table.row(cells);
  }
  table.print();
  claims.holds("children: so many layers see so many levels deep", as_deep);
  refused_cycle(claims);
  return maps;
}

// ---- the prior -----------------------------------------------------------------------------------------------------

Tensor prior_of(const std::vector<double>& links) {
  const Size T = size_of(links) + 1;
  return reshape(constituent_prior(Var(Tensor::from(links, {1, T - 1}, DType::float64))), {T, T}).value();
}

// How far attention with a prior of links that are all 1 is from attention without.
double apart_from_plain(Rng rng) {
  const auto drawn = [&] { return Var(rng.normal({2, 3, 7, 4}, 0, 1, DType::float64)); };
  const Var q = drawn(), k = drawn(), v = drawn(), ones(Tensor::ones({2, 6}, DType::float64));
  return largest_difference(attention_with_prior(q, k, v, constituent_prior(ones)).context.value(),
                            scaled_dot_attention(q, k, v).context.value());
}

// The largest product of two links side by side.
double largest_pair(const Var& links) {
  const Size pairs = links.shape()[1] - 1;
  return max(slice(links, 1, 0, pairs) * slice(links, 1, 1, pairs), {0, 1}).item();
}

void prior_section(const Options& options, Claims& claims) {
  heading("A prior for phrases");
  say("On paper: four words and the links 0.9, 0.2, 0.8 between them. The prior between two words is the product of "
      "the links from one to the other.\n");
  const Tensor paper = prior_of({0.9, 0.2, 0.8});
  HeatMap map = map_of("C", {"0", "1", "2", "3"}, paper);
  map.numbers = true;
  draw(map);
  claims.at_most("C from 0 to 3, less 0.9 · 0.2 · 0.8", std::abs(paper.at({0, 3}) - 0.144), 1e-12);
  claims.at_most("links of 1, less attention without a prior", apart_from_plain(Rng(options.seed())), 0);
  Rng rng(options.seed());
  Reader reader(11, 2, true, rng);
  reader.forget_links = options.breaks("links-anew");
  const TreeBatch batch = phrases_task().draw(16, rng);
  const std::vector<Constituents> found = reader.found(batch.input, mask_of(TreeView::prior, batch));
  claims.at_most("first layer: two links side by side multiply to", largest_pair(found[0].links), 0.5 + 1e-6);
  claims.at_most("links that are weaker than in the layer below, by at most",
                 max(relu(found[0].links - found[1].links), {0, 1}).item(), 0);
}

// Of the last layer: the mean link between two digits, and that beside a stop.
struct Links {
  double within, at_stops;
};
Links mean_links(const Reader& reader, const TreeBatch& batch) {
  const Recording off(false);
  const Tensor links = reader.found(batch.input, mask_of(TreeView::prior, batch)).back().links.value();
  double sums[] = {0, 0}, counts[] = {0, 0};
  for (Size b = 0; b < links.shape()[0]; ++b) {
    for (Size i = 0; i < links.shape()[1]; ++i) {
      const bool stop = batch.input.at({b, i}) == 10 || batch.input.at({b, i + 1}) == 10;
      sums[stop] += links.at({b, i});
      counts[stop] += 1;
    }
  }
  return {sums[0] / counts[0], sums[1] / counts[1]};
}

// The map of the prior in a sequence of phrases, and what its links say of them.
HeatMap learned_prior(const Reader& reader, std::uint64_t seed, bool shown, Claims& claims) {
  Rng rng(seed);
  const TreeBatch batch = phrases_task().draw(64, rng);
  const Links links = mean_links(reader, batch);
  claims.at_least("phrases: mean link between digits, less that beside a stop", links.within - links.at_stops, 0.1);
  const Recording off(false);
  const Size T = batch.input.shape()[1];
  const Tensor prior = reader.found(batch.input, mask_of(TreeView::prior, batch)).back().prior.value();
  std::vector<std::string> symbols;
  for (Size i = 0; i < T; ++i) {
    const auto symbol = static_cast<Size>(batch.input.at({0, i}));
    symbols.push_back(symbol == 10 ? "." : std::to_string(symbol));
  }
  const HeatMap map = map_of("prior of the last layer", symbols, reshape(slice(prior, 0, 0, 1), {T, T}));
  if (shown) {
    say("\nThe prior that was learned, in the last layer, for the first of new sequences; a point is a stop:\n");
    draw(map);
  }
  return map;
}

// ---- learning ------------------------------------------------------------------------------------------------------

void claim_learned(const std::string& task, const Figures& of, Claims& claims) {
  const auto right = [&](TreeView view) { return value_named(of, task + ", " + name_of(view)); };
  if (task == "value") {
    claims.at_least("value: children, less flat, in points", 100 * (right(TreeView::children) - right(TreeView::flat)),
                    10);
  } else if (task == "symbol before") {
    claims.at_least("symbol before: flat", right(TreeView::flat), 0.9);
    claims.at_most("symbol before: children", right(TreeView::children), 0.4);
  } else if (task == "phrases") {
    claims.at_least("phrases: prior", right(TreeView::prior), 0.98);
    claims.at_least("phrases: prior, less flat, in points", 100 * (right(TreeView::prior) - right(TreeView::flat)), 5);
  } else {
    claims.at_least("reversal: flat", right(TreeView::flat), 0.98);
    claims.at_least("reversal: flat, less prior, in points", 100 * (right(TreeView::flat) - right(TreeView::prior)), 3);
  }
}

// The tasks of this run: in a quick one the shortest.
std::vector<TreeTask> tasks_of(const Options& options) {
  if (options.quick()) {
    TreeTask phrases = phrases_task();
    phrases.plan.steps = 60;
    phrases.views = {TreeView::prior};
    return {phrases};
  }
  std::vector<TreeTask> tasks = tree_tasks();
  for (TreeTask& task : tasks) {
    for (TreeView& view : task.views) {
      if (options.breaks("upside-down") && view == TreeView::children) view = TreeView::parent;
    }
  }
  return tasks;
}

Figures learning_section(const Options& options, std::uint64_t seed, std::vector<HeatMap>& maps, Claims& claims) {
  heading("What is learned");
  say("Value: the value of an expression, at its first symbol. Symbol before: in the same expressions. Phrases: each "
      "digit answers with the largest of its phrase. Reversal: backwards. Flat, all see all; children is the mask; "
      "prior is flat with the prior of constituents.");
  Figures figures;
  for (const TreeTask& task : tasks_of(options)) {
    say(fill("\n{}, {} layers, {} steps; the most frequent answer is right in {}:\n",
             {task.name, count(task.layers), count(task.plan.steps), percent(most_frequent(task, seed))}));
    Table table({"attention", "right"});
    for (const TreeView view : task.views) {
      const LearnedReader learned = learn(view, task, seed);
      figures.push_back({task.name + ", " + name_of(view), learned.right, slack});
      table.row({name_of(view), percent(learned.right)});
      if (task.name == "phrases" && view == TreeView::prior && !options.quick()) {
        maps.push_back(learned_prior(learned.reader, seed, !options.full(), claims));
      }
    }
    table.print();
    if (options.quick()) {
      claims.at_least("phrases, after a few steps", figures.back().value, 0.6);
    } else if (!options.breaks("upside-down")) {
      claim_learned(task.name, figures, claims);
    }
  }
  return figures;
}

// ---- cost and derivatives ------------------------------------------------------------------------------------------

void cost_section(Claims& claims) {
  heading("What it costs");
  say("Multiplications, counted: a mask saves none. Constituent attention of width 64 with its prior, and attention "
      "with a prior, a head of width 16, beside attention without:\n");
  Table table({"T", "constituents", "with a prior", "without"});
  Size worst = 0;
  for (const Size T : {32, 128, 512}) {
    const CountedCost constituents = cost_of_constituents(T, 64), attention = cost_of_attention_with_prior(T, 16);
    worst = std::max({worst, std::abs(constituents.counted - constituents.formula),
                      std::abs(attention.counted - attention.formula)});
    table.row({count(T), count(constituents.counted), count(attention.counted),
               count(attention_multiplications(T, 16, T * T))});
  }
  table.print();
  claims.at_most("counted, less the formula: largest difference", static_cast<double>(worst), 0);
}

void gradients_section(const Options& options, Claims& claims) {
  heading("Are the derivatives right?");
  Rng rng(options.seed());
  const ConstituentAttention layer = cast(ConstituentAttention(4, rng), DType::float64);
  const Tensor x = rng.normal({2, 5, 4}, 0, 1, DType::float64);
  GradcheckOptions settings;
  settings.seed = options.seed();
  const auto heads = [](const Var& of) { return split_heads(of, 2); };
  claim_gradients(
      {gradcheck(
           "prior of constituents", [&](const Vars& in) { return layer(in[0]).prior; }, {x}, settings),
       gradcheck(
           "attention with a prior",
           [&](const Vars& in) {
             return attention_with_prior(heads(in[0]), heads(in[0]), heads(in[0]), layer(in[0]).prior).context;
           },
           {x}, settings)},
      claims);
}

// ---- all of it -----------------------------------------------------------------------------------------------------

void all_seeds(const Options& options, Claims& claims) {
  std::vector<HeatMap> unused;
  measure_five_seeds(results_path("trees"),
                     [&](std::uint64_t seed) { return learning_section(options, seed, unused, claims); });
}

}  // namespace

std::vector<Break> trees_breaks() {
  return {{"upside-down", "in the mask of children a position sees its parent",
           "the first symbol has none, and nothing reaches it"},
          {"links-anew", "no layer gets the links of the one below", "phrases then need not lie within phrases"}};
}

void trees_lesson(const Options& options, const std::string& picture, Claims& claims) {
  if (options.full()) return all_seeds(options, claims);
  say_beginning();
  std::vector<HeatMap> maps = masks_section(options, claims);
  prior_section(options, claims);
  const Figures figures = learning_section(options, options.seed(), maps, claims);
  if (!picture.empty()) write_svg("Who sees whom: two masks of a tree, and a prior that was learned", maps, 3, picture);
  cost_section(claims);
  gradients_section(options, claims);
  if (!options.quick() && options.broken().empty()) claim_ranges(figures, results_path("trees"), claims);
  try_next({{"./attend run 15 --break upside-down", "a tree whose root sees nothing"},
            {"./attend run 15 --task grids", "attention along rows and columns"},
            {"./attend check 15 3", "write the prior yourself"}});
}

}  // namespace attend::chapter15
