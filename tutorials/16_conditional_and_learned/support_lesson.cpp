#include "tutorials/16_conditional_and_learned/support_lesson.hpp"

#include <cmath>

#include "nn/attention/entmax.hpp"
#include "tutorials/16_conditional_and_learned/marked.hpp"
#include "tutorials/16_conditional_and_learned/recall.hpp"
#include "tutorials/16_conditional_and_learned/support.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

void show_weights(const std::vector<double>& scores, Size k) {
  std::vector<double> all;
  std::vector<std::string> names, columns;
  for (const Normaliser& one : normalisers(k)) {
    const std::vector<double> weights = weights_of(one.core, scores);
    all.insert(all.end(), weights.begin(), weights.end());
    names.push_back(fill("{}, {} keys", {one.name, count(support(weights))}));
  }
  for (const double score : scores) columns.push_back(fixed(score, 1));
  HeatMap map{Matrix(size_of(names), size_of(scores), all), names, columns, "the scores, and the weights of each"};
  map.numbers = true;
  draw(map);
}

std::string support_at(const AttentionCore& core, double gap) {
  return count(support(weights_of(core, row_with_gap(12, 3, gap))));
}

// Just above the gap the support must be the 3 relevant keys, and just below all 12.
bool turns_at(const AttentionCore& core, double gap) {
  return support_at(core, gap + 1e-6) == "3" && support_at(core, gap - 1e-6) == "12";
}

void claim_supports(Claims& claims) {
  say("\nTwelve keys: three with one score, nine with 0. How many get a weight?\n");
  Table table({"gap", "0.2", "0.4", "0.8", "1.2", "3", "12"});
  const std::vector<Normaliser> all = normalisers(3);
  for (const Normaliser& one : all) {
    std::vector<std::string> cells = {one.name};
    for (const double gap : {0.2, 0.4, 0.8, 1.2, 3.0, 12.0}) cells.push_back(support_at(one.core, gap));
    table.row(cells);
  }
  table.print();
  claims.holds("sparsemax: all below a gap of 1/3, the three from there on", turns_at(all[2].core, 1.0 / 3));
  claims.holds("entmax 1.5: all below a gap of 2/√3, the three from there on",
               turns_at(all[1].core, 2 / std::sqrt(3.0)));
  for (std::size_t i : {1, 2, 3}) {
    claims.at_most(all[i].name + ": largest derivative to a score or value with weight 0",
                   derivative_outside(all[i].core, row_with_gap(12, 3, 1.5)), 0);
  }
}

// ---- heaps of marked keys -----------------------------------------------------------------------------------------

struct HeapRow {
  std::string name;
  double near_error, far_error, exact;  // with as many keys as in training, and with many more
};

constexpr Size few_keys = 16, many_keys = 256, marked = 3;

std::vector<HeapRow> read_heaps(const HeapTask& task, const ReaderPlan& plan, std::uint64_t seed) {
  std::vector<HeapRow> rows;
  for (const Normaliser& one : normalisers(marked)) {
    Rng rng(seed);
    Rng test_draws = rng.split();
    const Reader reader = train_reader(one.core, task, plan, rng);
    const Heap few = draw_heap(task, 64, few_keys, test_draws), many = draw_heap(task, 8, many_keys, test_draws);
    rows.push_back({one.name, error_of(reader, few), error_of(reader, many), exact_supports(reader, many)});
  }
  return rows;
}

void table_of(const std::vector<HeapRow>& rows) {
  Table table({"weights", "error, 16 keys", "error, 256 keys", "exactly the marked"});
  for (const HeapRow& row : rows) {
    table.row({row.name, significant(row.near_error, 2), significant(row.far_error, 2), percent(row.exact)});
  }
  table.print();
}

void add_exact(const std::string& task, const std::vector<HeapRow>& rows, NamedFigures& figures) {
  for (const HeapRow& row : rows) {
    figures.push_back({task + ", " + row.name + ": exactly the marked", row.exact, 0.05});
  }
}

}  // namespace

