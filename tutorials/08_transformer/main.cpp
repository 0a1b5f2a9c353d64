// Chapter 08: a transformer that translates. The page is README.md beside this file.
#include "tensor/parallel.hpp"
#include "tutorials/08_transformer/halves_lesson.hpp"
#include "tutorials/08_transformer/names_lesson.hpp"
#include "tutorials/08_transformer/numbers_lesson.hpp"
#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/run.hpp"

namespace {

int chapter(int argc, char** argv) {
  using namespace attend;
  std::string task = "numbers", pairs, picture;
  lesson::Options options(
      "08", "A transformer that translates",
      {{"no-causal-mask", "in training, a word sees those behind it",
        "it copies its answer from the next place, and has learned nothing when there is none"},
       {"no-positions", "no word knows where it stands", "a text is a bag of words: 2003 and 3002 are one number"},
       {"visible-padding", "the padding behind short texts is read like words",
        "what becomes of a text depends on the texts beside it"},
       {"cache-from-zero", "written with the cache, every word is at place 0",
        "training knows nothing of it, and writing goes wrong"}});
  options.choice("--task", task,
                 {{"numbers", "number words, English to German"},
                  {"names", "names, English to French, word by word"},
                  {"halves", "the numbers, with activations of 16 bits"}},
                 "what to translate");
  options.file("--pairs", pairs, "a tab-separated file of your own to translate, in place of the names");
  options.file("--picture", picture, "write the heat map of the number to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  const bool names = task == "names" || !pairs.empty();
  const bool numbers = task == "numbers" && !names;
  if (!numbers && !options.broken().empty()) {
    throw lesson::UsageError("--break is for the numbers, with --task numbers");
  }
  if (task == "halves" && names) throw lesson::UsageError("--pairs is for the names, with --task names");
  if (!picture.empty() && (!numbers || options.quick())) {
    throw lesson::UsageError("--picture is for the numbers, with --task numbers and without --quick");
  }
  if (names) return chapter08::names_lesson(options, pairs);
  if (task == "halves") return chapter08::halves_lesson(options);
  return options.quick() ? chapter08::quick_lesson(options) : chapter08::numbers_lesson(options, picture);
}

}  // namespace

int main(int argc, char** argv) { return attend::lesson::run(argc, argv, chapter); }
