// Chapter 13: low rank and kernels. The page is README.md beside this file.
#include "tensor/parallel.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/13_low_rank_and_kernels/cost_lesson.hpp"
#include "tutorials/13_low_rank_and_kernels/features_lesson.hpp"
#include "tutorials/13_low_rank_and_kernels/kernel_lesson.hpp"
#include "tutorials/13_low_rank_and_kernels/learning_lesson.hpp"
#include "tutorials/13_low_rank_and_kernels/rank_lesson.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter13;

namespace {

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results.tsv"; }

void say_beginning(const Options& options) {
  title("13", "Low rank and kernels");
  say(options.break_notice());
  say("The claim: the weights of all pairs need not be formed. Where they are of low rank, a few mixtures of keys "
      "stand for all of them. Where a weight is a product of features, one sum serves all queries. The work grows with "
      "T. What is lost is the causal form, or the look at one key out of many.");
  shapes({{"q, k, v", {1, 1, 8192, 64}, "batch, heads, positions, width of a head (the longest)"},
          {"weights of softmax", {1, 1, 8192, 8192}, "every query with every key: 256 MiB"},
          {"weights of Linformer", {1, 1, 8192, 64}, "every query with 64 mixtures of keys: 2 MiB"},
          {"sums of linear", {1, 1, 64, 65}, "of all φ(k) vᵀ and of all φ(k): 16 KiB"}});
}

int all_seeds(const Options& options) {
  Claims claims;
  measure_five_seeds(results_path(), [&](std::uint64_t seed) { return learning_section(options, seed, claims); });
  return claims.conclude();
}

int chapter(int argc, char** argv) {
  std::string picture;
  Options options("13", "Low rank and kernels",
                  {{"raw-qr", "random directions are the Q of LAPACK's QR decomposition as it comes",
                    "its first element is never above 0, so that they do not point everywhere alike"},
                   {"key-maximum", "the largest exponent of every single key is taken off",
                    "what differs from key to key does not cancel in a sum over keys"},
                   {"zeroed-keys", "padding is hidden by keys of 0, in front of the features", "φ(0) is 1 and not 0"}});
  options.file("--picture", picture, "write the maps to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  if (!picture.empty()) check_writable(picture);
  if (options.full()) return all_seeds(options);

  say_beginning(options);
  Claims claims;
  maps_section(options, picture, claims);
  rank_section(options, claims);
  forms_section(options, claims);
  state_section(options, claims);
  features_section(options, claims);
  performer_section(options, claims);
  cancelling_section(options, claims);
  cost_section(options, claims);
  limits_section(options, claims);
  const NamedFigures figures = learning_section(options, options.seed(), claims);
  if (!options.quick()) claim_ranges(figures, results_path(), claims);
  try_next({{"./attend run 13 --break raw-qr", "directions that lean to one side"},
            {"./attend run 13 --break key-maximum", "a number that does not cancel"},
            {"./attend check 13 1", "write causal linear attention by chunks yourself"}});
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
