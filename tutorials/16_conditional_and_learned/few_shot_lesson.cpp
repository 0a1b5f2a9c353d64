#include "tutorials/16_conditional_and_learned/few_shot_lesson.hpp"

#include "nn/attention/in_context.hpp"
#include "nn/attention/matching.hpp"
#include "nn/gradcheck.hpp"
#include "tutorials/16_conditional_and_learned/few_shot_learning.hpp"
#include "tutorials/16_conditional_and_learned/in_context_lesson.hpp"
#include "tutorials/lesson/lesson.hpp"

namespace attend::chapter16 {

using namespace lesson;

namespace {

struct Shares {
  double known, unknown;
};

// What the models are asked, and how training goes.
struct Course {
  FewShotData data;
  Episodes known, unknown;
  Labels labels;
  std::uint64_t seed;
  bool quick;
};

Course course(const Options& options, std::uint64_t seed, bool turned) {
  Rng rng(seed);
  FewShotData data = few_shot_data(turned, rng);
  const Size episodes = options.quick() ? 100 : 1000;
  const Episodes known = draw_episodes(data.known, episodes, 5, Labels::shuffled, rng),
                 unknown = draw_episodes(data.unknown, episodes, 5, Labels::shuffled, rng);
  const Labels labels = options.breaks("fixed-labels") ? Labels::fixed : Labels::shuffled;
  return {data, known, unknown, labels, seed, options.quick()};
}

template <class Model>
Model learn(const std::string& name, const Course& course, Size steps) {
  Progress progress(name, steps);
  const FewShotPlan plan = {steps, course.labels};
  const Model model = learn_to_compare<Model>(course.data.training, plan, course.seed,
                                              [&](Size step, double loss) { progress.step(step, loss); });
  progress.done();
  return model;
}

template <class Model>
Shares shares_of(const Model& model, const Course& course) {
  return {right_answers(model, course.known), right_answers(model, course.unknown)};
}

Shares nearest_of(Nearness by, const Course& course) {
  return {share_equal(nearest(course.known, by), course.known.answers),
          share_equal(nearest(course.unknown, by), course.unknown.answers)};
}

// The share of answers that change when the examples come in reverse.
template <class Model>
double changed_by_order(const Model& model, const Episodes& episodes) {
  return 1 - share_equal(answers_of(model, episodes), answers_of(model, reordered(episodes, {4, 3, 2, 1, 0})));
}

// Rows are queries, columns the examples of one episode of digits that the training never saw.
HeatMap map_of(const MatchingNetwork& model, const Classes& classes, std::uint64_t seed) {
  Rng rng(seed);
  const Episodes one = draw_episodes(classes, 1, 10, Labels::shuffled, rng);
  const std::vector<std::int64_t> labels = one.labels.to_ints(), answers = one.answers.to_ints();
  HeatMap map = {Matrix(10, ways, model.look(one).weights.value().to_vector()), {}, {}};
  for (const std::int64_t label : labels) map.column_labels.push_back("label " + std::to_string(label));
  for (const std::int64_t answer : answers) map.row_labels.push_back("is " + std::to_string(answer));
  map.title = "Weights of five examples for ten images of new digits";
  return map;
}

// One query of an episode, above, and its five examples, each with its weight.
Overlay panel_of(const Episodes& one, Size query, const Tensor& weights, bool right) {
  constexpr Size cells = 3;
  const std::vector<std::pair<Size, Size>> places = {{1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 2}};
  std::vector<double> pixels(cells * side * cells * side, 0), over(cells * cells, 0);
  const auto put = [&](const Tensor& images, Size which, Size row, Size column) {
    for (Size y = 0; y < side; ++y) {
      for (Size x = 0; x < side; ++x) {
        pixels[static_cast<std::size_t>((row * side + y) * cells * side + column * side + x)] =
            images.at({0, which, 0, y, x});
      }
    }
  };
  put(one.queries, query, 0, 1);
  for (Size j = 0; j < ways; ++j) {
    const auto [row, column] = places[static_cast<std::size_t>(j)];
    put(one.support, j, row, column);
    over[static_cast<std::size_t>(row * cells + column)] = weights.at({0, query, j});
  }
  return {Matrix(cells * side, cells * side, pixels), Matrix(cells, cells, over), right ? "right" : "wrong"};
}

std::vector<Overlay> row_of(const MatchingNetwork& model, const Classes& classes, std::uint64_t seed) {
  Rng rng(seed);
  const Episodes one = draw_episodes(classes, 1, 5, Labels::shuffled, rng);
  const Attended looked = model.look(one);
  const Tensor found = argmax(looked.context, 2);
  std::vector<Overlay> row;
  for (Size i = 0; i < 5; ++i) {
    row.push_back(panel_of(one, i, looked.weights.value(), found.at({0, i}) == one.answers.at({0, i})));
  }
  return row;
}

// What the model looks at: a map of new digits, and a picture of known and new ones.
void show_looks(const MatchingNetwork& model, const Course& course, const std::string& picture) {
  say("");
  draw(map_of(model, course.data.unknown, course.seed));
  if (picture.empty()) return;
  write_svg({row_of(model, course.data.known, course.seed), row_of(model, course.data.unknown, course.seed)},
            "An image, and below it five examples with their weights: known digits, new digits", picture);
}

void say_beginning() {
  say("The claim: a network can learn to learn. It gets one example of each of five digits, under labels that hold "
      "for this episode alone, and must label other images by them; no weight changes any more. Trained with the "
      "digits 0 to 4, it is asked about 5 to 9.");
  shapes({{"examples", {16, 5, 1, 8, 8}, "episodes, one image of each class"},
          {"labels", {16, 5}, "0 to 4 in an order of this episode"},
          {"embedded", {16, 5, 32}, "two convolutions and a linear layer"},
          {"matching: weights", {16, 5, 5}, "queries, examples: softmax of 10 cos"},
          {"SNAIL: sequence", {80, 6, 37}, "five examples with labels, one query without"}});
}

void claim_few_shot(const Shares& pixels, const Shares& matching, const Shares& snail, Claims& claims) {
  claims.at_least("matching network, new images of 0 to 4", matching.known, 0.95);
  claims.at_least("SNAIL, new images of 0 to 4", snail.known, 0.9);
  claims.at_least("matching network, digits never seen", matching.unknown, 0.4);
  claims.at_least("SNAIL, digits never seen", snail.unknown, 0.3);
  claims.at_least("digits never seen: nearest pixels, less the matching network", pixels.unknown - matching.unknown, 0);
}

NamedFigures few_shot_section(const Options& options, std::uint64_t seed, const std::string& picture, Claims& claims) {
  heading("One example of each of five digits");
  const bool quick = options.quick();
  Table table({"labels by", "new images of 0 to 4", "digits 5 to 9"});
  NamedFigures figures;
  const auto row = [&](const std::string& name, const Shares& shares) {
    table.row({name, percent(shares.known), percent(shares.unknown)});
    figures.push_back({name + ", 0 to 4", shares.known});
    figures.push_back({name + ", 5 to 9", shares.unknown});
  };
  const Course turned = course(options, seed, true);
  table.row({"chance", percent(1.0 / ways), percent(1.0 / ways)});
  const Shares pixels = nearest_of(Nearness::euclidean, turned);
  row("nearest pixels, cosine", nearest_of(Nearness::cosine, turned));
  row("nearest pixels, Euclidean", pixels);
  Rng first_weights(seed);
  row("matching network, untrained", shares_of(MatchingNetwork(first_weights), turned));
  if (!quick && options.broken().empty()) {
    const Course plain = course(options, seed, false);
    row("matching network, 5 classes", shares_of(learn<MatchingNetwork>("matching, 5 classes", plain, 300), plain));
    row("SNAIL, 5 classes", shares_of(learn<Snail>("SNAIL, 5 classes", plain, 800), plain));
  }
  const MatchingNetwork matching = learn<MatchingNetwork>("matching, 20 classes", turned, quick ? 100 : 300);
  const Snail snail = learn<Snail>("SNAIL, 20 classes", turned, quick ? 60 : 800);
  const Shares of_matching = shares_of(matching, turned), of_snail = shares_of(snail, turned);
  row("matching network, 20 classes", of_matching);
  row("SNAIL, 20 classes", of_snail);
  say("\n20 classes: each of the digits 0 to 4 and its turns by 90, 180 and 270 degrees; 5 classes: without turns.\n");
  table.print();
  if (quick) {
    claims.at_least("matching network, new images of 0 to 4", of_matching.known, 0.8);
  } else {
    claim_few_shot(pixels, of_matching, of_snail, claims);
  }
  const double by_order = changed_by_order(snail, turned.unknown);
  say("\nThe five examples in reverse order: how many answers change?");
  claims.at_most("matching network: share of changed answers", changed_by_order(matching, turned.unknown), 0);
  if (!quick) claims.at_least("SNAIL: share of changed answers", by_order, 0.03);
  figures.push_back({"SNAIL, answers changed by the order", by_order});
  show_looks(matching, turned, picture);
  return figures;
}

void gradients_section(const Options& options, Claims& claims) {
  heading("Are the derivatives right?");
  Rng rng(options.seed());
  const auto drawn = [&](const Shape& shape) { return rng.normal(shape, 0, 1, DType::float64); };
  GradcheckOptions settings;
  settings.seed = options.seed();
  const Tensor labels = one_hot(Tensor::arange(3), 3, DType::float64);
  const SnailBlock block = cast(SnailBlock(3, 4, {2, 3, 2}, rng), DType::float64);
  const InContextAttention layer = cast(InContextAttention(3, rng), DType::float64);
  std::vector<GradcheckReport> reports;
  reports.push_back(gradcheck(
      "matching read-out",
      [&](const Vars& x) { return matching_read_out(x[0], x[1], unsqueeze(Var(labels), 0), 2).context; },
      {drawn({1, 2, 4}), drawn({1, 3, 4})}, settings));
  reports.push_back(gradcheck(
      "SNAIL block", [&](const Vars& x) { return block(x[0]).context; }, {drawn({2, 4, 3})}, settings));
  reports.push_back(gradcheck(
      "in-context attention", [&](const Vars& x) { return layer(x[0], 4); }, {drawn({2, 5, 3})}, settings));
  claim_gradients(reports, claims);
}

NamedFigures few_shot_lesson(const Options& options, std::uint64_t seed, const std::string& picture, Claims& claims) {
  if (!options.full()) say_beginning();
  NamedFigures figures = few_shot_section(options, seed, picture, claims);
  if (options.breaks("fixed-labels")) return figures;
  for (const NamedFigure& figure : in_context_section(options, seed, claims)) figures.push_back(figure);
  if (!options.full()) gradients_section(options, claims);
  return figures;
}

}  // namespace

Part few_shot_part() { return {"few-shot", "results_few_shot.tsv", {"fixed-labels"}, few_shot_lesson}; }

}  // namespace attend::chapter16
