// Chapter 02: from hard choice to soft weights. The page is README.md beside this file.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include "autograd/grad.hpp"
#include "tensor/kernels.hpp"
#include "tensor/parallel.hpp"
#include "tutorials/02_soft_weights/choice.hpp"
#include "tutorials/02_soft_weights/identities.hpp"
#include "tutorials/02_soft_weights/paths.hpp"
#include "tutorials/02_soft_weights/regression.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter02;

namespace {

// What depends on the seed, under the names of results.tsv.
using Figures = std::vector<std::pair<std::string, double>>;

constexpr Size farthest = 64;  // words between the first and the last

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results.tsv"; }

// ---- 1 ------------------------------------------------------------------------------------------------------------

void temperature_section(const Options& options, std::uint64_t seed, Figures& figures, Claims& claims) {
  heading("1  Temperature: from the largest to the mean");
  say("Five scores, and softmax of them divided by a temperature. Then 1,000 rows of 64 normal scores: the mean of "
      "their "
      "largest weight.\n");
  const Tensor scores = Tensor::from({2, 1, 0, 1.5, -1}, {5}, DType::float64);
  Rng rng(seed);
  const Tensor rows = rng.normal({1000, 64}, 0, 1, DType::float64);
  const auto soften = [&](const Tensor& s, double temperature) {
    return soft_choice(s, options.breaks("no-temperature") ? 1 : temperature).value();
  };
  Table table({"temperature", "2", "1", "0", "1.5", "-1", "largest of 64"});
  for (double temperature : {1000.0, 10.0, 1.0, 0.1, 0.01, 0.001}) {
    std::vector<std::string> cells = {significant(temperature, 4)};
    for (double weight : soften(scores, temperature).to_vector()) cells.push_back(fixed(weight, 4));
    const double most = mean(max(Var(soften(rows, temperature)), {-1})).item();
    cells.push_back(fixed(most, 4));
    table.row(cells);
    figures.emplace_back("mean largest of 64 weights at temperature " + significant(temperature, 4), most);
  }
  table.print();
  claims.below("temperature 0.001: difference to the hard choice",
               largest_difference(soften(scores, 0.001), hard_choice(scores)), 1e-12);
  claims.below("temperature 1,000,000: difference to 1/5, the mean",
               largest_difference(soften(scores, 1e6), Tensor::full({5}, 0.2, DType::float64)), 1e-6);
  const Tensor tied = Tensor::from({3, 3, 1}, {3}, DType::float64);
  claims.below("two equal scores: both keep 1/2 at temperature 0.001, difference",
               largest_difference(soften(tied, 0.001), Tensor::from({0.5, 0.5, 0}, {3}, DType::float64)), 1e-12);
}

// ---- 2 ------------------------------------------------------------------------------------------------------------

void jacobian_section(Claims& claims) {
  heading("2  What a choice hands back");
  say("The slope of the first weight along its score, at each temperature. A hard choice has none: moved a little, the "
      "same score stays the largest.\n");
  const Var scores = Var::parameter(Tensor::from({2, 1, 0, 1.5, -1}, {5}, DType::float64));
  Table table({"temperature", "slope"});
  double coldest = 1;
  for (double temperature : {10.0, 1.0, 0.5, 0.1, 0.01}) {
    const Var first = select(soft_choice(scores, temperature), 0, 0);
    coldest = grad(first, {scores})[0].value().at({0});
    table.row({significant(temperature, 4), significant(coldest, 3)});
  }
  table.print();
  claims.at_most("slope at temperature 0.01", std::fabs(coldest), 0);
  const Tensor moved = Tensor::from({2.1, 1, 0, 1.5, -1}, {5}, DType::float64);
  claims.at_most("the hard choice, moved: difference",
                 largest_difference(hard_choice(scores.value()), hard_choice(moved)), 0);
  const Tensor ones = Tensor::ones({5}, DType::float64);
  claims.below("the Jacobian of softmax times ones: all weights together cannot change",
               largest(grad(softmax(scores), {scores}, ones)[0].value()), 1e-15);
  claims.below("scores all moved by 100: difference of the weights",
               largest_difference(softmax(scores + 100.0).value(), softmax(scores).value()), 1e-14);
}

// ---- 3 ------------------------------------------------------------------------------------------------------------

// For a report: where 11 of the places look among the points, from left to right, for three widths.
void show_regression(const Seen& seen) {
  const Tensor order = argsort(Var(seen.key), 0);  // [60, 1]
  const Tensor key = take(Var(seen.key), 0, reshape(order, {order.size()})).value();
  const Tensor query = slice(seen.query, 0, 0, 11, 10);  // 0, 0.5, ... 5
  const auto labels = [](const Tensor& places) {
    std::vector<std::string> texts;
    for (double place : places.to_vector()) texts.push_back(fixed(place, 1));
    return texts;
  };
  std::vector<HeatMap> maps;
  for (double width : {0.05, 0.2, 1.0}) {
    const std::vector<double> weights = distance_attention(query, key, key, width).weights.value().to_vector();
    const Range range{0, *std::max_element(weights.begin(), weights.end())};
    maps.push_back(
        {Matrix(query.size(), key.size(), weights), labels(query), labels(key), "h = " + significant(width, 2), range});
  }
  show_heads("Which points a place looks at, by the width", maps);
}

void regression_section(const Options& options, std::uint64_t seed, Figures& figures, Claims& claims) {
  heading("3  Attention of 1964: kernel regression");
  say("60 points of the curve sin 2x + x/2, seen with noise of 0.3. What is the curve at places in between? The mean "
      "of what "
      "was seen, weighted by closeness: softmax of −|q − k|² / 2h². The width h is a temperature.\n");
  Rng rng(seed);
  const Seen seen = draw_points(rng);
  const auto attend_with = [&](const Tensor& q, const Tensor& k, const Tensor& v, double width) {
    if (!options.breaks("plus-sign")) return distance_attention(q, k, v, width).context.value();
    const Var apart = unsqueeze(Var(q), 1) - unsqueeze(Var(k), 0);
    return matmul(softmax(sum(apart * apart, {-1}) / (2 * width * width)), v).value();
  };
  Table table({"h", "error", ""});
  std::vector<double> errors;
  for (double width : {0.001, 0.05, 0.1, 0.2, 0.5, 1.0, 100.0}) {
    errors.push_back(root_mean_square(attend_with(seen.query, seen.key, seen.value, width), seen.curve));
    const std::string what = width < 0.01 ? "the nearest point alone" : width > 10 ? "the mean of all points" : "";
    table.row({significant(width, 4), fixed(errors.back(), 3), what});
  }
  table.print();
  if (options.reports()) show_regression(seen);
  const double nearest = errors.front(), all = errors.back(), soft = errors[3];
  figures.insert(figures.end(), {{"error of the nearest point, h = 0.001", nearest},
                                 {"error of soft weights, h = 0.2", soft},
                                 {"error of the mean, h = 100", all}});
  claims.below("soft weights (h = 0.2): error, in that of the nearest point", soft / nearest, 0.9);
  claims.below("soft weights (h = 0.2): error, in that of the mean", soft / all, 0.5);
  claims.below("softmax of −|q − k|² / 2h² against the formula of 1964 in plain loops",
               largest_difference(attend_with(seen.query, seen.key, seen.value, 0.5),
                                  kernel_regression(seen.query, seen.key, seen.value, 0.5)),
               1e-12);

  // Keys of one length: |q − k|² = |q|² − 2 q · k + |k|², and what all keys have in common softmax does not see.
  const Var raw(rng.normal({7, 4}, 0, 1, DType::float64));
  const Tensor round = (raw / norm(raw, {-1}, true)).value(), queries = rng.normal({5, 4}, 0, 1, DType::float64);
  const Tensor values = rng.normal({7, 3}, 0, 1, DType::float64);
  claims.below("keys of one length: dot products q · k / h² do the same, difference",
               largest_difference(product_attention(queries, round, values, 0.7).context.value(),
                                  attend_with(queries, round, values, 0.7)),
               1e-12);
}

// ---- 4 ------------------------------------------------------------------------------------------------------------

struct Lengths {
  std::string name;
  std::vector<double> by_distance;  // of the gradient, in that of g; the last word first
};

// Lengths of gradients at a distance of 0, 1, ... from the result, which stands at the last word.
Lengths measure(const std::string& name, const Walk& walk, const Tensor& g) {
  Lengths lengths{name, gradient_lengths(walk, g)};
  std::reverse(lengths.by_distance.begin(), lengths.by_distance.end());
  const double unit = norm(Var(g), {0, 1}).item();
  for (double& length : lengths.by_distance) length /= unit;
  return lengths;
}

double mean_over(const std::vector<double>& values, std::size_t from, std::size_t to) {
  double sum = 0;
  for (std::size_t i = from; i <= to; ++i) sum += values[i];
  return sum / static_cast<double>(to - from + 1);
}

constexpr Size layers = 4, sentences = 50;

std::vector<Lengths> measure_paths(const Options& options, std::uint64_t seed) {
  constexpr Size d = 16;
  Rng rng(seed);
  const Vars words = draw_words(farthest + 1, d, rng);
  const Tensor g = rng.normal({1, d}, 0, 1, DType::float64);
  std::vector<Lengths> all;
  for (double rho : {0.9, 1.0, 1.1}) {
    const Tensor W = options.breaks("not-orthogonal") ? normal_matrix(d, rho, rng) : orthogonal_matrix(d, rho, rng);
    all.push_back(measure("RNN, ρ = " + significant(rho, 2), recurrent(words, W, false), g));
  }
  all.push_back(measure("RNN, tanh", recurrent(words, orthogonal_matrix(d, 1, rng), true), g));
  all.push_back(measure("convolution", convolutional(words, layers, farthest, rng), g));
  all.push_back(measure("attention", attentive(words, farthest), g));
  // What attention hands to a word depends on what the words are: the mean over many sentences.
  for (double& length : all.back().by_distance) length /= sentences;
  for (Size i = 1; i < sentences; ++i) {
    const Lengths one = measure("", attentive(draw_words(farthest + 1, d, rng), farthest), g);
    for (std::size_t t = 0; t < one.by_distance.size(); ++t)
      all.back().by_distance[t] += one.by_distance[t] / sentences;
  }
  return all;
}

Chart distance_chart(const std::vector<Lengths>& all) {
  Chart chart{"log₁₀ of the gradient's length", "words away", {}, {}, -4, 4, 2};
  for (std::size_t distance : {1, 2, 4, 8, 16, 32, 64}) chart.places.push_back(std::to_string(distance));
  for (std::size_t s : {0, 1, 2, 5}) {
    Series series{all[s].name, {}};
    for (std::size_t distance : {1, 2, 4, 8, 16, 32, 64}) {
      const double log = std::log10(all[s].by_distance[distance]);
      series.points.push_back({log, log, log});
    }
    chart.series.push_back(series);
  }
  return chart;
}

void distance_section(const Options& options, std::uint64_t seed, const std::string& picture, Figures& figures,
                      Claims& claims) {
  heading("4  How far is a word?");
  say(fill(
      "{} words. The length of the gradient that each receives from the result at the last one, in the length of the "
      "gradient g that the result receives; 16 numbers a word. Recurrent: h = W h + x, W = ρ times an orthogonal "
      "matrix; "
      "with tanh, ρ = 1. Convolution: {} layers, kernel 3. Attention: the mean of {} sentences.\n",
      {count(farthest + 1), count(layers), count(sentences)}));
  const std::vector<Lengths> all = measure_paths(options, seed);
  std::vector<std::string> headers = {"away"};
  for (const Lengths& lengths : all) headers.push_back(lengths.name);
  Table table(headers);
  for (std::size_t distance : {0, 1, 4, 5, 16, 32, 64}) {
    std::vector<std::string> cells = {std::to_string(distance)};
    for (const Lengths& lengths : all) cells.push_back(significant(lengths.by_distance[distance], 2));
    table.row(cells);
  }
  table.print();
  if (!picture.empty()) write_svg(distance_chart(all), picture);

  double off = 0;
  constexpr double rhos[] = {0.9, 1.0, 1.1};
  for (std::size_t r = 0; r < 3; ++r) {
    for (Size t = 0; t <= farthest; ++t) {
      const double formula = std::pow(rhos[r], static_cast<double>(t));
      off = std::max(off, std::fabs(all[r].by_distance[static_cast<std::size_t>(t)] / formula - 1));
    }
  }
  claims.below("recurrent: length against |g| ρ to the distance, relative error at every word", off, 1e-12);
  const std::vector<double>&curved = all[3].by_distance, &convolved = all[4].by_distance,
        &attended = all[5].by_distance;
  claims.below("tanh: gradient 64 words away in that of the word itself", curved[64] / curved[0], 1e-10);
  const bool zero = std::all_of(convolved.begin() + layers + 1, convolved.end(), [](double x) { return x == 0; });
  const bool some = std::all_of(convolved.begin(), convolved.begin() + layers + 1, [](double x) { return x > 0; });
  claims.holds(fill("convolution: exactly 0 from {} words on, and not before", {count(layers + 1)}), zero && some);
  const double far_in_near = mean_over(attended, 33, 64) / mean_over(attended, 1, 32);
  claims.holds("attention: no word without a gradient",
               std::all_of(attended.begin(), attended.end(), [](double x) { return x > 0; }));
  claims.at_least("attention: gradient of the word itself in the mean of the others",
                  attended[0] / mean_over(attended, 1, 64), 10);
  claims.between("attention: mean gradient of the far half in that of the near half", far_in_near, 0.5, 2);
  figures.insert(figures.end(), {{"tanh: log₁₀ of the gradient 64 words away", std::log10(curved[64])},
                                 {"attention: gradient of the far half in that of the near half", far_in_near}});
}

void steps_section(const Options& options, Claims& claims) {
  heading("5  How many steps must wait for each other?");
  say("The longest path through the history of one result, in steps of the network (each has one tanh or one softmax), "
      "and "
      "in all ops. What is not on one path can be done at the same time.\n");
  Rng rng(options.seed());
  Table table({"words", "RNN", "convolution", "attention", "RNN, ops", "convolution, ops", "attention, ops"});
  bool right = true;
  std::vector<Size> attention_ops, convolution_ops, recurrent_ops;
  for (Size n : {8, 16, 32, 64}) {
    const Vars words = draw_words(n, 4, rng);
    const Var results[] = {recurrent(words, orthogonal_matrix(4, 1, rng), true).result,
                           convolutional(words, layers, n - 1, rng).result, attentive(words, n - 1).result};
    std::vector<std::string> cells = {count(n)};
    std::vector<Size> steps;
    for (const Var& result : results) {
      steps.push_back(longest_path(result, {"tanh", "softmax"}));
      cells.push_back(count(steps.back()));
    }
    for (const Var& result : results) cells.push_back(count(longest_path(result)));
    table.row(cells);
    right = right && steps == std::vector<Size>{n, layers, 1};
    recurrent_ops.push_back(longest_path(results[0]));
    convolution_ops.push_back(longest_path(results[1]));
    attention_ops.push_back(longest_path(results[2]));
  }
  table.print();
  claims.holds("steps in a row: RNN n, convolution as many as layers, attention 1", right);
  claims.holds("attention and convolution: as many ops in a row for 64 words as for 8",
               attention_ops.front() == attention_ops.back() && convolution_ops.front() == convolution_ops.back());
  claims.at_least("RNN: ops in a row for 64 words in those for 8",
                  static_cast<double>(recurrent_ops.back()) / static_cast<double>(recurrent_ops.front()), 7);
}

// ---- the whole ----------------------------------------------------------------------------------------------------

void claim_ranges(const Figures& figures, Claims& claims) {
  heading("As the page states");
  say("Each figure, and how far around the range of five seeds it may lie.\n");
  const Results stated = Results::read(results_path());
  for (const auto& [name, value] : figures) {
    Figure range = stated.at(name);
    const double apart = 1.5 * (range.max - range.min);  // five seeds span less than many do
    range.min = range.min < 0 ? range.min - apart : std::max(0.0, range.min - apart);
    range.max += apart;
    claims.as_stated(value, range);
  }
}

int all_seeds(const Options& options) {
  Claims claims;
  Results results;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    heading(fill("Seed {}", {count(static_cast<Size>(seed))}));
    Figures figures;
    temperature_section(options, seed, figures, claims);
    regression_section(options, seed, figures, claims);
    distance_section(options, seed, "", figures, claims);
    for (const auto& [name, value] : figures) results.add(name, seed, value);
  }
  results.write(results_path());
  return claims.conclude();
}

