// Chapter 03: additive attention. The page is README.md beside this file.
#include "tensor/parallel.hpp"
#include "tutorials/03_additive_attention/breaks.hpp"
#include "tutorials/03_additive_attention/dates_lesson.hpp"
#include "tutorials/03_additive_attention/names_lesson.hpp"
#include "tutorials/lesson/run.hpp"

namespace {

int chapter(int argc, char** argv) {
  using namespace attend;
  std::string task = "dates", pairs, picture;
  lesson::Options options("03", "Additive attention", chapter03::breaks());
  options.choice(
      "--task", task,
      {{"dates", "dates of twelve locales to ISO form"}, {"names", "names, English to French, word by word"}},
      "what to translate");
  options.file("--pairs", pairs, "a tab-separated file of your own to translate, in place of the names");
  options.file("--picture", picture, "write the first heat map of the dates to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  if (task == "names" || !pairs.empty()) return chapter03::names_lesson(options, pairs);
  return options.quick() ? chapter03::quick_lesson(options) : chapter03::dates_lesson(options, picture);
}

}  // namespace

int main(int argc, char** argv) { return attend::lesson::run(argc, argv, chapter); }
