// Chapter 10: attention and convolution. The page is README.md beside this file.
#include <algorithm>
#include <iostream>

#include "tensor/parallel.hpp"
#include "tensor/whole_file.hpp"
#include "tutorials/10_attention_and_convolution/experiment.hpp"
#include "tutorials/10_attention_and_convolution/identities.hpp"
#include "tutorials/lesson/lesson.hpp"

using namespace attend;
using namespace attend::lesson;
using namespace attend::chapter10;

namespace {

constexpr double slack = 0.01;  // of an accuracy: the last digits depend on the machine

std::string results_path(const Task& task) {
  return std::string(ATTEND_CHAPTER_DIR) + (task.name == "digits" ? "/results.tsv" : "/results_fashion.tsv");
}

Without left_out(const Options& options) {
  if (options.breaks("no-positions")) return Without::positions;
  if (options.breaks("no-queries")) return Without::queries;
  return Without::nothing;
}

void say_beginning(const Options& options, const Task& task) {
  title("10", "Attention and convolution");
  say(options.break_notice());
  say("A picture cut into patches is a text of patches, and attention reads it as any other. Is that better than a "
      "convolution? Models of about the same size on the same images, beside logistic regression.");
  const Size side = task.form.height, patches = side / 2 * (side / 2);
  shapes({{"images x", {64, 1, side, side}, "batch, grey, rows, columns"},
          {"ViT: patches", {64, patches, 4}, "2 × 2 pixels each, row by row"},
          {"ViT: tokens", {64, 1 + patches, 24}, "the class token, then patches W + b, plus positions"},
          {"ViT: weights", {64, 4, 1 + patches, 1 + patches}, "of a layer: heads, who looks, at whom"},
          {"CNN: features", {64, 32, side / 2, side / 2}, "two convolutions, the first with stride 2"},
          {"CNN: weights", {64, 4, patches, patches}, "of its block with attention"}});
}

void show_accuracies(const Task& task, const Experiment& found) {
  heading("What came out");
  Table table({"model", "parameters", "training time", fill("exact on {} unseen", {count(task.test.size())})});
  for (const auto& [kind, outcome] : found.of) {
    table.row({name_of(kind), count(outcome.parameters), duration(outcome.seconds), percent(outcome.accuracy)});
  }
  if (found.blind_accuracy) table.row({"ViT without positions", "", "", percent(*found.blind_accuracy)});
  table.print();
  if (found.of.count(Kind::convolution) == 0) return;
  say(
      fill("With attention in the place of the block's 3 × 3 convolution: {} points; with a head that sees only the "
           "mean of each channel: {} points.",
           {fixed(found.gain(Head::places), 1), fixed(found.gain(Head::mean), 1)}));
}

// The first test image of each of these classes.
std::vector<Size> first_of(const Task& task, const std::vector<Size>& classes) {
  const std::vector<std::int64_t> labels = task.test.labels.to_ints();
  std::vector<Size> images;
  for (const Size wanted : classes) {
    images.push_back(std::find(labels.begin(), labels.end(), wanted) - labels.begin());
  }
  return images;
}

void show_looks(const Task& task, const Experiment& found, const std::string& picture) {
  heading("Where the class token looked");
  say("An image, what the class token of the ViT read from each patch in the last layer (mean over the heads), and the "
      "same rolled out over both layers.");
  const VisionTransformer& vision = std::get<VisionTransformer>(found.of.at(Kind::vision).model.net);
  const ConvNet& convolutional = std::get<ConvNet>(found.of.at(Kind::attention).model.net);
  const Tensor& pixels = task.test.pixels;
  const Tensor heads = class_token_looks(vision, pixels), rolled = class_token_rollout(vision, pixels);
  const Tensor by_pixel = mean(Var(pixel_looks(convolutional, pixels)), {1}).value();
  const Tensor mean_looks = mean(Var(heads), {1}).value();
  const std::vector<Size> classes = task.name == "digits" ? std::vector<Size>{3, 4, 7} : std::vector<Size>{5, 8, 1};

  std::vector<std::vector<Overlay>> rows;
  for (const Size b : first_of(task, classes)) {
    const std::string name = task.classes[static_cast<std::size_t>(task.test.labels.at({b}))];
    const Overlay image = plain_image(image_matrix(pixels, b), name);
    const Overlay by_token = overlay(pixels, mean_looks, b, "ViT, mean"), out = overlay(pixels, rolled, b, "rollout");
    std::vector<Overlay> row = {image};
    for (Size h = 0; h < heads.shape()[1]; ++h) {
      row.push_back(overlay(pixels, select(Var(heads), 1, h).value(), b, fill("ViT, head {}", {count(h + 1)})));
    }
    row.insert(row.end(), {by_token, out, overlay(pixels, by_pixel, b, "CNN's block")});
    if (rows.empty() || task.name == "digits") draw({image, by_token, out});
    for (const Overlay& panel : {by_token, out}) point(name + ", " + in_words(panel));
    rows.push_back(row);
  }
  const std::string meaning = "Where each model looks: full orange is the largest weight of a panel";
  show_overlay(meaning, rows);
  if (!picture.empty()) write_svg(rows, meaning, picture);
}

void show_occlusion(const Experiment& found) {
  heading("Is the weight an explanation? Hide what it looked at");
  const Occlusion& seen = found.occlusion;
  Table table({"hidden from the ViT", "mean p(right)"});
  table.row({"nothing", fixed(seen.with_all, 3)});
  table.row({"the patch that the class token looks at most", fixed(seen.without_looked_at, 3)});
  table.row({"the patch with the largest rollout", fixed(seen.without_rollout, 3)});
  table.row({"another patch with ink", fixed(seen.without_other, 3)});
  table.print();
  say(
      fill("Two heads have {} of their weights in common in the ViT, {} in the CNN's block (1: they look at the same "
           "places).",
           {fixed(found.vision_overlap, 2), fixed(found.pixel_overlap, 2)}));
}

void claim_figures(const Task& task, const Experiment& found, Claims& claims) {
  const bool digits = task.name == "digits";
  const double convolutional = digits ? 0.95 : 0.8;
  claims.at_least("ViT, share of unseen images", found.accuracy(Kind::vision), digits ? 0.95 : 0.76);
  for (const Kind kind : {Kind::convolution, Kind::attention}) {
    if (found.of.count(kind) == 0) continue;
    claims.at_least(name_of(kind) + ", share of unseen images", found.accuracy(kind), convolutional);
  }
  if (found.blind_accuracy) {
    claims.at_least("points that a ViT loses without positions",
                    100 * (found.accuracy(Kind::vision) - *found.blind_accuracy), 15);
  }
  if (!digits && found.of.count(Kind::attention_mean) > 0) {
    claims.at_least("points gained by attention, mean head", found.gain(Head::mean), 1);
    claims.at_least("points that the CNN is ahead of the CNN with attention, mean head",
                    100 * (found.accuracy(Kind::convolution) - found.accuracy(Kind::attention_mean)), 1);
  }
  claims.below("overlap of two heads, ViT", found.vision_overlap, 0.9);
  claims.below("overlap of two heads, CNN with attention", found.pixel_overlap, 0.9);
}

void claim_ranges(const Task& task, const Experiment& found, Claims& claims) {
  const Results stated = Results::read(results_path(task));
  for (const auto& [name, value] : named(found)) {
    claims.as_stated(value, stated.at(name), name.rfind("points", 0) == 0 ? 100 * slack : slack);
  }
}

// Of the first seed it also shows where the models look, as a plain run does.
int all_seeds(const Task& fashion_or_digits, const std::string& picture) {
  check_writable(results_path(fashion_or_digits));
  Claims claims;
  Results results;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    heading(fill("Seed {}", {count(static_cast<Size>(seed))}));
    const Task task = fashion_or_digits.name == "digits" ? digits_task(seed) : fashion_or_digits;
    const Experiment found = run_experiment(task, seed, {});
    show_accuracies(task, found);
    claim_figures(task, found, claims);
    if (seed == 1) {
      show_looks(task, found, picture);
      show_occlusion(found);
    }
    for (const auto& [name, value] : named(found)) results.add(name, seed, value);
  }
  results.write(results_path(fashion_or_digits));
  return claims.conclude();
}