void support_section(Claims& claims) {
  heading("Weights that are exactly 0");
  say("Eight keys and their scores:\n");
  show_weights({2.0, 1.8, 1.2, 0.9, 0.3, 0.0, -0.5, -1.0}, 3);
  say("\nOn paper: the scores 1, 0.8 and 0.1.\n");
  Table table({"weights", "1", "0.8", "0.1"});
  for (const Normaliser& one : normalisers(2)) {
    std::vector<std::string> cells = {one.name};
    for (const double weight : weights_of(one.core, {1, 0.8, 0.1})) cells.push_back(fixed(weight, 3));
    table.row(cells);
  }
  table.print();
  claim_supports(claims);
}

NamedFigures heap_section(const Options& options, std::uint64_t seed, Claims& claims) {
  heading("The mean of the marked");
  say("A heap of keys, some of them marked, each with a value between 1 and 2. Wanted is the mean of the marked "
      "values. Trained with 16 keys; then the heap grows to 256. Error: root of the mean square.");
  ReaderPlan plan;
  if (options.quick()) plan.steps = 50;
  NamedFigures figures;

  say("\nThree are marked:\n");
  const std::vector<HeapRow> three = read_heaps({}, plan, seed);
  table_of(three);
  for (const HeapRow& row : three) figures.push_back({"error, 256 keys: " + row.name, row.far_error, 0.02, false});
  add_exact("three marked", three, figures);
  say("\nOne to six are marked:\n");
  HeapTask varying;
  varying.fewest = 1;
  varying.most = 6;
  const std::vector<HeapRow> some = read_heaps(varying, plan, seed);
  table_of(some);
  add_exact("one to six marked", some, figures);

  claims.at_most("softmax: heaps of which exactly the marked get a weight", three[0].exact, 0);
  if (options.quick()) return figures;
  claims.at_least("sparsemax, three marked: exactly those", three[2].exact, 0.95);
  claims.at_least("entmax 1.5, three marked: exactly those", three[1].exact, 0.95);
  claims.at_least("top-3, three marked: exactly those", three[3].exact, 0.95);
  claims.at_least("sparsemax, one to six marked: exactly those", some[2].exact, 0.95);
  claims.at_most("top-3, one to six marked: exactly those", some[3].exact, 0.5);
  claims.at_least("256 keys, three marked: error of softmax, in those of sparsemax",
                  three[0].far_error / three[2].far_error, 10);
  return figures;
}

NamedFigures recall_section(const Options& options, std::uint64_t seed, Claims& claims) {
  heading("What has no weight learns nothing");
  say(
      fill("{} pairs of a key and a value, then each key once more: which value had it? Two layers of one head, {} "
           "steps. In layer 1 a value needs the key before it, in layer 2 a question its value. How many of these "
           "have a weight before the training, and how many after it?\n",
           {count(pairs), count(recall_steps)}));
  struct Course {
    std::string name;
    AttentionCore core;
    Size soft_steps;
  };
  std::vector<Course> courses = {{"softmax", SoftmaxAttention(), 0},
                                 {"sparsemax", SparsemaxAttention(), 0},
                                 {"top-2", TopKAttention(2), 0},
                                 {"softmax, then sparsemax", SparsemaxAttention(), recall_steps / 2}};
  if (options.quick()) courses.erase(courses.begin() + 2, courses.end());
  const Size steps = options.quick() ? 20 : recall_steps;
  NamedFigures figures;
  std::vector<Recalled> found;
  Table table({"weights", "layer 1: before", "after", "layer 2: before", "after", "right"});
  for (const Course& course : courses) {
    found.push_back(learn_recall(course.core, course.soft_steps, steps, seed));
    const Recalled& one = found.back();
    table.row({course.name, percent(one.at_first.first), percent(one.at_last.first), percent(one.at_first.second),
               percent(one.at_last.second), percent(one.right)});
    figures.push_back({"recall, " + course.name, one.right});
  }
  table.print();
  claims.at_least("softmax: what is needed has a weight before the training, layer 2", found[0].at_first.second, 1);
  claims.at_most("sparsemax: the same", found[1].at_first.second, 0.5);
  if (options.quick()) return figures;
  claims.at_least("softmax: right", found[0].right, 0.98);
  claims.at_least("softmax in the first half, then sparsemax: right", found[3].right, 0.98);
  return figures;
}

}  // namespace attend::chapter16
