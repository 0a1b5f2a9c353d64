#include "tutorials/15_graphs_trees_grids/grids_lesson.hpp"

#include <algorithm>
#include <cmath>

#include "nn/variants/variant.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/15_graphs_trees_grids/asked_region.hpp"
#include "tutorials/15_graphs_trees_grids/figures.hpp"
#include "tutorials/15_graphs_trees_grids/grids.hpp"
#include "tutorials/lesson/lesson.hpp"
#include "tutorials/lesson/variant_cost.hpp"

namespace attend::chapter15 {

using namespace lesson;

namespace {

using Kind = Partition::Kind;
using Order = AxialAttention::Order;
GridBreak broken(const Options& options) {
  if (options.breaks("reshaped")) return GridBreak::reshaped;
  return options.breaks("one-axis") ? GridBreak::one_axis : GridBreak::none;
}

void say_beginning() {
  say("The claim: a pixel can look along its row and then along its column, or within its window and then over a grid "
      "of pixels far apart. Two layers reach all, at a price between that of a window and that of all pairs. What "
      "passes easily depends on how many pixels can carry it.");
  shapes({{"q, k, v", {16, 4, 64, 16}, "batch, heads, the pixels of an image of 8 × 8, width of a head"},
          {"axial: scores", {16, 32, 8, 8}, "each row of each head is a head of its own"},
          {"windows: scores", {16, 16, 16, 16}, "four windows of 4 × 4 in each head"},
          {"grids: scores", {16, 16, 16, 16}, "four grids of 4 × 4 in each head, every other pixel each way"}});
}

// ---- who sees whom -------------------------------------------------------------------------------------------------

constexpr Size row = 2, column = 5;  // of the pixel whose views are shown

Size seen_pixels(const Tensor& weights) {
  const std::vector<double> all = weights.to_vector();
  return std::count_if(all.begin(), all.end(), [](double weight) { return weight > 0; });
}

// Whether exactly the pixels of the window of 4 × 4 around the shown one are seen.
bool is_window(const Tensor& weights) {
  for (Size r = 0; r < side; ++r) {
    for (Size c = 0; c < side; ++c) {
      if ((weights.at({r, c}) > 0) != (r / 4 == row / 4 && c / 4 == column / 4)) return false;
    }
  }
  return true;
}

void views_section(const Options& options, const std::string& picture, Claims& claims) {
  heading("Whom a pixel sees");
  say(
      fill("The pixel in row {}, column {}, with equal scores: the weights that it gives after one layer, and after "
           "two.\n",
           {count(row), count(column)}));
  const std::vector<PixelCore> cores = pixel_cores(broken(options));
  Table table({"attention", "pixels seen after 1 layer", "after 2"});
  std::vector<HeatMap> maps;
  for (const std::string name : {"axial", "MaxViT", "windows"}) {
    std::vector<std::string> cells = {name};
    for (Size layers = 1; layers <= 2; ++layers) {
      const Tensor seen = seen_from(pixel_core(cores, name), layers, row, column);
      cells.push_back(fill("{} of {}", {count(seen_pixels(seen)), count(pixels)}));
      maps.push_back({Matrix(side, side, seen.to_vector()),
                      {},
                      {},
                      name + (layers == 1 ? ", 1 layer" : ", 2 layers"),
                      Range{0, 1.0 / side}});
      if (name != "windows" && layers == 1) draw(maps.back());
    }
    table.row(cells);
  }
  table.print();
  if (!picture.empty()) write_svg("Whom the pixel in row 2, column 5 sees", maps, 2, picture);
  const auto after = [&](const std::string& name, Size layers) {
    return seen_from(pixel_core(cores, name), layers, row, column);
  };
  claims.holds("axial: a row, then all", seen_pixels(after("axial", 1)) == 8 && seen_pixels(after("axial", 2)) == 64);
  claims.holds("MaxViT: the window, then all", is_window(after("MaxViT", 1)) && seen_pixels(after("MaxViT", 2)) == 64);
  claims.holds("windows: the window, and never more", is_window(after("windows", 1)) && is_window(after("windows", 2)));
}

void reductions_section(const Options& options, Claims& claims) {
  heading("What it reduces to");
  Rng rng(options.seed());
  const auto drawn = [&] { return Var(rng.normal({2, 3, 12, 4}, 0, 1, DType::float64)); };
  const Var q = drawn(), k = drawn(), v = drawn();
  const Tensor full = scaled_dot_attention(q, k, v).context.value();
  const auto apart = [&](const AttentionCore& core) { return largest_difference(core(q, k, v).context.value(), full); };
  say("12 positions as images; the largest difference from softmax attention over all:\n");
  claims.at_most("an image of 12 × 1, axial along its column", apart(AxialAttention(12, 1, Order::columns)), 1e-12);
  claims.at_most("an image of 3 × 4, one window for all", apart(MultiAxisAttention({Kind::window, 3, 4, 3, 4})), 1e-12);
  claims.at_most("an image of 3 × 4, one grid for all", apart(MultiAxisAttention({Kind::grid, 3, 4, 3, 4})), 1e-12);
}

// ---- cost ----------------------------------------------------------------------------------------------------------

void cost_section(Claims& claims) {
  heading("What it costs");
  constexpr Size d = 16;
  const std::vector<Size> sizes = {144, 576, 2304};  // squares, whose sides are multiples of 3
  say(fill(
      "Multiplications of one head of width {}, in thousands, counted while it runs, for images of 12 × 12, 24 × 24 "
      "and 48 × 48 pixels; windows and grids of 3 × 3:\n",
      {count(d)}));
  Table table({"attention", count(sizes[0]), count(sizes[1]), count(sizes[2]), "grows as n to the"});
  double worst = 0, growth_of_axial = 0;
  const std::vector<double> numbers(sizes.begin(), sizes.end());
  const auto row_of = [&](const std::string& name, const std::vector<double>& products) {
    std::vector<std::string> cells = {name};
    for (const double one : products) cells.push_back(count(static_cast<Size>(std::llround(one / 1000))));
    cells.push_back(fixed(exponent(numbers, products), 2));
    table.row(cells);
  };
  std::vector<double> all_pairs;
  for (const Size T : sizes) all_pairs.push_back(static_cast<double>(attention_multiplications(T, d, T * T)));
  row_of("softmax, by the formula", all_pairs);
  for (const Variant& variant : structure_family().variants) {
    std::vector<double> products;
    for (const Size T : sizes) {
      const Size found = counted_multiplications(variant, T, d);
      products.push_back(static_cast<double>(found));
      worst = std::max(worst, std::abs(static_cast<double>(found - variant.multiplications(T, d))));
    }
    if (variant.name == "axial") growth_of_axial = exponent(numbers, products);
    row_of(variant.name, products);
  }
  table.print();
  claims.at_most("counted, less the formula: largest difference", worst, 0);
  claims.between("axial: grows as n to the power of", growth_of_axial, 1.4, 1.55);
}

// ---- learning ------------------------------------------------------------------------------------------------------

void claim_learned(const std::string& task, const std::string& name, double right, Claims& claims) {
  const std::string what = task + ": " + name;
  if (task == "row or column" && name == "windows") {
    claims.at_most(what + ", less the best they can, in points", 100 * (right - best_of_windows()), 1.5);
  } else if (task == "row or column") {
    claims.at_least(what, right, 0.99);
  } else if (task == "twin" && name == "axial, sum") {
    claims.at_least(what, right, 0.9);
  } else if (task == "twin" && name != "axial") {
    claims.at_most(what, right, 0.8);
  } else if (task == "mirror" && (name == "softmax" || name == "MaxViT")) {
    claims.at_least(what, right, 0.98);
  } else if (task == "mirror") {
    claims.at_most(what, right, 0.6);
  }
}

std::vector<GridTask> tasks_of(const Options& options) {
  std::vector<GridTask> tasks = grid_tasks();
  if (!options.quick()) return tasks;
  tasks.resize(1);
  tasks[0].plan.steps = 60;
  tasks[0].names = {"axial"};
  return tasks;
}

Figures learning_section(const Options& options, std::uint64_t seed, Claims& claims) {
  heading("What is learned");
  say(fill(
      "Two layers over the pixels of 8 × 8. Row or column: some pixels are lamps; does another one stand in my row "
      "or my column? Twin: 20 symbols; does mine stand in my row or column once more? Mirror: pixel (r, c) answers "
      "with the symbol of (c, r). In the first, windows are right in {} at best.",
      {percent(best_of_windows())}));
  const std::vector<PixelCore> cores = pixel_cores(broken(options));
  Figures figures;
  for (const GridTask& one : tasks_of(options)) {
    say(fill("\n{}, {} steps:\n", {one.task.name, count(one.plan.steps)}));
    Table table({"attention", "right"});
    for (const std::string& name : one.names) {
      figures.push_back({one.task.name + ", " + name, learn(pixel_core(cores, name), one, seed), slack});
      table.row({name, percent(figures.back().value)});
    }
    table.print();
    if (options.quick()) {
      claims.at_least("row or column: axial, after a few steps", figures.back().value, 0.7);
      continue;
    }
    for (const std::string& name : one.names) {
      claim_learned(one.task.name, name, value_named(figures, one.task.name + ", " + name), claims);
    }
  }
  return figures;
}

Figures gate_section(std::uint64_t seed, Claims& claims) {
  heading("A gate: where, and not whom");
  constexpr Size steps = 300;
  say(fill(
      "A digit stands in each quadrant; a coarse grid of 2 × 2 says which is asked. The digits are summed over all "
      "pixels, through a gate, or with the question only beside the sum. {} steps. Trained with digits in the "
      "inner pixels of their quadrants.\n",
      {count(steps)}));
  const LearnedRegions gated = learn_regions(true, steps, seed), plain = learn_regions(false, steps, seed);
  Table table({"", "digits in the inner pixels", "anywhere"});
  table.row({"gated", percent(gated.inner), percent(gated.anywhere)});
  table.row({"without a gate", percent(plain.inner), percent(plain.anywhere)});
  table.print();
  claims.at_least("asked region: gated, inner pixels", gated.inner, 0.98);
  claims.at_most("asked region: without a gate", plain.inner, 0.5);
  return {{"asked region, gated", gated.inner, slack},
          {"asked region, gated, anywhere", gated.anywhere, slack},
          {"asked region, without a gate", plain.inner, slack}};
}

void gradients_section(const Options& options, Claims& claims) {
  heading("Are the derivatives right?");
  Rng rng(options.seed());
  GradcheckOptions settings;
  settings.seed = options.seed();
  const auto drawn = [&](const Shape& shape) { return rng.normal(shape, 0, 1, DType::float64); };
  std::vector<GradcheckReport> reports;
  const auto check = [&](const char* name, const AttentionCore& core) {
    const Shape shape = {1, 2, 8, 3};  // an image of 4 × 2
    reports.push_back(gradcheck(
        name, [&](const Vars& x) { return core(x[0], x[1], x[2]).context; }, {drawn(shape), drawn(shape), drawn(shape)},
        settings));
  };
  check("axial", AxialAttention(4, 2, Order::sequence));
  check("windows", MultiAxisAttention({Kind::window, 4, 2, 2, 2}));
  check("grids", MultiAxisAttention({Kind::grid, 4, 2, 2, 2}));
  const AttentionGate gate = cast(AttentionGate(2, 1, 3, 2, rng), DType::float64);
  reports.push_back(gradcheck(
      "gate", [&](const Vars& x) { return gate(x[0], x[1]).context; }, {drawn({1, 2, 4, 4}), drawn({1, 1, 2, 2})},
      settings));
  claim_gradients(reports, claims);
}

// ---- all of it -----------------------------------------------------------------------------------------------------

Figures learned(const Options& options, std::uint64_t seed, Claims& claims) {
  Figures figures = learning_section(options, seed, claims);
  const Figures gate = gate_section(seed, claims);
  figures.insert(figures.end(), gate.begin(), gate.end());
  return figures;
}

void all_seeds(const Options& options, Claims& claims) {
  measure_five_seeds(results_path("grids"), [&](std::uint64_t seed) { return learned(options, seed, claims); });
}

}  // namespace

std::vector<Break> grids_breaks() {
  return {{"reshaped", "windows are cut by a reshape alone", "every shape is right, and a window is two rows"},
          {"one-axis", "axial attention goes along rows in both layers", "no pixel ever sees another row"}};
}

void grids_lesson(const Options& options, const std::string& picture, Claims& claims) {
  if (options.full()) return all_seeds(options, claims);
  say_beginning();
  views_section(options, picture, claims);
  reductions_section(options, claims);
  cost_section(claims);
  const Figures figures = learned(options, options.seed(), claims);
  gradients_section(options, claims);
  if (!options.quick() && options.broken().empty()) claim_ranges(figures, results_path("grids"), claims);
  try_next({{"./attend run 15 --break reshaped", "windows that are none, in the right shapes"},
            {"./attend run 15", "attention along the edges of a graph"},
            {"./attend check 15 4", "cut an image into grids yourself"}});
}

}  // namespace attend::chapter15