void claim_identities(const Options& options, Claims& claims) {
  heading("What must hold whatever they have learned");
  claim_patches(claims);
  claim_order(left_out(options), claims);
  claim_shares(claims);
  heading("Are the derivatives right?");
  chapter10::claim_gradients(options.seed(), claims);
}

int quick_lesson(const Options& options, const Task& task) {
  title("10", "Attention and convolution, the quick checks");
  say(options.break_notice());
  Claims claims;
  claim_identities(options, claims);
  heading("Does each learn?");
  for (const Kind kind : {Kind::logistic, Kind::vision, Kind::convolution, Kind::attention}) {
    Rng rng(options.seed());
    Rng first_weights = rng.split();
    Recipe recipe = recipe_of(kind, task.training.size());
    recipe.epochs = 3;
    const Images some = task.training.select(rng.permutation(500));
    const Learned learned = learn(Model(kind, task.form, first_weights, left_out(options)), some, recipe, rng);
    claims.below(name_of(kind) + ": mean loss of the third epoch, in that of the first",
                 learned.last_loss / learned.first_loss, 0.9);
  }
  return claims.conclude();
}

int chapter(int argc, char** argv) {
  std::string task_name = "digits", picture;
  Options options("10", "Attention and convolution",
                  {{"no-positions", "the table of positions is 0 and is not learned",
                    "the ViT gets the patches as a heap, in no order"},
                   {"no-queries", "the queries are 0", "every place gets the same weight, whatever it holds"},
                   {"columns-at-test", "the test's patches come column by column, those of the training row by row",
                    "the positions of the training are those of other patches"}});
  options.choice("--task", task_name,
                 {{"digits", "handwritten digits, 8 × 8"}, {"fashion", "clothes, 14 × 14 (Fashion-MNIST)"}},
                 "which images");
  options.file("--picture", picture, "write where the models look to this SVG file");
  options.parse(argc, argv);
  set_threads(options.threads());
  if (!picture.empty()) check_writable(picture);
  const Task task = task_name == "digits" ? digits_task(options.seed()) : fashion_task();
  if (options.quick()) return quick_lesson(options, task);
  if (options.full()) return all_seeds(task, picture);

  say_beginning(options, task);
  Claims claims;
  heading("Learning");
  const Experiment found = run_experiment(task, options.seed(), {left_out(options), options.breaks("columns-at-test")});
  show_accuracies(task, found);
  claim_figures(task, found, claims);
  show_looks(task, found, picture);
  show_occlusion(found);
  if (options.broken().empty()) claim_ranges(task, found, claims);
  claim_identities(options, claims);
  try_next({{"./attend run 10 --task fashion", "the same with clothes"},
            {"./attend run 10 --break no-positions", "patches in no order"},
            {"./attend check 10 1", "cut the patches yourself"}});
  return claims.conclude();
}

}  // namespace

int main(int argc, char** argv) { return lesson::run(argc, argv, chapter); }
