#include "tutorials/15_graphs_trees_grids/graphs_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "tensor/whole_file.hpp"
#include "tutorials/15_graphs_trees_grids/club.hpp"
#include "tutorials/15_graphs_trees_grids/dictionary.hpp"
#include "tutorials/15_graphs_trees_grids/figures.hpp"
#include "tutorials/15_graphs_trees_grids/graph_cost.hpp"
#include "tutorials/15_graphs_trees_grids/graph_on_paper.hpp"
#include "tutorials/15_graphs_trees_grids/packages.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter15 {

using namespace lesson;

namespace {

void say_beginning(const PackageGraph& graph) {
  say("The claim: a graph says which pairs of nodes matter, and attention that forms only these costs what its edges "
      "cost. But an edge must mean something, and how a node weighs its neighbours depends on where the nonlinearity "
      "of the score stands.");
  const Size nodes = graph.edges.nodes, edges = add_self_loops(graph.edges).count();
  shapes({{"words x", graph.words.shape(), "packages, words: 1 where a package has the word"},
          {"edges", {2, edges}, "sources above targets, both directions and self-loops"},
          {"W x", {nodes, 8, 16}, "packages, heads, width of a head"},
          {"scores", {edges, 8}, fill("edges, heads; all pairs would be {} of them", {count(nodes * nodes)})},
          {"y", {nodes, 128}, "packages, heads side by side"}});
}

// ---- on paper -----------------------------------------------------------------------------------------------------

std::string listed(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + fixed(number, 4);
  return text;
}

void paper_section(const Options& options, Claims& claims) {
  heading("Four nodes on paper");
  say("Values 1, 2, −1, 5; edges 0 -> 2 and 1 -> 2; W = 1, a = (1, 1). Node 3 is alone.\n");
  const PaperResult bare = paper_attention(paper_edges());
  const PaperResult loops = paper_attention(paper_edges_with_loops(options.breaks("loops-twice")));
  Table table({"", "weights of what leads to node 2", "y of nodes 0 to 3"});
  table.row({"two edges", listed(bare.weights), listed(bare.y)});
  table.row({"with self-loops", listed({loops.weights[0], loops.weights[1], loops.weights[4]}), listed(loops.y)});
  table.print();
  claims.holds("a node that nothing leads to gets 0", bare.y[0] == 0 && bare.y[1] == 0 && bare.y[3] == 0);
  claims.holds("with a self-loop it gets itself", loops.y[0] == 1 && loops.y[1] == 2 && loops.y[3] == 5);
  claims.at_most("two edges: y of node 2, less what the page says", std::abs(bare.y[2] - 1.7311), 5e-5);
  claims.at_most("with self-loops: y of node 2, less what the page says", std::abs(loops.y[2] - 1.3139), 5e-5);
}

// ---- packages -----------------------------------------------------------------------------------------------------

// What stands in the layers, and over which edges.
struct Contender {
  std::string name;
  GraphKind kind;
  enum { given, none, drawn } edges;
};

std::vector<Contender> contenders(bool quick) {
  const Contender words{"words alone", GraphKind::attention, Contender::none};
  const Contender gat{"GAT", GraphKind::attention, Contender::given};
  if (quick) return {words, gat};
  return {words,
          {"mean of the neighbours", GraphKind::mean, Contender::given},
          gat,
          {"GATv2", GraphKind::dynamic, Contender::given},
          {"GAT, edges drawn anew", GraphKind::attention, Contender::drawn},
          {"GATv2, edges drawn anew", GraphKind::dynamic, Contender::drawn}};
}

Edges edges_of(const Contender& one, const PackageGraph& graph, Rng rng) {
  if (one.edges == Contender::none) return no_edges(graph.edges.nodes);
  return one.edges == Contender::drawn ? rewired(graph.edges, rng) : graph.edges;
}

void claim_packages(const Figures& of, Claims& claims) {
  const double words = value_named(of, "packages, words alone"), gat = value_named(of, "packages, GAT");
  claims.at_least("GAT, less words alone", gat - words, 0.15);
  for (const std::string layer : {"GAT", "GATv2"}) {
    claims.at_most(layer + ": edges that say nothing, less words alone",
                   value_named(of, "packages, " + layer + ", edges drawn anew") - words, -0.05);
  }
}

Figures packages_section(const Options& options, const PackageGraph& graph, std::uint64_t seed, Claims& claims) {
  heading("Packages: what the edges bring");
  Rng rng(seed);
  constexpr Size per_section = 20;
  const LabelSplit split = split_labels(graph, per_section, rng);
  Rng drawing = rng.split();
  NodePlan plan;
  if (options.quick()) plan.steps = 12;
  say(
      fill("{} packages of {} sections, {} with no edge; {} edges in both directions, of which {} join packages of one "
           "section. {} packages a section are shown with it, {} are asked for. {} steps.\n",
           {count(graph.edges.nodes), count(size_of(graph.classes)), count(isolated(graph.edges)),
            count(graph.edges.count()), percent(share_within_classes(graph.edges, graph.labels)), count(per_section),
            count(size_of(split.asked)), count(plan.steps)}));
  Table table({"", "edges within a section", "right"});
  Figures figures;
  for (const Contender& one : contenders(options.quick())) {
    const Edges edges = edges_of(one, graph, drawing);
    const NodeTask task{graph.words, add_self_loops(edges), graph.labels,
                        split.shown, split.asked,           size_of(graph.classes)};
    Rng own = rng;  // the same first weights for those of one kind
    figures.push_back({"packages, " + one.name, learn_nodes(one.kind, task, plan, own), slack});
    table.row({one.name, edges.count() == 0 ? "-" : percent(share_within_classes(edges, graph.labels)),
               percent(figures.back().value)});
  }
  table.print();
  if (options.quick()) {
    claims.at_least("GAT after a few steps, less words alone", figures[1].value - figures[0].value, 0.1);
  } else {
    claim_packages(figures, claims);
  }
  return figures;
}

// ---- dictionary lookup ---------------------------------------------------------------------------------------------

HeatMap map_of(const std::string& name, const Tensor& weights) {
  const Size keys = weights.shape()[0];
  HeatMap map{Matrix(keys, keys, weights.to_vector()), {}, {}, name};
  for (Size key = 0; key < keys; ++key) {
    map.row_labels.push_back(fill("wants {}", {std::string(1, static_cast<char>('a' + key))}));
    map.column_labels.emplace_back(1, static_cast<char>('a' + key));
  }
  map.numbers = true;
  return map;
}

Figures dictionary_section(const Options& options, std::uint64_t seed, Claims& claims) {
  heading("Dictionary lookup: who can choose");
  constexpr Size keys = 4, steps = 300;
  const bool turned = options.breaks("turned-edges");
  const Dictionary dictionary(keys, turned);
  const double slope = options.breaks("no-relu") ? 1 : 0.2;
  say(
      fill("{} graphs: {} keys with their values, in every order, and {} queries, each of which wants the value of one "
           "key. An edge leads from each key to each query. {} steps.\n",
           {count(size_of(dictionary.wanted) / keys), count(keys), count(keys), count(steps)}));
  Table table({"", "right", "pairs ranked differently, of 6"});
  Figures figures;
  std::vector<Tensor> weights;
  const std::vector<std::pair<std::string, GraphKind>> layers = {
      {"mean of the neighbours", GraphKind::mean}, {"GAT", GraphKind::attention}, {"GATv2", GraphKind::dynamic}};
  for (const auto& [name, kind] : layers) {
    Rng rng(seed);
    const LookedUp found = look_up(kind, dictionary, slope, steps, rng);
    figures.push_back({"dictionary, " + name, found.right, slack});
    weights.push_back(found.weights);
    table.row({name, percent(found.right), count(contested_pairs(found.weights))});
  }
  table.print();
  if (!options.full() && !turned) {
    say("\nThe weights in the first graph; a row is a query.\n");
    draw(map_of("GAT", weights[1]));
    draw(map_of("GATv2", weights[2]));
  }
  claims.at_least("dictionary: GATv2", figures[2].value, 0.99);
  claims.at_most("dictionary: GAT", figures[1].value, 0.5);
  claims.at_most("GAT: pairs of keys that queries rank differently", static_cast<double>(contested_pairs(weights[1])),
                 0);
  claims.at_least("GATv2: pairs of keys that queries rank differently",
                  static_cast<double>(contested_pairs(weights[2])), keys * (keys - 1) / 2);
  return figures;
}

// ---- the karate club -----------------------------------------------------------------------------------------------

// The members that member `i` looks at most, with their weights.
std::string most_looked_at(const NodeTask& task, const std::vector<double>& weights, std::int64_t i) {
  const std::vector<std::int64_t> from = task.edges.sources().to_ints(), to = task.edges.targets().to_ints();
  std::vector<std::pair<double, std::int64_t>> found;
  for (std::size_t e = 0; e < from.size(); ++e) {
    if (to[e] == i) found.emplace_back(weights[e], from[e]);
  }
  std::sort(found.rbegin(), found.rend());
  std::string text;
  for (std::size_t n = 0; n < std::min<std::size_t>(3, found.size()); ++n) {
    text += fill("{}{} ({})", {text.empty() ? "" : ", ", std::to_string(found[n].second), fixed(found[n].first, 2)});
  }
  return text;
}

Figures club_section(const Options& options, std::uint64_t seed, const std::string& picture, Claims& claims) {
  heading("A club that split: who looks at whom");
  const Club club = read_club(data_path("karate/karate.tsv"));
  const NodeTask task = club_task(club);
  NodePlan plan;
  plan.steps = 200;
  Rng rng(seed);
  const ClubLooks looks = learn_club(task, plan, rng);
  const Graph graph = club_graph(task, looks);
  say(fill(
      "{} members, {} edges in both directions. Shown is the side of two, the teacher 0 and the officer 33; of the "
      "other {} the network names {} rightly.\n",
      {count(club.edges.nodes), count(club.edges.count()), count(size_of(task.asked)), percent(looks.right)}));
  Table table({"member", "friends", "looks most at (mean weight of 8 heads)"});
  const std::vector<std::int64_t> targets = club.edges.targets().to_ints();
  for (const std::int64_t i : {0, 8, 9, 11, 33}) {
    table.row({std::to_string(i), count(std::count(targets.begin(), targets.end(), i)),
               most_looked_at(task, looks.weights, i)});
  }
  if (!options.full()) {
    table.print();
    show_graph(graph);
  }
  if (!picture.empty()) {
    WholeFile file(picture);
    file.stream() << svg(graph);
    file.commit();
  }
  claims.at_least("members on the right side", looks.right, 0.8);
  return {{"club, GAT", looks.right, slack}};
}

// ---- cost and derivatives ------------------------------------------------------------------------------------------

void cost_section(Claims& claims) {
  heading("What it costs");
  say("Multiplications of a layer of 8 heads of 8 over inputs of 64, in millions, counted while it runs:\n");
  Table table({"nodes", "edges", "GAT", "GATv2", "GAT, were all pairs edges"});
  double worst = 0;
  const auto millions = [](Size products) { return fixed(static_cast<double>(products) / 1e6, 1); };
  for (const GraphSize of : {GraphSize{1000, 4000}, {1000, 16000}, {1000, 64000}, {4000, 16000}, {16000, 64000}}) {
    const Size first = counted(GraphKind::attention, of), second = counted(GraphKind::dynamic, of);
    for (const Size apart :
         {first - by_formula(GraphKind::attention, of), second - by_formula(GraphKind::dynamic, of)}) {
      worst = std::max(worst, std::abs(static_cast<double>(apart)));
    }
    table.row({count(of.nodes), count(of.edges), millions(first), millions(second),
               millions(over_all_pairs(GraphKind::attention, of))});
  }
  table.print();
  claims.at_most("counted, less the formula: largest difference", worst, 0);
}

void gradients_section(const Options& options, Claims& claims) {
  heading("Are the derivatives right?");
  Rng rng(options.seed());
  const GraphAttention first = cast(GraphAttention(3, 2, 2, rng), DType::float64);
  const DynamicGraphAttention second = cast(DynamicGraphAttention(3, 2, 2, rng), DType::float64);
  const Tensor h = rng.normal({4, 3}, 0, 1, DType::float64);
  GradcheckOptions settings;
  settings.seed = options.seed();
  claim_gradients(
      {gradcheck(
           "GAT", [&](const Vars& x) { return first(x[0], paper_edges_with_loops()).context; }, {h}, settings),
       gradcheck(
           "GATv2", [&](const Vars& x) { return second(x[0], paper_edges_with_loops()).context; }, {h}, settings)},
      claims);
}

// ---- all of it -----------------------------------------------------------------------------------------------------

Figures learned(const Options& options, const PackageGraph& graph, std::uint64_t seed, const std::string& picture,
                Claims& claims) {
  Figures figures = packages_section(options, graph, seed, claims);
  for (const Figures& more :
       {dictionary_section(options, seed, claims), club_section(options, seed, picture, claims)}) {
    figures.insert(figures.end(), more.begin(), more.end());
  }
  return figures;
}

void all_seeds(const Options& options, const PackageGraph& graph, Claims& claims) {
  const Results results = measure_five_seeds(
      results_path("graphs"), [&](std::uint64_t seed) { return learned(options, graph, seed, "", claims); });
  claims.at_least("packages: GAT, mean over the seeds", results.at("packages, GAT").mean, 0.8);
}

}  // namespace

std::vector<Break> graphs_breaks() {
  return {{"no-relu", "the leaky relu within the scores of GATv2 is left out",
           "what a query adds to its scores is the same for all keys, and the softmax takes it away"},
          {"turned-edges", "in the dictionary the edges lead from queries to keys",
           "nothing reaches a query, and an attention over nothing is 0"},
          {"loops-twice", "self-loops are added where they are already", "each node counts itself twice"}};
}

void graphs_lesson(const Options& options, const std::string& picture, Claims& claims) {
  const PackageGraph graph = read_packages(data_path("debgraph/debgraph.tsv"));
  if (options.full()) return all_seeds(options, graph, claims);
  say_beginning(graph);
  paper_section(options, claims);
  const Figures figures = learned(options, graph, options.seed(), picture, claims);
  cost_section(claims);
  gradients_section(options, claims);
  if (!options.quick() && options.broken().empty()) claim_ranges(figures, results_path("graphs"), claims);
  try_next({{"./attend run 15 --break no-relu", "GATv2 without what sets it apart"},
            {"./attend run 15 --task trees", "attention along the branches of a tree"},
            {"./attend check 15 1", "write the softmax over edges yourself"}});
}

}  // namespace attend::chapter15
