// Chapter 15: attention over graphs, trees and grids. The page is README.md beside this file.
#include <algorithm>

#include "tensor/parallel.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/15_graphs_trees_grids/graphs_lesson.hpp"
#include "tutorials/15_graphs_trees_grids/grids_lesson.hpp"
#include "tutorials/15_graphs_trees_grids/trees_lesson.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter15;

namespace {

// One of the three parts of the chapter, under its name in --task.
struct Part {
  Choice task;
  std::vector<Break> breaks;
  void (*lesson)(const Options& options, const std::string& picture, Claims& claims);

  bool has(const std::string& broken) const {
    return std::any_of(breaks.begin(), breaks.end(), [&](const Break& one) { return one.name == broken; });
  }
};

std::vector<Part> parts() {
  return {{{"graphs", "a node attends to those from which an edge leads to it"}, graphs_breaks(), graphs_lesson},
          {{"trees", "a word attends to what stands above it and below it in a tree"}, trees_breaks(), trees_lesson},
          {{"grids", "a pixel attends to its row, its column, its window"}, grids_breaks(), grids_lesson}};
}

// Which parts run: the one of --task, or the one that --break belongs to; with neither, --quick takes all three.
std::vector<Part> chosen(const Options& options, const std::string& task) {
  std::vector<Part> all = parts();
  const std::string& broken = options.broken();
  const bool any = options.quick() && broken.empty() && !options.given("--task");
  const auto runs = [&](const Part& part) {
    return any || (broken.empty() ? part.task.name == task : part.has(broken));
  };
  all.erase(std::remove_if(all.begin(), all.end(), [&](const Part& part) { return !runs(part); }), all.end());
  if (!broken.empty() && options.given("--task") && task != all[0].task.name) {
    throw UsageError("--break " + broken + " is for --task " + all[0].task.name);
  }
  return all;
}

int chapter(int argc, char** argv) {
  std::string task = "graphs", picture;
  std::vector<Break> breaks;
  std::vector<Choice> tasks;
  for (const Part& part : parts()) {
    tasks.push_back(part.task);
    breaks.insert(breaks.end(), part.breaks.begin(), part.breaks.end());
  }
  Options options("15", "Attention over graphs, trees and grids", breaks);
  options.choice("--task", task, tasks, "which structure");
  options.file("--picture", picture, "write the picture of the part to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  const std::vector<Part> running = chosen(options, task);
  if (!picture.empty() && running.size() > 1) throw UsageError("--picture with --quick wants a --task");
  if (!picture.empty()) check_writable(picture);

  title("15", "Attention over graphs, trees and grids");
  say(options.break_notice());
  Claims claims;
  for (const Part& part : running) part.lesson(options, picture, claims);
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