int chapter(int argc, char** argv) {
  std::string picture;
  Options options("02", "From hard choice to soft weights",
                  {{"no-temperature", "scores are not divided by the temperature",
                    "the weights are those of temperature 1 throughout, and no limit is reached"},
                   {"plus-sign", "the scores of section 3 are +|q − k|² / 2h²", "the farthest point gets the weight"},
                   {"not-orthogonal", "W of section 4 has independent normal numbers",
                    "it stretches some directions and shrinks others, and no power of ρ tells the length"}});
  options.file("--picture", picture, "write the chart of section 4 to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  if (options.full()) return all_seeds(options);
  title("02", "From hard choice to soft weights");
  say(options.break_notice());
  say("The claim: a choice among things can be softened until it has slopes, by weights that share out one whole; and "
      "a "
      "result that is made by such weights is one step away from everything it could choose.");
  Claims claims;
  Figures figures;
  temperature_section(options, options.seed(), figures, claims);
  jacobian_section(claims);
  regression_section(options, options.seed(), figures, claims);
  distance_section(options, options.seed(), picture, figures, claims);
  steps_section(options, claims);
  heading("Are the derivatives right?");
  claim_gradients(options.seed(), claims);
  if (!options.quick() && options.broken().empty()) claim_ranges(figures, claims);
  try_next({{"./attend run 02 --break not-orthogonal", "what a recurrent network does that was not chosen with care"},
            {"./attend check 02", "write attention by distance yourself"}});
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
