// Chapter 11: memory. The page is README.md beside this file.
#include <algorithm>
#include <iostream>

#include "tensor/parallel.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/11_memory/halves_lesson.hpp"
#include "tutorials/11_memory/lengths_lesson.hpp"
#include "tutorials/11_memory/running_lesson.hpp"
#include "tutorials/11_memory/segments_lesson.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter11;

namespace {

std::string results_path() { return std::string(ATTEND_CHAPTER_DIR) + "/results.tsv"; }

void say_beginning(const Options& options) {
  title("11", "Memory");
  say(options.break_notice());
  say("The claim: what a training needs memory for is what its backward pass must remember, and there are three ways "
      "to remember less. Forget and run again: the same gradients for a third more work. Half the bytes a number: "
      "other gradients, nearly. Never form the matrix of the weights: the same attention in memory that grows with T "
      "and not with T².");
  shapes({{"x of the chain", {4096, 64}, "64 layers tanh(x W), float32: 1 MiB each"},
          {"texts x", {1, 1024, 64}, "batch, words, features (the longest of four)"},
          {"weights of a layer", {1, 4, 1024, 1024}, "heads, who looks, at whom: 16 MiB"},
          {"digits", {1437, 64}, "8 × 8 pixels, for the trainings in half precision"}});
}

// Shares and differences of other machines and compilers lie a little apart.
void claim_ranges(const std::vector<Named>& figures, Claims& claims) {
  heading("As the page states");
  say("Each figure, and how far around the range of five seeds it may lie.\n");
  const Results stated = Results::read(results_path());
  for (const auto& [name, value] : figures) {
    Figure range = stated.at(name);
    const double least = begins(name, "updates lost") ? 0.12 : 0.02;
    const double apart = std::max(least, 0.5 * (range.max - range.min));
    if (begins(name, "difference")) {
      range.min = 0;
      range.max *= 2;
      claims.as_stated(value, range);
    } else if (begins(name, "loss")) {
      claims.as_stated(value, range, apart);
    } else {
      claims.share_as_stated(value, range, apart);
    }
  }
}

struct Pictures {
  std::string segments, lengths;
};

std::vector<Named> all_sections(const Options& options, std::uint64_t seed, const Pictures& pictures, Claims& claims) {
  remembered_section(claims);
  segments_section(options, pictures.segments, claims);
  std::vector<Named> figures = halves_section(options, seed, claims);
  running_section(options, claims);
  const std::vector<Named> more = lengths_section(options, seed, pictures.lengths, claims);
  figures.insert(figures.end(), more.begin(), more.end());
  return figures;
}

int all_seeds(const Options& options, const Pictures& pictures) {
  check_writable(results_path());
  Claims claims;
  Results results;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    heading(fill("Seed {}", {count(static_cast<Size>(seed))}));
    for (const auto& [name, value] : all_sections(options, seed, seed == 1 ? pictures : Pictures(), claims)) {
      results.add(name, seed, value);
    }
  }
  results.write(results_path());
  return claims.conclude();
}

int chapter(int argc, char** argv) {
  Pictures pictures;
  Options options(
      "11", "Memory",
      {{"no-rescale", "the running softmax keeps its old sums as they are when the maximum rises",
        "they are in units of another maximum"},
       {"held-stream", "layers with dropout draw from a stream of their own, not from the one they are given",
        "a checkpoint cannot take that stream back, and the second run drops other numbers"},
       {"no-master", "the weights are held in the dtype of the activations",
        "a step below half of the last place is rounded away"},
       {"no-scaling", "the loss is not scaled in float16", "derivatives below 2⁻²⁵ become 0"}});
  options.file("--picture", pictures.segments, "write peak and cost against the number of segments to this SVG file");
  options.file("--lengths", pictures.lengths, "write the peaks against T to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  for (const std::string& path : {pictures.segments, pictures.lengths}) {
    if (!path.empty()) check_writable(path);
  }
  if (options.full()) return all_seeds(options, pictures);

  say_beginning(options);
  Claims claims;
  const std::vector<Named> figures = all_sections(options, options.seed(), pictures, claims);
  gradients_section(options.seed(), claims);
  if (!options.quick() && options.broken().empty()) claim_ranges(figures, claims);
  try_next({{"./attend run 11 --break no-rescale", "sums in units of another maximum"},
            {"./attend run 11 --break no-master", "weights that do not move"},
            {"./attend check 11 1", "write the running softmax yourself"}});
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
