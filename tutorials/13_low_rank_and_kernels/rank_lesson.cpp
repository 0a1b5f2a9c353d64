#include "tutorials/13_low_rank_and_kernels/rank_lesson.hpp"

#include <algorithm>

#include "nn/attention/performer.hpp"
#include "tutorials/13_low_rank_and_kernels/maps.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter13 {

using namespace lesson;

namespace {

constexpr Size T = 64, d = 16, heads = 8;

std::vector<double> numbers(const Var& map) { return map.value().to_vector(); }

HeatMap picture_of(const std::string& title, const Pairs& pairs, const AttentionCore& core) {
  const Size side = pairs.q.shape()[2];
  const std::vector<double> exact = numbers(attention_map(SoftmaxAttention(), pairs.q, pairs.k));
  const double highest = *std::max_element(exact.begin(), exact.end());
  HeatMap map{Matrix(side, side, numbers(attention_map(core, pairs.q, pairs.k))), {}, {}, title};
  map.range = Range{0, highest};
  return map;
}

// Rows: softmax attention, Nyström, a Performer; columns: the three maps.
void write_picture(std::uint64_t seed, Size side, const std::string& path) {
  Rng rng(seed);
  const std::vector<Pairs> maps = three_maps(1, side, d, seed);
  const std::vector<std::pair<std::string, AttentionCore>> rows = {
      {"softmax, ", SoftmaxAttention()},
      {"Nyström, 6 landmarks, ", nystrom(6, 40)},
      {"Performer, 64 directions, ", cast(Performer(d, 64, rng), DType::float64)}};
  std::vector<HeatMap> panels;
  for (const auto& [name, core] : rows) {
    for (const Pairs& pairs : maps) panels.push_back(picture_of(name + pairs.name, pairs, core));
  }
  write_svg("Three maps, and what becomes of them", panels, 3, path);
}

void ranks_table(const std::vector<Pairs>& maps, Claims& claims) {
  say(fill("{} positions, width {}; on average over {} heads. A rank counts the singular values above rounding.\n",
           {count(T), count(d), count(heads)}));
  Table table({"map", "rank of the scores", "rank of the weights", "hold 99 % of σ²"});
  std::vector<Ranks> found;
  for (const Pairs& pairs : maps) {
    found.push_back(ranks(pairs));
    table.row(
        {pairs.name, fixed(found.back().scores, 1), fixed(found.back().weights, 1), fixed(found.back().energy, 1)});
  }
  table.print();
  const Ranks &smooth = found[0], &random = found[1], &peaked = found[2];
  claims.at_most("scores of random queries: rank, which is at most d", random.scores, static_cast<double>(d));
  claims.at_least("their weights: rank, which the softmax makes T", random.weights, static_cast<double>(T));
  claims.at_most("smooth: singular values that hold 99 %", smooth.energy, 6);
  claims.at_least("peaked: singular values that hold 99 %", peaked.energy, 50);
}

std::string shown(double error) { return significant(error, 2); }

std::string or_singular(const std::optional<double>& error) { return error ? shown(*error) : "singular"; }

std::string drawn_error(const Pairs& pairs, Size rank, std::uint64_t seed) {
  return shown(map_error(linformer_drawn(T, rank, seed), pairs));
}

}  // namespace

void maps_section(const Options& options, const std::string& picture, Claims& claims) {
  heading("Three maps");
  constexpr Size on_screen = 16, on_picture = 24;
  say(fill("{} positions, one head of width {}. A row is a query, a column a key.\n", {count(on_screen), count(d)}));
  const std::vector<Pairs> maps = three_maps(1, on_screen, d, options.seed());
  for (const Pairs& pairs : maps) draw(picture_of("softmax, " + pairs.name, pairs, SoftmaxAttention()));
  if (!picture.empty()) write_picture(options.seed(), on_picture, picture);
  const Var peaked = attention_map(SoftmaxAttention(), maps[2].q, maps[2].k);
  claims.at_least("peaked: the largest weight of a query, on average", mean(max(peaked, {3}), {0, 1, 2}).item(), 0.8);
}

void rank_section(const Options& options, Claims& claims) {
  heading("What is of low rank");
  const std::vector<Pairs> maps = three_maps(heads, T, d, options.seed());
  ranks_table(maps, claims);
  say("\nHow far the weights of attention of rank r are from those of softmax, |difference| / |map|. SVD: the best "
      "that any matrix of rank r can do. Nyström with r landmarks: 6 and 40 steps of the iteration, and the exact "
      "inverse. Linformer with r projected keys: E = F = means of segments, and as it begins, drawn.\n");
  Table table({"map", "r", "SVD", "6 steps", "40 steps", "exact", "means", "drawn"});
  for (const Pairs& pairs : maps) {
    for (const Size rank : {4, 8, 16, 32, 64}) {
      table.row({pairs.name, count(rank), shown(best_error(pairs, rank)), shown(map_error(nystrom(rank, 6), pairs)),
                 shown(map_error(nystrom(rank, 40), pairs)), or_singular(exact_nystrom_error(pairs, rank)),
                 shown(map_error(linformer_of_means(T, rank), pairs)), drawn_error(pairs, rank, options.seed())});
    }
  }
  table.print();
  const Pairs &smooth = maps[0], &random = maps[1], &peaked = maps[2];
  claims.below("Nyström, smooth, 16 landmarks, 40 steps", map_error(nystrom(16, 40), smooth), 0.01);
  claims.at_least("random, 32 landmarks, 40 steps", map_error(nystrom(32, 40), random), 0.5);
  claims.at_least("peaked, 32 landmarks, 40 steps", map_error(nystrom(32, 40), peaked), 0.5);
  claims.below("random, every position a landmark, 40 steps", map_error(nystrom(T, 40), random), 1e-6);
  claims.at_least("the same with the 6 steps of the paper", map_error(nystrom(T, 6), random), 0.001);
  claims.at_least("Linformer, drawn, 32 projected keys, smooth",
                  map_error(linformer_drawn(T, 32, options.seed()), smooth), 1);
}

}  // namespace attend::chapter13
