// Chapter 16: conditional attention, learned to learn, learned by reward. The page is README.md beside this file.
#include <algorithm>

#include "tensor/parallel.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/16_conditional_and_learned/conditional_lesson.hpp"
#include "tutorials/16_conditional_and_learned/few_shot_lesson.hpp"
#include "tutorials/16_conditional_and_learned/reward_lesson.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter16;

namespace {

std::string path_of(const Part& part) { return std::string(ATTEND_CHAPTER_DIR) + "/" + part.results; }

const Part& part_called(const std::vector<Part>& parts, const std::string& name) {
  return *std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.name == name; });
}

// A break belongs to one part, and would do nothing in another.
void check_break(const std::vector<Part>& parts, const Part& part, const std::string& broken) {
  for (const Part& other : parts) {
    const bool its_own = std::count(other.breaks.begin(), other.breaks.end(), broken) > 0;
    if (its_own && other.name != part.name) {
      throw UsageError("--break " + broken + " is for --task " + other.name);
    }
  }
}

int all_seeds(const Part& part, const Options& options, const std::string& picture) {
  Claims claims;
  measure_five_seeds(path_of(part),
                     [&](std::uint64_t seed) { return part.lesson(options, seed, seed == 1 ? picture : "", claims); });
  return claims.conclude();
}

int chapter(int argc, char** argv) {
  const std::vector<Part> parts = {conditional_part(), few_shot_part(), reward_part()};
  std::string task = "conditional", picture;
  Options options(
      "16", "Conditional and learned attention",
      {{"no-penalty", "a long span costs nothing", "then nothing makes it shorter than it was made"},
       {"spans-at-once", "spans move from the first step on",
        "they leave what is far before the head has found out that it needs it"},
       {"no-ramp", "a span ends at once, without a ramp", "a step has no derivative: only the penalty moves the span"},
       {"no-balance", "the load-balance loss counts for nothing",
        "an expert that nobody asks learns nothing, and is asked even less"},
       {"fixed-labels", "in training a digit has the same label in all episodes",
        "the answer is known without a look at the examples"},
       {"no-glance", "the coarse glance is blank", "nothing tells where the digit is"},
       {"wrong-sign", "the estimate of the gradient is followed downwards", "what was rewarded becomes less likely"}});
  options.choice("--task", task,
                 {{"conditional", "attention that decides how far, at how many keys and by which expert it looks"},
                  {"few-shot", "attention that learns to learn: from a few examples, without a step of training"},
                  {"reward", "attention that chooses one place, and is told only whether it was right"}},
                 "which part of the chapter");
  options.file("--picture", picture, "write the picture of the part to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  const Part& part = part_called(parts, task);
  check_break(parts, part, options.broken());
  if (!picture.empty()) check_writable(picture);
  if (options.full()) return all_seeds(part, options, picture);

  title("16", "Conditional and learned attention: " + part.name);
  say(options.break_notice());
  Claims claims;
  const NamedFigures figures = part.lesson(options, options.seed(), picture, claims);
  if (!options.quick() && options.broken().empty()) claim_ranges(figures, path_of(part), claims);
  try_next({{"./attend run 16 --task few-shot", "learning from one example of each class"},
            {"./attend run 16 --task reward", "learning where to look from nothing but a reward"},
            {"./attend check 16 1", "write sparsemax yourself"}});
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
