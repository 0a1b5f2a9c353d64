#include "tutorials/10_attention_and_convolution/experiment.hpp"

#include "tutorials/10_attention_and_convolution/patches.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/progress.hpp"

namespace attend::chapter10 {
namespace {

const std::vector<Kind> all_kinds = {Kind::logistic,  Kind::vision,           Kind::convolution,
                                     Kind::attention, Kind::convolution_mean, Kind::attention_mean};
const std::vector<Kind> breakable = {Kind::vision, Kind::attention};

lesson::Images column_by_column(const lesson::Images& images, Size patch) {
  const Size rows = images.pixels.shape()[2] / patch, columns = images.pixels.shape()[3] / patch;
  return {with_patches_in_order(Var(images.pixels), patch, column_order(rows, columns)).value(), images.labels};
}

Learned train(const std::string& name, const Task& task, Kind kind, std::uint64_t seed, Without without) {
  Rng rng(seed);
  Rng first_weights = rng.split(), batches = rng.split();
  std::optional<lesson::Progress> progress;
  const Watch watch = [&](Size step, Size steps, double loss) {
    if (!progress) progress.emplace(name, steps);
    progress->step(step, loss);
  };
  Learned learned = learn(Model(kind, task.form, first_weights, without), task.training,
                          recipe_of(kind, task.training.size()), batches, watch);
  progress->done();
  return learned;
}

}  // namespace

double Experiment::gain(Head head) const {
  const bool mean = head == Head::mean;
  return 100 * (accuracy(mean ? Kind::attention_mean : Kind::attention) -
                accuracy(mean ? Kind::convolution_mean : Kind::convolution));
}

Experiment run_experiment(const Task& task, std::uint64_t seed, const Breaking& breaking) {
  constexpr Size patch = 2;
  const lesson::Images test = breaking.columns_at_test ? column_by_column(task.test, patch) : task.test;
  Experiment found{};
  for (const Kind kind : breaking.anything() ? breakable : all_kinds) {
    const Learned learned = train(name_of(kind), task, kind, seed, breaking.without);
    found.of.emplace(
        kind, Outcome{learned.model, parameter_count(learned.model), accuracy(learned.model, test), learned.seconds});
  }
  if (task.name == "digits" && !breaking.anything()) {
    const Learned blind = train("ViT without positions", task, Kind::vision, seed, Without::positions);
    found.blind_accuracy = accuracy(blind.model, test);
  }
  const Model& vision = found.of.at(Kind::vision).model;
  found.vision_overlap = overlap_of_heads(class_token_looks(std::get<VisionTransformer>(vision.net), test.pixels));
  found.pixel_overlap =
      overlap_of_heads(pixel_looks(std::get<ConvNet>(found.of.at(Kind::attention).model.net), test.pixels));
  Rng rng(seed);
  found.occlusion = occlude(vision, test, rng);
  return found;
}

std::vector<std::pair<std::string, double>> named(const Experiment& experiment) {
  std::vector<std::pair<std::string, double>> figures;
  for (const Kind kind : all_kinds) figures.emplace_back("accuracy, " + name_of(kind), experiment.accuracy(kind));
  if (experiment.blind_accuracy) figures.emplace_back("accuracy, ViT without positions", *experiment.blind_accuracy);
  figures.emplace_back("points gained by attention", experiment.gain(Head::places));
  figures.emplace_back("points gained by attention, mean head", experiment.gain(Head::mean));
  figures.emplace_back("overlap of two heads, ViT", experiment.vision_overlap);
  figures.emplace_back("overlap of two heads, CNN with attention", experiment.pixel_overlap);
  const Occlusion& seen = experiment.occlusion;
  figures.emplace_back("p(right), nothing hidden", seen.with_all);
  figures.emplace_back("p(right), patch looked at most hidden", seen.without_looked_at);
  figures.emplace_back("p(right), patch of most rollout hidden", seen.without_rollout);
  figures.emplace_back("p(right), another patch with ink hidden", seen.without_other);
  return figures;
}

}  // namespace attend::chapter10
