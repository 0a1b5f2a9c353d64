// Chapter 14: attention among hashes. The page is README.md beside this file.
#include "tensor/parallel.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/14_hashing/cost_lesson.hpp"
#include "tutorials/14_hashing/hashing_lesson.hpp"
#include "tutorials/14_hashing/learning_lesson.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter14;

namespace {

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results.tsv"; }

void say_beginning(const Options& options) {
  title("14", "Hashing");
  say(options.break_notice());
  say("The claim: a query finds the keys that matter to it without a look at all of them, for they have its direction, "
      "and vectors of one direction fall into one bucket. More rounds of hashing miss less.");
  shapes({{"q, v", {1, 1, 8192, 64}, "batch, heads, positions, width of a head; the keys are the queries"},
          {"rotations", {4, 64, 90}, "rounds, width, half of the buckets"},
          {"scores of a round", {1, 1, 91, 91, 182}, "chunks, queries of a chunk, keys: its own and those before"}});
}

int all_seeds(const Options& options) {
  Claims claims;
  measure_five_seeds(results_path(), [&](std::uint64_t seed) { return learning_section(options, seed, claims); });
  return claims.conclude();
}

int chapter(int argc, char** argv) {
  std::string picture;
  Options options(
      "14", "Hashing",
      {{"averaged", "each round by itself, and then their mean", "a key that one round missed is missed by its share"},
       {"twice", "a key counts once for each round that meets it", "what is met often weighs more than it should"},
       {"sees-itself", "a position attends to itself like to any other", "no key is as near to a query as its own"},
       {"redrawn", "rotations are drawn anew at every call", "a second forward pass is another function"}});
  options.file("--picture", picture, "write the maps to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  if (!picture.empty()) check_writable(picture);
  if (options.full()) return all_seeds(options);

  say_beginning(options);
  Claims claims;
  collisions_section(options, claims);
  pairs_section(options, picture, claims);
  errors_section(options, claims);
  rounds_section(options, claims);
  drawn_section(options, claims);
  cost_section(options, claims);
  const NamedFigures figures = learning_section(options, options.seed(), claims);
  if (!options.quick()) claim_ranges(figures, results_path(), claims);
  try_next({{"./attend run 14 --break averaged", "rounds that do not help each other"},
            {"./attend run 14 --break sees-itself", "positions that look at themselves"},
            {"./attend check 14 1", "hash, sort and cut yourself"}});
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
