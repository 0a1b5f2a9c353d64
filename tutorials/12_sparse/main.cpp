// Chapter 12: sparse attention. The page is README.md beside this file.
#include "tensor/parallel.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/12_sparse/cost_lesson.hpp"
#include "tutorials/12_sparse/learning_lesson.hpp"
#include "tutorials/12_sparse/patterns_lesson.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter12;

namespace {

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results.tsv"; }

void say_beginning(const Options& options) {
  title("12", "Sparse attention");
  say(options.break_notice());
  say("The claim: a position need not look at all others. With a window the work grows with T and not with T², and "
      "what a layer cannot reach, a second one can, if the pattern lets it. If not, no training helps.");
  shapes({{"q, k, v", {1, 1, 8192, 64}, "batch, heads, positions, width of a head (the longest)"},
          {"scores of softmax", {1, 1, 8192, 8192}, "every query with every key: 256 MiB"},
          {"scores of a window", {1, 1, 1024, 8, 16}, "blocks, queries of a block, keys beside it: 512 KiB"}});
}

int all_seeds(const Options& options) {
  Claims claims;
  measure_five_seeds(results_path(), [&](std::uint64_t seed) { return learning_section(options, seed, claims); });
  return claims.conclude();
}

int chapter(int argc, char** argv) {
  std::string picture;
  Options options(
      "12", "Sparse attention",
      {{"dense-mask", "the local window is a mask over the scores of all pairs", "what is masked was computed before"},
       {"wraps-around", "a window that reaches beyond the first position goes on at the end",
        "windows are cut from a rolled tensor"},
       {"redrawn", "BigBird draws its random blocks anew at every call", "a second forward pass is another function"}});
  options.file("--picture", picture, "write the patterns to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  if (!picture.empty()) check_writable(picture);
  if (options.full()) return all_seeds(options);

  say_beginning(options);
  Claims claims;
  patterns_section(options, picture, claims);
  reach_section(options, claims);
  cost_section(options, claims);
  drawn_section(options, claims);
  const NamedFigures figures = learning_section(options, options.seed(), claims);
  if (!options.quick()) claim_ranges(figures, results_path(), claims);
  try_next({{"./attend run 12 --break dense-mask", "a window that costs as much as all"},
            {"./attend run 12 --break redrawn", "a pattern that does not stay"},
            {"./attend check 12 1", "write the window by blocks yourself"}});
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
